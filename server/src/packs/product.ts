import { listSurrounding, listAdjacent, countCells, type Grid, listIslands } from './cells.ts';
import { type Box, findBox, type Raster } from './raster.ts';

export type Product = {
  /** 1 for every cell on the product or touching it. */
  cells: Uint8Array;
  box: Box;
  /** One channel: 255 on the product. */
  shown: Raster;
};

/** Least masked share of a region that the mask identifies correctly. */
const MOSTLY_MASKED = 0.5;
/** Of the long side: how far the product's pale soft edge may extend. Farther out it is a shadow. */
const EDGE_REACH = 0.015;
/** Least size, as a share of the picture, and least strong share of an object that the mask lacks. */
export const MIN_OBJECT_SHARE = 0.001;
const MOSTLY_STRONG = 0.3;
const MIN_ADDED_SHARE = 0.5;
// Of 255: JPEG artefacts of white beside an edge are lighter.
const VISIBLE_BELOW = 245;
const WHITE = 255;

/** Finds the product by its mask; on pure white also adds what touches it and other solid objects, but no shadows. */
export function findProduct(picture: Raster, mask: Raster | undefined, grid: Grid): Product | undefined {
  const cells = grid.masked.slice();
  const reach = reachOf(grid);
  const islands = listIslands(grid.notWhite, grid).filter((island) => !isCutOff(island, grid));
  const identified = new Set(islands.filter((island) => isMostlyMasked(island, grid)));
  // If the mask identifies none, the largest region is the product, however pale.
  const largest = identified.size === 0 ? findLargest(islands.filter((island) => isLarge(island, grid))) : undefined;
  const chosen = islands.filter((island) => identified.has(island) || island === largest || isObject(island, grid));
  addWhole(cells, chosen, grid, reach);
  for (const below of [VISIBLE_BELOW, WHITE]) {
    const shown = drawProduct(picture, mask, cells, grid, below);
    const box = findBox(shown);
    if (box !== undefined) return { cells, box, shown };
  }
  return undefined;
}

// Clearing may disconnect further stray regions.
const MAX_CLEARINGS = 8;

/** Whitens, in place, everything that `findProduct` would not take without a mask. @returns the remaining grid */
export function clearStray(drawn: Raster): Grid {
  for (let time = 0; time < MAX_CLEARINGS; time += 1) {
    const grid = countCells(drawn, undefined, { x: false, y: false });
    const isStray = findStray(grid);
    if (!isStray.includes(1)) return grid;
    whiten(drawn, isStray, grid);
  }
  return countCells(drawn, undefined, { x: false, y: false });
}

/** Of 255: a cell that is nowhere darker looks white. */
const PALE_FROM = 248;
/** Of the picture: a larger spot is a white part of the product and keeps its shading. */
const MAX_SHINE_SHARE = 0.01;

/** Whitens small highlights inside the product, in place: a mask that excludes them makes them look like holes. */
export function clearShine(drawn: Raster, grid: Grid): void {
  const isPale = findPale(drawn, grid);
  const isShine = new Uint8Array(isPale.length);
  for (const spot of listIslands(isPale, grid)) {
    if (spot.length / isPale.length > MAX_SHINE_SHARE) continue;
    const isInside = spot.every((cell) => listSurrounding(grid, cell).every((near) => (grid.notWhite[near] ?? 0) > 0));
    if (isInside) for (const cell of spot) isShine[cell] = 1;
  }
  if (isShine.includes(1)) whiten(drawn, isShine, grid);
}

/** 1 for every cell that looks white but is not pure white. */
function findPale({ data, width, height }: Raster, grid: Grid): Uint8Array {
  const isPale = grid.notWhite.map((pixels) => (pixels > 0 ? 1 : 0));
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      if (Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) < PALE_FROM) isPale[grid.at(x, y)] = 0;
    }
  }
  return isPale;
}

function whiten({ data, width, height }: Raster, isStray: Uint8Array, grid: Grid): void {
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) if (isStray[grid.at(x, y)] === 1) data.fill(255, at, at + 3);
  }
}

function findStray(grid: Grid): Uint8Array {
  // Slightly stricter, because the file is checked again after encoding.
  grid.strong.forEach((pixels, cell) => (grid.strong[cell] = pixels >= 2 ? pixels : 0));
  const cells = new Uint8Array(grid.notWhite.length);
  const islands = listIslands(grid.notWhite, grid);
  const largest = findLargest(islands);
  const chosen = islands.filter((island) => island === largest || isObject(island, grid));
  addWhole(cells, chosen, grid, reachOf(grid) - 1);
  return cells.map((one, cell) => (one === 0 && (grid.notWhite[cell] ?? 0) > 0 ? 1 : 0));
}

const reachOf = ({ columns, rows }: Grid) => Math.max(3, Math.round(Math.max(columns, rows) * EDGE_REACH));

