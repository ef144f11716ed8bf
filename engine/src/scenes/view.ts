/** From where a photo looks at its product, told by the rims of vessels, the edges of boxes and the ground around. */
import type { Cutout } from '../cutout/cut-out.ts';
import { findBox, findRegions } from '../pixels/mask.ts';
import { makeMask, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import type { Plate } from './plates.ts';

/** The product's cover, and how many rows of the photo lie above it. */
export type Placed = Plane & { top: number };

const FROM_ABOVE_DEG = 38; // beyond it a set seen from the side looks wrong under the product
const PLATEAU = 0.04; // of the height: over so many rows the sides of a vessel grow no more
const GROWTH = 1.015;
const AGREEMENT = 1.6;
const DOME = 0.92; // sine of 67 degrees: deeper arcs are a dome's, since from so far above a rim hides the sides
const STRAIGHT_SIDES = 1.15; // times both arcs: an egg is all arcs and tells nothing
const ROUND = 0.12; // how far the arc may differ from an ellipse

const FOCAL = 0.85; // of the photo's longer side: between a phone's wide lens (.72) and its double one (1.4)
const TOLERANCE = 0.005; // of the product's height: so far from a line its edge may lie
const SHORTEST = 0.25; // of the height: a circle's longest piece within the tolerance is .2
const STEEPEST = 0.65; // pixels to the side a row: beyond it an edge is not upright
const STOPS = 32; // rows between which lines are tried
const LID_STRAIGHT = 0.02; // of the width
const FLATTEST = 0.3; // of a box's width: the least depth that its lid is believed to have
const LEAST_LID = 0.06; // of the height

/** How the photo, of the size `upload`, looks at the product; from the side where nothing tells. */
export function findView(product: Placed, upload: Size): Plate['view'] {
  return (findTilt(product) ?? findConvergence(product, upload) ?? 0) > FROM_ABOVE_DEG ? 'above' : 'eye';
}

const CELLS = 32; // a side of the photo
const CELL = 8; // pixels of the look
const BAND = 9; // rows of cells above, and as many below, that are compared
const FEWEST = 24; // free cells of a band
const TEXTURE = 2.2; // levels: a wall, paper or a sweep has less, a floor or a cloth more
const LIKE = { light: 48, colour: 20, texture: 2 }; // levels; factor: lamps make one side of a floor brighter
const SYMMETRY = 0.82; // of the outline with its mirror image: garments are spread out evenly
const NARROWEST = 0.5; // of its height: what is narrower may stand up

/** How a thing lies: on a ground of one texture that goes on all round it, and whether it is flat, as a garment is. */
export type Lying = { lies: boolean; isFlat: boolean };

/** Pixels a side of the look that tells how a thing lies; the photo's shape does not matter. */
export const LOOK_SIDE = CELLS * CELL;

/** @param photo as it was taken, squeezed to a square of `LOOK_SIDE` */
export function findLying(photo: Rgb, cutout: Pick<Cutout, 'width' | 'height' | 'alpha'>): Lying {
  const [above, below] = readBands(photo, cutout);
  const lies = above !== undefined && below !== undefined && isOneGround(above, below);
  return { lies, isFlat: lies && isSpreadOut(cutout) };
}

/** Medians over the free cells of a band. */
type Band = { light: number; red: number; blue: number; texture: number };

function readBands({ data: rgb }: Rgb, { width, height, alpha }: Pick<Cutout, 'width' | 'height' | 'alpha'>) {
  const cells = Array.from({ length: CELLS * CELLS }, (_, n): Band | undefined => {
    const sums = { red: 0, blue: 0, light: 0, squares: 0 };
    for (let i = 0; i < CELL * CELL; i += 1) {
      const x = (n % CELLS) * CELL + (i % CELL);
      const y = Math.floor(n / CELLS) * CELL + Math.floor(i / CELL);
      const [column, row] = [Math.floor(((x + 0.5) * width) / LOOK_SIDE), Math.floor(((y + 0.5) * height) / LOOK_SIDE)];
      if (alpha[row * width + column]! > CELL) return undefined;
      const at = y * LOOK_SIDE + x;
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
    if (free.length < FEWEST) return undefined;
    return { light: median('light'), red: median('red'), blue: median('blue'), texture: median('texture') };
  });
}

function isOneGround(above: Band, below: Band): boolean {
  const [least, most] = [above.texture, below.texture].sort((a, b) => a - b) as [number, number];
  const isTextured = least >= TEXTURE && most <= LIKE.texture * least;
  const colour = Math.hypot(above.red - below.red, above.blue - below.blue);
  return isTextured && Math.abs(above.light - below.light) <= LIKE.light && colour <= LIKE.colour;
}

/** One piece, as wide as a garment is, the same on both sides. */
function isSpreadOut({ width, height, alpha }: Pick<Cutout, 'width' | 'height' | 'alpha'>): boolean {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / LOOK_SIDE));
  const look = makeMask({ width: Math.floor(width / step), height: Math.floor(height / step) });
  for (let i = 0; i < look.data.length; i += 1) {
    const x = i % look.width;
    look.data[i] = alpha[((i - x) / look.width) * step * width + x * step]! > 127 ? 1 : 0;
  }
  const regions = findRegions(look).sort((a, b) => b.pixels.length - a.pixels.length);
  const [main, second] = regions;
  if (!main || (second && second.pixels.length > 0.1 * main.pixels.length)) return false;
  const box = findBox(look, 0);
  if (!box) return false;
  const own = new Set(main.pixels);
  const turned = 2 * box.left + box.width - 1;
  const both = main.pixels.filter((i) => own.has(i + turned - 2 * (i % look.width))).length;
  return box.width >= NARROWEST * box.height && both / (2 * main.pixels.length - both) >= SYMMETRY;
}

