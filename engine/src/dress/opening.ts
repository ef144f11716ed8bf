/** Finds the neckline of a flat garment. Above it are the inside of the back, label and hanger, invisible when worn. */
import { toLabPlanes } from '../pixels/colour.ts';
import { bulge } from '../pixels/hull.ts';
import { type Mask, type Point, type Rgb } from '../pixels/plane.ts';
import {
  countOnes,
  dilate,
  drawRegions,
  fillPolygon,
  findRegions,
  keepWhere,
  open as openMask,
  quantile,
} from '../pixels/mask.ts';
import { spanRow } from './rows.ts';

export type Opening = {
  /** 1 where the inside is visible. */
  mask: Mask;
  /** From the left end over the lowest point to the right end, at even horizontal steps. */
  line: Point[];
  /** True if it was detected; else it is a default crew neck. */
  isDetected: boolean;
  /** Depth below the neck ends of the shoulders, in chest widths. */
  depth: number;
};

type Place = { top: number; tall: number; chest: number; contour: Float32Array };

const STEPS = 12; // points of the line
const UNLIKE = 9; // Lab units from every colour of the cloth: the inside is in shade or another fabric
const BACK = { across: 0.1, down: 0.05, like: 3 }; // of the chest around the collar's centre, and Lab units
const DEFAULT_NECK = { half: 0.19, depth: 0.12 }; // of the chest: a default crew neck
const LABEL = { width: 0.05, down: 0.2 }; // of the chest: least width of a label, and how far it may deepen that neck
const REACH = { across: 0.4, down: 0.9 }; // of the chest: search area
const MAX_GAP = 0.06; // of the chest: largest gap between label, hanger and lining
const MIN_AREA = 0.008; // of the squared chest width: least area
const SPECK = 0.007; // of the chest: smaller parts are seams
const FRONT = 0.12; // of the chest: zips, plackets, trims and buttons are narrower than an open front
const TIP = 0.25; // of the chest: length of the narrow tip of a V-neck
const PALETTE = 160; // samples of the cloth's own colours
const SHOULDERS = { down: 0.15, aside: 0.3 }; // of the chest: no inside is visible there
const RARE = 0.04; // of the palette: rare colours are seams and prints
const BESIDE = 0.2; // of the chest from the centre: nearer, an open front may show the inside

/** Finds the opening. @param upright picture, shape and axis of the garment */
export function findOpening(upright: { picture: Rgb; mask: Mask; middle: number }, place: Place): Opening {
  const { mask, middle } = upright;
  const { chest, contour, top } = place;
  const half = DEFAULT_NECK.half * chest;
  const edgeAt = (x: number) => Math.max(top, contour[Math.round(x)] ?? top);
  const fallbackEdge = (edgeAt(middle - half) + edgeAt(middle + half)) / 2;
  const drawDefault = (dip: number) =>
    sampleAcross(middle - half, middle + half, (x) => {
      return fallbackEdge + dip * Math.sqrt(Math.max(0, 1 - ((x - middle) / half) ** 2));
    });
  const dip = Math.max(DEFAULT_NECK.depth * chest, edgeAt(middle) - fallbackEdge);
  const fallback = drawDefault(dip);
  const inside = markInside(upright, place, closeLid(fallback, mask));
  const isLarge = countOnes(inside) > MIN_AREA * chest * chest;
  const detected = isLarge
    ? traceHull(removeFront(inside, closeLid(fallback, mask), chest), fallback, edgeAt)
    : undefined;
  const label = Math.min(LABEL.down * chest, lastRow(inside, LABEL.width * chest) + 1 - fallbackEdge);
  const line = detected ?? drawDefault(Math.max(dip, label));
  const depth = (Math.max(...line.map(({ y }) => y)) - (line[0]!.y + line.at(-1)!.y) / 2) / chest;
  return { mask: closeLid(line, mask), line, isDetected: detected !== undefined, depth };
}

function sampleAcross(from: number, to: number, read: (x: number) => number): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, n) => {
    const x = from + (n * (to - from)) / STEPS;
    return { x, y: read(x) };
  });
}

/** The area above the line, up to the edge of the picture. */
function closeLid(line: Point[], mask: Mask): Mask {
  return fillPolygon([...line, { x: line.at(-1)!.x, y: -1 }, { x: line[0]!.x, y: -1 }], mask);
}

