/**
 * Connected regions, distances, polygons and shape operations on masks. Radii and distances are in pixels. The loops
 * are written out: a function that all of them would call for every pixel takes five times as long.
 */
import { makeMask, makePlane, type Box, type Mask, type Plane, type Point, type Size } from './plane.ts';

/**
 * Flood-fills from the seeds over 4-connected pixels; `belongs` gets a pixel and the one it is reached from (for a seed
 * itself). Returns them in order of discovery, marks them in `visited`, and skips pixels that are marked there.
 */
export function flood(
  { width, height }: Size,
  seeds: Iterable<number>,
  belongs: (at: number, from: number) => boolean,
  visited: Uint8Array = new Uint8Array(width * height),
): number[] {
  const reached: number[] = [];
  const visit = (at: number, from: number) => {
    if (visited[at] || !belongs(at, from)) return;
    visited[at] = 1;
    reached.push(at);
  };
  for (const seed of seeds) visit(seed, seed);
  for (let head = 0; head < reached.length; head += 1) {
    const at = reached[head]!;
    const x = at % width;
    if (x > 0) visit(at - 1, at);
    if (x < width - 1) visit(at + 1, at);
    if (at >= width) visit(at - width, at);
    if (at < (height - 1) * width) visit(at + width, at);
  }
  return reached;
}

/** The pixels of each 4-connected region, regions ordered by their first pixel. */
export function findRegions(mask: Mask): number[][] {
  const visited = new Uint8Array(mask.data.length);
  const isMarked = (at: number) => mask.data[at] === 1;
  const regions: number[][] = [];
  for (let start = 0; start < visited.length; start += 1) {
    if (isMarked(start) && !visited[start]) regions.push(flood(mask, [start], isMarked, visited));
  }
  return regions;
}

/** A mask of all pixels of these regions. */
export function drawRegions(size: Size, regions: readonly number[][]): Mask {
  const out = makeMask(size);
  for (const pixels of regions) for (const i of pixels) out.data[i] = 1;
  return out;
}

/** The pixels of the outermost rows and columns. */
export function listBorder({ width, height }: Size): number[] {
  const border: number[] = [];
  for (let x = 0; x < width; x += 1) border.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y += 1) border.push(y * width, y * width + width - 1);
  return border;
}

/**
 * Distance of every pixel to the nearest pixel outside the mask, 0 outside; beyond the picture does not count as
 * outside. Chamfer 3-4 (Borgefors 1986): at most 8 % off the Euclidean distance.
 */
export function distanceInside(mask: Mask): Plane {
  const { data, width, height } = mask;
  const wide = width + 2; // a padding of distant pixels saves bounds checks
  const field = new Int32Array(wide * (height + 2)).fill(FAR);
  const out = makePlane(mask);
  for (let y = 0, k = 0; y < height; y += 1) {
    for (let i = (y + 1) * wide + 1, end = i + width; i < end; i += 1, k += 1)
      field[i] = data[k] ? stepFrom(field, i - 1, i - wide) : 0;
  }
  for (let y = height - 1, k = data.length - 1; y >= 0; y -= 1) {
    for (let i = (y + 1) * wide + width, end = i - width; i > end; i -= 1, k -= 1) {
      if (data[k]) field[i] = Math.min(field[i]!, stepFrom(field, i + 1, i + wide));
      out.data[k] = field[i]! / 3;
    }
  }
  return out;
}

const FAR = 1_000_000;

/** The least distance via the neighbour `beside` and the three around `across`, in thirds of a pixel. */
function stepFrom(field: Int32Array, beside: number, across: number): number {
  let min = FAR;
  if (field[beside]! + 3 < min) min = field[beside]! + 3;
  if (field[across]! + 3 < min) min = field[across]! + 3;
  if (field[across - 1]! + 4 < min) min = field[across - 1]! + 4;
  if (field[across + 1]! + 4 < min) min = field[across + 1]! + 4;
  return min;
}

/** Keeps the regions with more than this share of the largest region's pixels. */
export function keepLargeParts(mask: Mask, share: number): Mask {
  const parts = findRegions(mask);
  const largest = parts.reduce((size, pixels) => Math.max(size, pixels.length), 0);
  const large = parts.filter((pixels) => pixels.length > share * largest);
  return drawRegions(mask, large);
}

/** Keeps the largest region; of equal ones the first. */
export function keepLargest(mask: Mask): Mask {
  const [largest = []] = findRegions(mask).sort((one, other) => other.length - one.length);
  return drawRegions(mask, [largest]);
}

export function invert(mask: Mask): Mask {
  const out = makeMask(mask);
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = mask.data[i] ? 0 : 1;
  return out;
}

