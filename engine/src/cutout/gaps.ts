/**
 * Ground that is seen through small gaps, which the network takes along: through the ring of a strap, between a hand
 * and a hip. A gap has the colours of the ground just beyond what closes it, and an edge all around.
 */
import { boxBlur } from '../pixels/blur.ts';
import { measureApart } from '../pixels/colour.ts';
import { mapFloats } from '../pixels/map.ts';
import { countOnes, distanceInside, findRegions, invert, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, type Mask, type Plane, type Rgb, type Size } from '../pixels/plane.ts';

const MOST_ROUNDS = 5; // each finds gaps beside those of the one before
const BARE = 0.05; // cover of ground
const CLEAR = 2; // pixels: so far from the product ground is free of it
const CELL = 4; // pixels: the ground's colours are summed up on a lattice
const REACHES = [0.02, 0.055]; // of the longer side: the ground so far around is compared, the nearer if it is there
const LEAST_GROUND = 0.02; // of what lies within reach
const LIKE = 14; // of 255, distance in RGB from the ground's mean, and twice its spread more: what may be ground
const MOST_SPREAD = 15; // of 255, distance in RGB
const CORE = 2; // pixels: so far inside a gap no rim is mixed in
const LEAST_CORE = 25; // pixels
const MOST = 0.004; // of the product: what is larger is worse to open by mistake than to leave to a person
const HUE = 2.6; // of 255, distance in RGB of a gap's mean from the ground's, in equal light
const LIGHT = 0.07; // share by which a gap may be lighter or darker than the ground
const ROUGHER = 4; // of 255: so much more its colours may be spread
const RIM = 4; // pixels around a gap
const EDGE = 25; // of 255, distance in RGB from the gap's mean
const CLOSED = 0.72; // of the rim is an edge
const OPEN = 0.15; // of the rim may be ground; gaps that are wide open are found with the outline
const DARK = 25; // of 255: what is as dark has no colour left
const WHITE = 225; // of 255: a label may well be as white as the ground

/** Mean colour in RGB, and how far a colour is from it (root of the mean square). */
type Colours = { mean: number[]; spread: number };

/** The ground's colours around each cell of a lattice: three means, and how far spread; NONE where none is nearby. */
type Ground = { cellOf: Int32Array; means: Float32Array[]; spreads: Float32Array };

const NONE = -1;

/**
 * 1 in the gaps of `cover`, unless somebody wants to keep what is in them. What is seen through one is the ground of
 * the next, as in a basket. All of one size.
 */
export function findGaps(picture: Rgb, cover: Plane, kept?: Mask): Mask {
  const gaps = makeMask(cover);
  let before = cover;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = findNearGround(picture, before, kept);
    if (!found.data.includes(1)) break;
    for (let i = 0; i < gaps.data.length; i += 1) gaps.data[i]! |= found.data[i]!;
    before = { ...cover, data: mapFloats(cover.data, (value, i) => (gaps.data[i] ? 0 : value)) };
  }
  return gaps;
}

function findNearGround(picture: Rgb, cover: Plane, kept?: Mask): Mask {
  const gaps = makeMask(cover);
  const ground = describeGround(picture, cover);
  const like = findLikeGround(picture, cover, ground);
  const depth = distanceInside(like);
  const most = MOST * countOnes(threshold(cover, 0.5));
  for (const { pixels } of findRegions(like)) {
    if (pixels.length < LEAST_CORE || pixels.length > most || pixels.some((i) => kept?.data[i])) continue;
    const core = pixels.filter((i) => depth.data[i]! > CORE);
    if (core.length < LEAST_CORE) continue;
    const inside = describe(picture, core);
    if (!isGround(inside, describeBehind(ground, core))) continue;
    if (isClosed(picture, cover, inside, listRim(pixels, depth))) for (const i of pixels) gaps.data[i] = 1;
  }
  return gaps;
}

function describeGround({ data: rgb }: Rgb, cover: Plane): Ground {
  const { width, height } = cover;
  const clear = distanceInside(invert(threshold(cover, BARE))).data;
  const size = { width: Math.ceil(width / CELL), height: Math.ceil(height / CELL) };
  const sums = Array.from({ length: 5 }, () => makePlane(size)); // of three channels, of their squares, of pixels
  const [red, green, blue, squares, count] = sums.map(({ data }) => data);
  const cellOf = mapToCells(cover, size);
  for (let i = 0; i < clear.length; i += 1) {
    if (clear[i]! <= CLEAR) continue;
    const cell = cellOf[i]!;
    const r = rgb[i * 3]!;
    const g = rgb[i * 3 + 1]!;
    const b = rgb[i * 3 + 2]!;
    red![cell]! += r;
    green![cell]! += g;
    blue![cell]! += b;
    squares![cell]! += r * r + g * g + b * b;
    count![cell]! += 1;
  }
  const means = [0, 1, 2].map(() => makePlane(size).data);
  const spreads = makePlane(size).data.fill(NONE);
  for (const reach of REACHES) {
    const radius = Math.round((reach * Math.max(width, height)) / CELL);
    const nearby = sums.map((sum) => boxBlur(sum, radius).data);
    for (let i = 0; i < spreads.length; i += 1) {
      const pixels = nearby[4]![i]!;
      if (spreads[i] !== NONE || pixels < LEAST_GROUND * CELL * CELL) continue;
      let variance = nearby[3]![i]! / pixels;
      for (let c = 0; c < 3; c += 1) {
        const mean = nearby[c]![i]! / pixels;
        means[c]![i] = mean;
        variance -= mean * mean;
      }
      spreads[i] = Math.sqrt(Math.max(0, variance));
    }
  }
  return { cellOf, means, spreads };
}