/**
 * Degrees by which the camera looks down on an upright round vessel: its rim and its base are circles and are seen as
 * ellipses, whose axes are as 1 to sin(tilt). Undefined for everything that does not end in two such arcs with straight
 * sides between them.
 */
export function findTilt(alpha: Plane): number | undefined {
  const { lefts, rights } = readOutline(alpha);
  const widths = rights.map((right, row) => right - lefts[row]!);
  const top = findArc(widths);
  const bottom = findArc(widths.toReversed());
  if (!top || !bottom) return undefined;
  const deepest = Math.max(top.sine, bottom.sine);
  if (deepest > DOME || deepest > AGREEMENT * Math.min(top.sine, bottom.sine)) return undefined;
  if (widths.length < STRAIGHT_SIDES * (top.depth + bottom.depth)) return undefined;
  const sine = (top.sine + bottom.sine) / 2;
  return (Math.asin(Math.min(1, sine)) * 180) / Math.PI;
}

/** Half an ellipse at the end of a silhouette: how deep it is in rows, and its depth against its half width. */
function findArc(widths: number[]): { depth: number; sine: number } | undefined {
  const reach = Math.max(2, Math.round(PLATEAU * widths.length));
  const end = widths.findIndex((width, row) => (widths[row + reach] ?? 0) <= GROWTH * width);
  const half = (widths[end] ?? 0) / 2;
  if (end <= 0 || half < 4) return undefined;
  const depthAt = (share: number) => widths.findIndex((width) => width >= 2 * share * half);
  const depth = 2 * (depthAt(Math.sqrt(0.75)) + 0.5); // where the ellipse is 0.87 wide it is half as deep
  const isRound = Math.abs((depthAt(0.6) + 0.5) / depth - 0.2) < ROUND;
  return isRound && depth >= 3 ? { depth, sine: depth / half } : undefined;
}

type Line = {
  /** First and last row that lie on it. */
  from: number;
  to: number;
  at: (row: number) => number;
};

/**
 * Degrees by which the camera looks down (or up, below 0); undefined where no two straight sides run together below a
 * lid (or above a floor) with straight edges, which tells a box from a bucket. `upload` is the whole photo's size.
 */
export function findConvergence(product: Placed, upload: Size): number | undefined {
  const { lefts, rights, first } = readOutline(product);
  const above = product.top + first;
  const down = measure({ lefts, rights }, above, upload);
  if (down !== undefined) return down;
  const below = upload.height - above - lefts.length;
  const up = measure({ lefts: lefts.toReversed(), rights: rights.toReversed() }, below, upload);
  return up === undefined ? undefined : -up;
}

type Outline = { lefts: number[]; rights: number[] };

/** `above`: rows of the photo above the outline's first. */
function measure({ lefts, rights }: Outline, above: number, upload: Size): number | undefined {
  const [one, other] = [findSide(lefts), findSide(rights)];
  if (!one || !other || Math.min(one.to, other.to) <= Math.max(one.from, other.from)) return undefined;
  const widthAt = (row: number) => other.at(row) - one.at(row);
  const middle = upload.height / 2 - above;
  const narrowing = widthAt(middle) - widthAt(middle + 1);
  if (narrowing <= 0) return undefined;
  const focal = FOCAL * Math.max(upload.width, upload.height);
  const pitch = Math.atan((focal * narrowing) / widthAt(middle));
  const lid = Math.max(one.from, other.from);
  const width = widthAt(lid);
  if (lid < LEAST_LID * lefts.length || lid < FLATTEST * width * Math.sin(pitch)) return undefined;
  const isStraight = isChord(lefts, one.from, width) && isChord(rights, other.from, width);
  return isStraight ? (pitch * 180) / Math.PI : undefined;
}

/** Whether the edge runs straight from its first row to `end`. */
function isChord(edge: readonly number[], end: number, width: number): boolean {
  const slope = (edge[end]! - edge[0]!) / Math.max(1, end);
  return edge.slice(0, end).every((x, row) => Math.abs(x - edge[0]! - slope * row) <= LID_STRAIGHT * width);
}

/** The longest straight, upright piece of an edge. */
function findSide(edge: readonly number[]): Line | undefined {
  const tolerance = Math.max(1, TOLERANCE * edge.length);
  const stops = Array.from({ length: STOPS }, (_, n) => Math.round((n * (edge.length - 1)) / (STOPS - 1)));
  let best: Line | undefined;
  for (const [n, one] of stops.entries()) {
    for (const other of stops.slice(n + 2)) {
      const slope = (edge[other]! - edge[one]!) / (other - one);
      if (Math.abs(slope) > STEEPEST) continue;
      const at = (row: number) => edge[one]! + slope * (row - one);
      const lies = (row: number) => row >= 0 && row < edge.length && Math.abs(edge[row]! - at(row)) <= tolerance;
      let [from, to] = [one, one];
      while (lies(from - 1)) from -= 1;
      while (lies(to + 1)) to += 1;
      if (to >= other && to - from > (best ? best.to - best.from : SHORTEST * edge.length)) best = { from, to, at };
    }
  }
  return best;
}

/** The first covered column and the one behind the last, of each row that shows something; `first` is the first row. */
export function readOutline({ data, width, height }: Plane): Outline & { first: number } {
  const [lefts, rights]: [number[], number[]] = [[], []];
  let first = 0;
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width, (y + 1) * width);
    const left = row.findIndex((value) => value > 0.5);
    if (left < 0) continue;
    if (lefts.length === 0) first = y;
    lefts.push(left);
    rights.push(row.findLastIndex((value) => value > 0.5) + 1);
  }
  return { lefts, rights, first };
}