/** Removes pixels within `radius` of the outside. */
export function erode(mask: Mask, radius: number): Mask {
  return threshold(distanceInside(mask), radius);
}

/** Adds pixels within `radius` of the mask. */
export function dilate(mask: Mask, radius: number): Mask {
  return invert(erode(invert(mask), radius));
}

/** Removes parts thinner than twice the radius. */
export function open(mask: Mask, radius: number): Mask {
  return dilate(erode(mask, radius), radius);
}

/** Fills gaps narrower than twice the radius. */
export function close(mask: Mask, radius: number): Mask {
  return erode(dilate(mask, radius), radius);
}

export function countOnes({ data }: Mask): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 1) count += data[i]!; // many times as fast as the iterator
  return count;
}

/** Marks values greater than `level`. */
export function threshold(plane: Plane, level: number): Mask {
  const out = makeMask(plane);
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = plane.data[i]! > level ? 1 : 0;
  return out;
}

/** Keeps the marked pixels for which the predicate is true. */
export function keepWhere(mask: Mask, isKept: (i: number) => boolean): Mask {
  const out = makeMask(mask);
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = mask.data[i] && isKept(i) ? 1 : 0;
  return out;
}

/** Intersection over union of two masks of one size, 0..1; 1 for two empty masks. */
export function overlap(one: Mask, other: Mask): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < one.data.length; i += 1) {
    both += one.data[i]! & other.data[i]!;
    either += one.data[i]! | other.data[i]!;
  }
  return either === 0 ? 1 : both / either;
}

/** Fills holes. */
export function fillHoles(mask: Mask): Mask {
  const outside = makeMask(mask);
  flood(mask, listBorder(mask), (at) => mask.data[at] === 0, outside.data);
  return invert(outside);
}

/** The bounding box of values of at least `min` with margin, clipped to the picture; undefined if there are none. */
export function findBox({ data, width, height }: Mask, margin: number, min = 1): Box | undefined {
  let [first, last, left, right] = [-1, 0, width, 0];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let start = row;
    while (start < row + width && data[start]! < min) start += 1;
    if (start === row + width) continue;
    let end = row + width - 1;
    while (data[end]! < min) end -= 1;
    if (first < 0) first = y;
    last = y;
    left = Math.min(left, start - row);
    right = Math.max(right, end - row);
  }
  if (first < 0) return undefined;
  left = Math.max(0, Math.floor(left - margin));
  right = Math.min(width, Math.ceil(right + margin + 1));
  const top = Math.max(0, Math.floor(first - margin));
  const bottom = Math.min(height, Math.ceil(last + margin + 1));
  return { left, top, width: right - left, height: bottom - top };
}

/** The first row of the mask between two rows for every column, or the last one (`fromBelow`); -1 if there is none. */
export function findContour(
  { data, width }: Mask,
  { top, bottom }: { top: number; bottom: number },
  fromBelow = false,
): Float32Array {
  return new Float32Array(width).map((_, x) => {
    for (let n = 0; n <= bottom - top; n += 1) {
      const y = fromBelow ? bottom - n : top + n;
      if (data[y * width + x]) return y;
    }
    return -1;
  });
}

const AROUND = 0.05; // of the long side of the marked pixels

/** The bounding box of the marked pixels with a margin of AROUND. */
export function findBoxAround(mask: Mask): Box | undefined {
  const box = findBox(mask, 0);
  return box && findBox(mask, AROUND * Math.max(box.width, box.height));
}

/** The quantile of a plane's marked values at this share; 0 if none is marked. */
export function quantile(plane: Float32Array, mask: ArrayLike<number>, share: number): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[Math.floor(share * (values.length - 1))] ?? 0;
}

/** Marks pixels whose centre lies inside the polygon (even-odd rule). */
export function fillPolygon(points: readonly Point[], size: Size): Mask {
  const mask = makeMask(size);
  const { width, height } = size;
  for (let y = 0; y < height; y += 1) {
    const crossings = crossRow(points, y);
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const first = Math.max(0, Math.ceil(crossings[n]!));
      const last = Math.min(width - 1, Math.floor(crossings[n + 1]!));
      if (last >= first) mask.data.fill(1, y * width + first, y * width + last + 1);
    }
  }
  return mask;
}

function crossRow(points: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  for (const [n, from] of points.entries()) {
    const to = points[(n + 1) % points.length]!;
    if (from.y > y === to.y > y) continue;
    crossings.push(from.x + ((y - from.y) * (to.x - from.x)) / (to.y - from.y));
  }
  return crossings.sort((one, other) => one - other);
}
