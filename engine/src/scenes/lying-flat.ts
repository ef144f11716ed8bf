/** Whether a product was photographed from above: it lies flat, or could not stand. */
import type { FoundCutout } from '../cutout/cut-out.ts';
import { resizeBytes } from '../pixels/decode.ts';
import { bulge } from '../pixels/hull.ts';
import { countOnes, findContour, threshold } from '../pixels/mask.ts';
import type { Plane } from '../pixels/plane.ts';

const CELLS = 32; // per side of the photo
const CELL = 8; // pixels of the small copy
const BAND = 9; // rows of cells at the top and at the bottom, which are compared
const MIN_FREE_CELLS = 24; // least number of free cells per band
const PRODUCT_ALPHA = 8; // of 255: more is the product's
const TEXTURE = 2.2; // standard deviation in levels: walls, paper and sweeps have less, floors and cloths more
const LIKE = { light: 48, colour: 20, texture: 2 }; // levels, levels, factor: lamps make one side of a floor brighter

const SIDE = CELLS * CELL; // pixels of the small copy, whose aspect ratio is ignored

type Photo = Pick<FoundCutout, 'small' | 'width' | 'height' | 'alpha'>;

/** True if the product lies flat, as the photo shows: the same textured background is above and below it. */
export async function isLyingFlat(photo: Photo): Promise<boolean> {
  const rgb = await resizeBytes(photo.small.data, photo.small, 3, { width: SIDE, height: SIDE });
  const [above, below] = readBands(rgb, photo);
  return above !== undefined && below !== undefined && isSameSurface(above, below);
}

/** Medians over the free cells of a band. */
type Band = { light: number; red: number; blue: number; texture: number };

function readBands(rgb: Uint8Array, { width, height, alpha }: Photo) {
  const cells = Array.from({ length: CELLS * CELLS }, (_, n): Band | undefined => {
    const sums = { red: 0, blue: 0, light: 0, squares: 0 };
    for (let i = 0; i < CELL * CELL; i += 1) {
      const x = (n % CELLS) * CELL + (i % CELL);
      const y = Math.floor(n / CELLS) * CELL + Math.floor(i / CELL);
      const [column, row] = [Math.floor(((x + 0.5) * width) / SIDE), Math.floor(((y + 0.5) * height) / SIDE)];
      if (alpha[row * width + column]! > PRODUCT_ALPHA) return undefined;
      const at = y * SIDE + x;
      const light = 0.3 * rgb[at * 3]! + 0.59 * rgb[at * 3 + 1]! + 0.11 * rgb[at * 3 + 2]!;
      sums.red += rgb[at * 3]! - light;
      sums.blue += rgb[at * 3 + 2]! - light;
      sums.light += light;
      sums.squares += light * light;
    }
    const count = CELL * CELL;
    const light = sums.light / count;
    const texture = Math.sqrt(Math.max(0, sums.squares / count - light * light));
    return { light, red: sums.red / count, blue: sums.blue / count, texture };
  });
  return [cells.slice(0, BAND * CELLS), cells.slice(-BAND * CELLS)].map((band) => {
    const free = band.filter((cell) => cell !== undefined);
    const median = (key: keyof Band) => free.map((cell) => cell[key]).sort((a, b) => a - b)[free.length >> 1] ?? 0;
    if (free.length < MIN_FREE_CELLS) return undefined;
    return { light: median('light'), red: median('red'), blue: median('blue'), texture: median('texture') };
  });
}

function isSameSurface(above: Band, below: Band): boolean {
  const [min, max] = [above.texture, below.texture].sort((a, b) => a - b) as [number, number];
  const isTextured = min >= TEXTURE && max <= LIKE.texture * min;
  const colour = Math.hypot(above.red - below.red, above.blue - below.blue);
  return isTextured && Math.abs(above.light - below.light) <= LIKE.light && colour <= LIKE.colour;
}

const BASE = 0.08; // of the height: the outline's hull stands on what reaches this near to its lowest point

/**
 * True if a shape could not stand: its centre of mass is not above its base. Such a product was lying, and was
 * photographed from above.
 * @param alpha 0..1
 */
export function tipsOver(alpha: Plane): boolean {
  const mask = threshold(alpha, 0.5);
  let sum = 0;
  for (let i = 0; i < mask.data.length; i += 1) if (mask.data[i]) sum += i % mask.width;
  const centre = sum / countOnes(mask);
  const top = Math.floor(mask.data.indexOf(1) / mask.width);
  const outline = findContour(mask, { top: 0, bottom: mask.height - 1 }, true);
  bulge(outline, 1);
  const bottom = Math.max(...outline);
  const base = [...outline.keys()].filter((x) => outline[x]! >= bottom - BASE * (bottom - top));
  return centre < base[0]! || centre > base.at(-1)!;
}
