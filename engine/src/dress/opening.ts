/** The neckline of a flat garment: where the inside of its back shows, which nobody sees when it is worn. */
import { toLabPlanes } from '../pixels/colour.ts';
import { close, countOnes, dilate, findRegions, open as openMask } from '../pixels/mask.ts';
import { makeMask, type Mask, type Point, type Rgb } from '../pixels/plane.ts';
import { fillPolygon } from '../pixels/shapes.ts';

export type Opening = {
  /** 1 where the inside shows. */
  mask: Mask;
  /** From the left end over the lowest place to the right end, at even steps across. */
  line: Point[];
  /** Whether it was seen in the picture; else it is a usual crew neck's. */
  isSeen: boolean;
  /** Chest widths that it reaches below the shoulders' neck ends. */
  depth: number;
};

type Place = { top: number; tall: number; chest: number; contour: Float32Array; shoulders: [Point, Point] };

const STEPS = 6; // of the line
const UNLIKE = 9; // Lab units from every colour of the cloth: the inside lies in shade, or is another cloth
const AREA = { least: 0.012, most: 0.7 }; // squares of the chest
const USUAL = { half: 0.19, depth: 0.12 }; // of the chest: a crew neck
const REACH = { across: 0.4, down: 0.9 }; // of the chest
const PALETTE = 160; // places at which the cloth's own colours are read

/** @param upright picture, shape and axis of the garment */
export function findOpening(upright: { picture: Rgb; mask: Mask; middle: number }, place: Place): Opening {
  const { mask, middle } = upright;
  const { chest, contour, top } = place;
  const inside = markInside(upright, place);
  const seen = inside && readLine(inside, middle, contour);
  if (inside && seen) {
    const low = Math.max(...seen.map(({ y }) => y));
    const high = (seen[0]!.y + seen.at(-1)!.y) / 2;
    const half = (seen.at(-1)!.x - seen[0]!.x) / 2;
    if (half > 0.1 * chest && half < 0.42 * chest) {
      return { mask: inside, line: seen, isSeen: true, depth: (low - high) / chest };
    }
  }
  const half = USUAL.half * chest;
  const ends = [middle - half, middle + half].map((x) => contour[Math.round(x)] ?? top);
  const edge = Math.max(top, (Math.max(top, ends[0]!) + Math.max(top, ends[1]!)) / 2);
  const dip = Math.max(0, (contour[Math.round(middle)] ?? edge) - edge);
  const depth = Math.max(USUAL.depth * chest, dip);
  const line = Array.from({ length: STEPS + 1 }, (_, n) => {
    const across = (2 * n) / STEPS - 1;
    return { x: middle + across * half, y: edge + depth * Math.sqrt(1 - across * across) };
  });
  const lid = [...line, { x: line.at(-1)!.x, y: top - 2 }, { x: line[0]!.x, y: top - 2 }];
  return { mask: fillPolygon(lid, mask), line, isSeen: false, depth: depth / chest };
}

/** What at the top of the middle has none of the cloth's own colours; nothing when there is no such piece. */
function markInside(
  { picture, mask, middle }: { picture: Rgb; mask: Mask; middle: number },
  place: Place,
): Mask | undefined {
  const { top, tall, chest, contour } = place;
  const { width } = mask;
  const { l, a, b } = toLabPlanes(picture);
  const palette = readPalette(mask, { middle, top, tall, chest });
  const isUnlike = (i: number) =>
    palette.every((k) => Math.hypot(0.8 * (l[i]! - l[k]!), a[i]! - a[k]!, b[i]! - b[k]!) > UNLIKE);
  const other = makeMask(mask);
  const bottom = Math.min(mask.height, Math.round(top + Math.min(REACH.down * chest, 0.75 * tall)));
  for (let y = top; y < bottom; y += 1) {
    for (let x = Math.round(middle - REACH.across * chest); x <= middle + REACH.across * chest; x += 1) {
      const i = y * width + x;
      if (x >= 0 && x < width && mask.data[i] && isUnlike(i)) other.data[i] = 1;
    }
  }
  const edge = contour[Math.round(middle)] ?? top;
  const near = (i: number) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return Math.abs(x - middle) < 0.16 * chest && y >= edge - 2 && y < edge + 0.12 * chest;
  };
  const pieces = findRegions(openMask(close(other, 0.015 * chest), 0.012 * chest)).filter(({ pixels }) =>
    pixels.some(near),
  );
  const [largest] = pieces.toSorted((one, two) => two.pixels.length - one.pixels.length);
  const area = (largest?.pixels.length ?? 0) / (chest * chest);
  if (!largest || area < AREA.least || area > AREA.most) return undefined;
  const out = makeMask(mask);
  for (const i of largest.pixels) out.data[i] = 1;
  // up to the upper edge: the collar at the back hides the inside's beginning
  const whole = close(out, 0.05 * chest);
  for (let x = 0; x < width; x += 1) {
    for (let y = Math.max(0, contour[x] ?? 0); y < bottom; y += 1) {
      if (!whole.data[y * width + x]) continue;
      for (let up = Math.max(0, contour[x] ?? 0); up < y; up += 1) whole.data[up * width + x] = 1;
      break;
    }
  }
  const grown = dilate(whole, 0.015 * chest);
  return countOnes(grown) > 0 ? grown : undefined;
}

/** Pixels spread over the lower body: what is worn outside. */
function readPalette(
  { data, width, height }: Mask,
  { middle, top, tall, chest }: { middle: number; top: number; tall: number; chest: number },
): number[] {
  const all: number[] = [];
  const to = Math.min(height, top + 0.95 * tall);
  for (let y = Math.round(top + 0.4 * tall); y < to; y += 2) {
    for (let x = Math.round(middle - 0.4 * chest); x < middle + 0.4 * chest; x += 2) {
      if (x >= 0 && x < width && data[y * width + x]) all.push(y * width + x);
    }
  }
  const step = Math.max(1, Math.floor(all.length / PALETTE));
  return all.filter((_, n) => n % step === 0);
}

/** The lower edge of the opening at even steps from end to end. */
function readLine({ data, width, height }: Mask, middle: number, contour: Float32Array): Point[] | undefined {
  const last = new Int32Array(width).fill(-1);
  for (let i = 0; i < width * height; i += 1) if (data[i]) last[i % width] = Math.floor(i / width);
  let from = Math.round(middle);
  let to = from;
  while (from > 0 && last[from - 1]! >= 0) from -= 1;
  while (to < width - 1 && last[to + 1]! >= 0) to += 1;
  if (to - from < STEPS) return undefined;
  return Array.from({ length: STEPS + 1 }, (_, n) => {
    const x = Math.round(from + (n * (to - from)) / STEPS);
    const y = n === 0 || n === STEPS ? Math.max(0, contour[x] ?? last[x]!) : last[x]!;
    return { x, y };
  });
}
