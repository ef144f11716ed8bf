import sharp from 'sharp';
import { CELL_PX, countAlpha, type Grid, listIslands } from './cells.ts';
import { type Box, findBox, fromRaster, open, type Raster, toRaster } from './raster.ts';
import { growInto } from './product.ts';

/** A cut-out by its transparency, cleaned of the haze and crumbs that a network leaves. */
export type Cutout = {
  /** RGBA. */
  picture: Raster;
  alpha: Raster;
  box: Box;
};

// Of 255. An opaque picture is no cut-out, even if its edge was softened.
const TRANSPARENT_ALPHA = 128;
/** Least size of a part relative to the largest, in cells that are more than haze. */
const MIN_PART_SHARE = 0.004;
const MIN_STRONG_PIXELS = 4;
/** In cells of 8 pixels: how far a faint soft edge may extend from the product. */
const HAZE_REACH = 3;

/** Reads a cut-out; undefined if the picture is fully opaque or fully transparent. */
export async function findCutout(content: Uint8Array): Promise<Cutout | undefined> {
  const { hasAlpha } = await sharp(content).metadata();
  if (!hasAlpha) return undefined;
  const picture = await toRaster(open(content).toColourspace('srgb').ensureAlpha());
  const alpha = await toRaster(fromRaster(picture).extractChannel('alpha'));
  if (alpha.data.every((value) => value >= TRANSPARENT_ALPHA)) return undefined;
  const grid = countAlpha(alpha);
  markParts(grid);
  if (grid.masked.includes(1)) clearOutside(picture, alpha, grid);
  const box = findBox(alpha);
  return box && { picture, alpha, box };
}

function markParts(grid: Grid): void {
  grid.strong.forEach((pixels, cell) => (grid.strong[cell] = pixels >= MIN_STRONG_PIXELS ? pixels : 0));
  const islands = listIslands(grid.notWhite, grid).map((island) => ({
    island,
    strong: island.filter((cell) => (grid.strong[cell] ?? 0) > 0).length,
  }));
  const largest = islands.reduce((largestYet, { strong }) => Math.max(largestYet, strong), 1);
  const parts = islands.flatMap(({ island, strong }) => (strong / largest >= MIN_PART_SHARE ? island : []));
  // All at once: they do not touch, and there may be 200 000.
  growInto(grid.masked, parts, grid, HAZE_REACH);
}

function clearOutside(picture: Raster, { data: alpha, width, height }: Raster, { masked, columns }: Grid): void {
  const clear = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      if (alpha[at] === 0) continue;
      alpha[at] = 0;
      picture.data.fill(0, at * 4, at * 4 + 4);
    }
  };
  for (let cell = 0; cell < masked.length; cell += 1) {
    if (masked[cell] === 1) continue;
    const left = (cell % columns) * CELL_PX;
    const right = Math.min(width, left + CELL_PX);
    const top = Math.floor(cell / columns) * CELL_PX;
    for (let y = top; y < Math.min(height, top + CELL_PX); y += 1) clear(y * width + left, y * width + right);
  }
}