/** True if it extends beyond the frame where the product does not, and so is background. */
function isCutOff(island: number[], grid: Grid): boolean {
  return island.some((cell) => isAtEdge(cell, grid) && grid.masked[cell] === 0);
}

function isMostlyMasked(island: number[], { masked }: Grid): boolean {
  return island.filter((cell) => masked[cell] === 1).length / island.length >= MOSTLY_MASKED;
}

/** True for a separate object, neither a spot nor a shadow. */
function isObject(island: number[], grid: Grid): boolean {
  const strong = island.filter((cell) => (grid.strong[cell] ?? 0) > 0).length;
  return isLarge(island, grid) && strong / island.length >= MOSTLY_STRONG;
}

const isLarge = (island: number[], { notWhite }: Grid) => island.length / notWhite.length >= MIN_OBJECT_SHARE;

const findLargest = (islands: number[][]) =>
  islands.reduce<number[]>((best, island) => (island.length > best.length ? island : best), []);

function isAtEdge(cell: number, { columns, rows }: Grid): boolean {
  const x = cell % columns;
  const y = (cell - x) / columns;
  return x === 0 || y === 0 || x === columns - 1 || y === rows - 1;
}

/** Adds a region's masked or strong cells, and those within `reach` cells of them. */
export function growInto(cells: Uint8Array, island: number[], grid: Grid, reach: number): void {
  let edge = island.filter((cell) => cells[cell] === 1 || (grid.strong[cell] ?? 0) > 0);
  for (const cell of edge) cells[cell] = 1;
  const isFree = new Uint8Array(cells.length);
  for (const cell of island) isFree[cell] = cells[cell] === 1 ? 0 : 1;
  for (let step = 0; step < reach && edge.length > 0; step += 1) {
    const grown: number[] = [];
    const add = (cell: number) => {
      if (isFree[cell] === 0) return;
      isFree[cell] = 0;
      cells[cell] = 1;
      grown.push(cell);
    };
    for (const cell of edge) listSurrounding(grid, cell).forEach(add);
    edge = grown;
  }
}

/** Adds regions and their insides; a whole one if less than half was added: a shadow is smaller than its object. */
function addWhole(cells: Uint8Array, islands: number[][], grid: Grid, reach: number): void {
  // All regions at once: they do not touch, and flooding works on the whole picture.
  const all = islands.flat();
  growInto(cells, all, grid, 0);
  fillHoles(cells, all, grid);
  growInto(cells, all, grid, reach);
  for (const island of islands) {
    const added = island.filter((cell) => cells[cell] === 1).length;
    if (added / island.length < MIN_ADDED_SHARE) for (const cell of island) cells[cell] = 1;
  }
}

/** Fills the pale inside of an outline, as of a white cup, unless the mask itself encloses it as a hole. */
function fillHoles(cells: Uint8Array, regionCells: number[], grid: Grid): void {
  const isFree = cells.map((one) => 1 - one);
  // Free cells that reach the frame's edge without crossing the product, not even diagonally.
  const outside = listIslands(isFree, grid, listAdjacent).filter((free) => free.some((cell) => isAtEdge(cell, grid)));
  const isInside = new Uint8Array(cells.length);
  for (const cell of regionCells) isInside[cell] = isFree[cell] ?? 0;
  for (const cell of outside.flat()) isInside[cell] = 0;
  for (const inside of listIslands(isInside, grid)) {
    const outline = new Set(inside.flatMap((cell) => listSurrounding(grid, cell)).filter((cell) => cells[cell] === 1));
    const masked = [...outline].filter((cell) => grid.masked[cell] === 1).length;
    if (masked / outline.size <= MOSTLY_MASKED) for (const cell of inside) cells[cell] = 1;
  }
}

/** The product per pixel: the mask, and pixels darker than `below` in the added cells. */
function drawProduct(picture: Raster, mask: Raster | undefined, cells: Uint8Array, grid: Grid, below: number): Raster {
  const { data, width, height, channels } = picture;
  const drawn = mask?.data.slice() ?? new Uint8Array(width * height);
  const isOpen = cells.map((one, cell) => (one === 0 || grid.masked[cell] === 1 ? 0 : 1));
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (drawn[at] !== 0 || isOpen[grid.at(x, y)] === 0) continue;
      const from = at * channels;
      if (Math.min(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0) < below) drawn[at] = 255;
    }
  }
  return { data: drawn, width, height, channels: 1 };
}

/** Counts background pixels, and those that are not pure white. */
export function countBackground({ width, height }: Raster, product: Product | undefined, grid: Grid) {
  const isBackground = (cell: number) => product?.cells[cell] !== 1;
  let pixels = 0;
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) if (isBackground(grid.at(x, y))) pixels += 1;
  const notWhite = grid.notWhite.reduce((sum, count, cell) => sum + (isBackground(cell) ? count : 0), 0);
  return { pixels, notWhite };
}
