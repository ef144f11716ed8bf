import { MIN_ALPHA, type Raster } from './raster.ts';

/** A grid of 8-pixel cells, the blocks of a JPEG: details within a block cannot be judged reliably. */

export const CELL_PX = 8;
const WHITE = 255;
// Of 255: darker, more saturated or abruptly starting pixels belong to an object, not to a shadow.
const STRONG_DARK = 160;
const STRONG_COLOUR = 60;
const STRONG_STEP = 6;
/** Margin around the mask that is not background. */
const MARGIN_PX = 2;

export type Grid = {
  columns: number;
  rows: number;
  /** 1 on the mask and near it. */
  masked: Uint8Array;
  /** Number of pixels that are not pure white or, in a cut-out, visible. */
  notWhite: Uint8Array;
  /** Number of those that cannot be shadow or haze. */
  strong: Uint8Array;
  at: (x: number, y: number) => number;
};

/** Whether EXIF flipped the stored file, so that its JPEG blocks start at the right or bottom. */
export type Flipped = { x: boolean; y: boolean };

/** Counts pixels per cell. `mask`: one channel, above 0 on the product. */
export function countCells(picture: Raster, mask: Raster | undefined, flipped: Flipped): Grid {
  const { data, width, height, channels } = picture;
  const offsetX = offsetOf(width, flipped.x);
  const offsetY = offsetOf(height, flipped.y);
  const columns = Math.ceil((width + offsetX) / CELL_PX);
  const rows = Math.ceil((height + offsetY) / CELL_PX);
  const notWhite = new Uint8Array(columns * rows);
  const strong = new Uint8Array(columns * rows);
  const above = new Uint8Array(width).fill(WHITE);
  for (let y = 0, from = 0; y < height; y += 1) {
    const row = ((y + offsetY) >> 3) * columns;
    for (let x = 0, previous = WHITE; x < width; x += 1, from += channels) {
      const r = data[from] ?? 0;
      const g = data[from + 1] ?? 0;
      const b = data[from + 2] ?? 0;
      const min = Math.min(r, g, b);
      const step = Math.max(Math.abs(min - previous), Math.abs(min - (above[x] ?? WHITE)));
      previous = above[x] = min;
      if (min === WHITE) continue;
      const cell = row + ((x + offsetX) >> 3);
      notWhite[cell] = (notWhite[cell] ?? 0) + 1;
      if (min < STRONG_DARK || Math.max(r, g, b) - min > STRONG_COLOUR || step >= STRONG_STEP)
        strong[cell] = (strong[cell] ?? 0) + 1;
    }
  }
  const at = (x: number, y: number) => ((y + offsetY) >> 3) * columns + ((x + offsetX) >> 3);
  return { columns, rows, notWhite, strong, at, masked: markMasked(mask, columns * rows, at) };
}

// Of 255: lower alpha is haze, unless it is next to higher alpha.
const STRONG_ALPHA = 48;

/** Counts pixels per cell of a cut-out, by alpha. */
export function countAlpha({ data, width, height }: Raster): Grid {
  const columns = Math.ceil(width / CELL_PX);
  const rows = Math.ceil(height / CELL_PX);
  const shown = new Uint8Array(columns * rows);
  const strong = new Uint8Array(columns * rows);
  for (let y = 0, from = 0; y < height; y += 1) {
    const row = (y >> 3) * columns;
    for (let x = 0; x < width; x += 1, from += 1) {
      const alpha = data[from] ?? 0;
      if (alpha < MIN_ALPHA) continue;
      const cell = row + (x >> 3);
      shown[cell] = (shown[cell] ?? 0) + 1;
      if (alpha >= STRONG_ALPHA) strong[cell] = (strong[cell] ?? 0) + 1;
    }
  }
  const at = (x: number, y: number) => (y >> 3) * columns + (x >> 3);
  return { columns, rows, notWhite: shown, strong, at, masked: new Uint8Array(columns * rows) };
}

function markMasked(mask: Raster | undefined, cells: number, at: Grid['at']): Uint8Array {
  const masked = new Uint8Array(cells);
  if (mask === undefined) return masked;
  const { data, width, height } = mask;
  for (let y = 0, from = 0; y < height; y += 1) {
    const above = Math.max(0, y - MARGIN_PX);
    const below = Math.min(height - 1, y + MARGIN_PX);
    for (let x = 0; x < width; x += 1, from += 1) {
      if ((data[from] ?? 0) === 0) continue;
      const before = Math.max(0, x - MARGIN_PX);
      const after = Math.min(width - 1, x + MARGIN_PX);
      masked[at(before, above)] = masked[at(after, above)] = masked[at(before, below)] = masked[at(after, below)] = 1;
    }
  }
  return masked;
}

/** In a flipped picture the incomplete block comes first. */
const offsetOf = (length: number, isFlipped: boolean) => (isFlipped ? (CELL_PX - (length % CELL_PX)) % CELL_PX : 0);

/** A cell and its up to eight neighbours. */
export function listSurrounding({ columns, rows }: Pick<Grid, 'columns' | 'rows'>, cell: number): number[] {
  const x = cell % columns;
  const y = (cell - x) / columns;
  const found: number[] = [];
  for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row += 1) {
    for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column += 1) {
      found.push(row * columns + column);
    }
  }
  return found;
}

/** The up to four neighbours that share a side with a cell. */
export function listAdjacent({ columns, rows }: Pick<Grid, 'columns' | 'rows'>, cell: number): number[] {
  const x = cell % columns;
  const found = x > 0 ? [cell - 1] : [];
  if (x < columns - 1) found.push(cell + 1);
  if (cell >= columns) found.push(cell - columns);
  if (cell < columns * (rows - 1)) found.push(cell + columns);
  return found;
}

/** The connected regions of cells that are not 0. */
export function listIslands(
  cells: Uint8Array,
  grid: Pick<Grid, 'columns' | 'rows'>,
  listNeighbours: typeof listSurrounding = listSurrounding,
): number[][] {
  const isLand = cells.slice();
  const islands: number[][] = [];
  for (let start = 0; start < isLand.length; start += 1) {
    if (isLand[start] === 0) continue;
    const island = [start];
    isLand[start] = 0;
    for (let next = 0; next < island.length; next += 1) {
      for (const cell of listNeighbours(grid, island[next] ?? 0).filter((near) => isLand[near] !== 0)) {
        isLand[cell] = 0;
        island.push(cell);
      }
    }
    islands.push(island);
  }
  return islands;
}