/** The lattice cell of every pixel. */
function mapToCells({ width, height }: Size, cells: Size): Int32Array {
  const out = new Int32Array(width * height);
  for (let y = 0, i = 0; y < height; y += 1) {
    const row = Math.floor(y / CELL) * cells.width;
    for (let x = 0; x < width; x += 1, i += 1) out[i] = row + Math.floor(x / CELL);
  }
  return out;
}

/** The product's pixels that may as well be ground. */
function findLikeGround({ data: rgb }: Rgb, cover: Plane, ground: Ground): Mask {
  const like = makeMask(cover);
  const [red, green, blue] = ground.means;
  for (let i = 0; i < like.data.length; i += 1) {
    if (cover.data[i]! <= 0.5) continue;
    const cell = ground.cellOf[i]!;
    const spread = ground.spreads[cell]!;
    const away = measureApart(rgb, i, red![cell]!, green![cell]!, blue![cell]!);
    if (spread !== NONE && away < LIKE + 2 * Math.min(MOST_SPREAD, spread)) like.data[i] = 1;
  }
  return like;
}

/** The ground's colours on average over some pixels, all of which have ground nearby. */
function describeBehind({ cellOf, means, spreads }: Ground, pixels: Int32Array): Colours {
  const average = (values: Float32Array) => pixels.reduce((sum, i) => sum + values[cellOf[i]!]!, 0) / pixels.length;
  return { mean: means.map(average), spread: average(spreads) };
}

/** Whether colours are the ground's, in a little more light or less. */
function isGround({ mean, spread }: Colours, ground: Colours): boolean {
  const light = dot(mean, ground.mean) / dot(ground.mean, ground.mean);
  const brightness = dot(ground.mean, [1, 1, 1]) / 3;
  return (
    brightness > DARK &&
    brightness < WHITE &&
    Math.abs(light - 1) <= LIGHT &&
    Math.hypot(...mean.map((value, c) => value - light * ground.mean[c]!)) <= HUE &&
    spread <= ground.spread + ROUGHER
  );
}

function isClosed({ data: rgb }: Rgb, { data: cover }: Plane, inside: Colours, rim: number[]): boolean {
  const [red, green, blue] = inside.mean;
  const edge = rim.filter((i) => measureApart(rgb, i, red!, green!, blue!) > EDGE);
  const open = rim.filter((i) => cover[i]! <= 0.5);
  return edge.length >= CLOSED * rim.length && open.length <= OPEN * rim.length;
}

/** What lies within RIM around a region. `depth`: in the region, of pixels. */
function listRim(pixels: Int32Array, { data: depth, width, height }: Plane): number[] {
  const rim = new Set<number>();
  for (const i of pixels) {
    if (depth[i]! > 1) continue;
    const x = i % width;
    const y = (i - x) / width;
    for (let row = Math.max(0, y - RIM); row <= Math.min(height - 1, y + RIM); row += 1) {
      const half = Math.floor(Math.sqrt(RIM * RIM - (row - y) ** 2));
      for (let column = Math.max(0, x - half); column <= Math.min(width - 1, x + half); column += 1)
        rim.add(row * width + column);
    }
  }
  for (const i of pixels) rim.delete(i);
  return [...rim];
}

function describe({ data: rgb }: Rgb, pixels: Int32Array): Colours {
  const average = (read: (i: number) => number) => pixels.reduce((sum, i) => sum + read(i), 0) / pixels.length;
  const mean = [0, 1, 2].map((c) => average((i) => rgb[i * 3 + c]!));
  const squares = average((i) => rgb[i * 3]! ** 2 + rgb[i * 3 + 1]! ** 2 + rgb[i * 3 + 2]! ** 2);
  return { mean, spread: Math.sqrt(Math.max(0, squares - dot(mean, mean))) };
}

const dot = (one: number[], other: number[]) => one.reduce((sum, value, c) => sum + value * other[c]!, 0);