/** The region without the cloth's own colours that is connected to the default neck. */
function markInside(
  { picture, mask, middle }: { picture: Rgb; mask: Mask; middle: number },
  place: Place,
  fallback: Mask,
): Mask {
  const { top, tall, chest } = place;
  const { width } = mask;
  const { l, a, b } = toLabPlanes(picture);
  const rows = { shoulders: top + SHOULDERS.down * chest, lower: top + 0.4 * tall, hem: top + 0.95 * tall };
  const beside = (share: number) => ({ middle, aside: share * chest, reach: 0.4 * chest });
  const lower = readPalette(mask, { from: rows.lower, to: rows.hem, ...beside(BESIDE) });
  const upper = readPalette(mask, { from: rows.shoulders, to: rows.lower, ...beside(SHOULDERS.aside) });
  const outside = [...lower, ...upper];
  const distance = (i: number, one: number, red: number, yellow: number) =>
    Math.hypot(0.8 * (l[i]! - one), a[i]! - red, b[i]! - yellow);
  const back = keepWhere(mask, (i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (
      Math.abs(x - middle) < BACK.across * chest &&
      y < (place.contour[x] ?? top) + BACK.down * chest &&
      y > (place.contour[x] ?? top)
    );
  }).data;
  const [light, red, yellow] = [l, a, b].map((plane) => quantile(plane, back, 0.5)) as [number, number, number];
  const bottom = top + Math.min(REACH.down * chest, 0.75 * tall);
  const other = keepWhere(mask, (i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (y < top || y > bottom || Math.abs(x - middle) > REACH.across * chest) return false;
    const isUnlike = (k: number, min: number) => distance(i, l[k]!, a[k]!, b[k]!) > min;
    if (lower.every((k) => isUnlike(k, UNLIKE))) return true;
    const like = distance(i, light, red, yellow);
    return like < BACK.like && outside.filter((k) => !isUnlike(k, like + BACK.like)).length < RARE * outside.length;
  });
  const pieces = openMask(other, SPECK * chest);
  const near = dilate({ ...pieces, data: pieces.data.map((on, i) => on | fallback.data[i]!) }, (MAX_GAP / 2) * chest);
  const atNeck = findRegions(near).filter((pixels) => pixels.some((i) => fallback.data[i]));
  const reached = drawRegions(mask, atNeck).data;
  return keepWhere(pieces, (i) => reached[i] === 1);
}

/** Removes a narrow continuation down a closed front. */
function removeFront(inside: Mask, fallback: Mask, chest: number): Mask {
  const neck = Math.max(lastRow(inside, FRONT * chest), lastRow(fallback, 1));
  if (lastRow(inside, 1) - neck <= TIP * chest) return inside;
  return keepWhere(inside, (i) => i < (neck + 1) * inside.width);
}

/** The last row of at least this width; 0 if there is none. */
function lastRow(mask: Mask, min: number): number {
  let y = mask.height - 1;
  while (y > 0 && spanRow(mask, y).width < min) y -= 1;
  return y;
}

type Region = { middle: number; from: number; to: number; aside: number; reach: number };

/** Samples pixels of some rows on both sides of the axis: the outside of the cloth. */
function readPalette({ data, width, height }: Mask, { middle, from, to, aside, reach }: Region): number[] {
  const all: number[] = [];
  for (let y = Math.round(from); y < Math.min(height, to); y += 2) {
    for (let x = Math.round(Math.max(0, middle - reach)); x < Math.min(width, middle + reach); x += 2) {
      if (Math.abs(x - middle) >= aside && data[y * width + x]) all.push(y * width + x);
    }
  }
  const step = Math.max(1, Math.floor(all.length / PALETTE));
  return all.filter((_, n) => n % step === 0);
}

/** The lower convex hull of the inside between the neck's ends, or its own ends if it is wider. */
function traceHull({ data, width }: Mask, fallback: Point[], edgeAt: (x: number) => number): Point[] | undefined {
  const lowest = new Float32Array(width);
  for (let i = 0; i < data.length; i += 1) if (data[i]) lowest[i % width] = Math.floor(i / width) + 1;
  const from = Math.floor(Math.min(fallback[0]!.x, lowest.findIndex(Boolean)));
  const to = Math.ceil(Math.max(fallback.at(-1)!.x, lowest.findLastIndex(Boolean)));
  const string = lowest.slice(from, to + 1);
  string[0] = edgeAt(from);
  string[to - from] = edgeAt(to);
  const isFlat = string.every((y) => y <= Math.max(string[0]!, string.at(-1)!));
  bulge(string, 1);
  return isFlat ? undefined : sampleAcross(from, to, (x) => string[Math.round(x - from)]!);
}
