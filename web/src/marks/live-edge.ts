import type { Brush, Size } from './marks.ts';

/**
 * A photo with the cut-out that was made of it, small enough to be painted on at once. `colours` are its smoothed RGBA
 * bytes, `alpha` is what of it belongs to the product, 0 to 255.
 */
export type Painting = Size & { colours: Uint8ClampedArray; alpha: Uint8ClampedArray };
/** Pixels; `right` and `bottom` are the first ones outside. */
export type Area = { left: number; top: number; right: number; bottom: number };

/** This part of the brush's radius is taken whatever its colour: the person pointed at it. */
const CORE = 0.45;
/** How far a colour may be from the core's (in RGB, 0 to 441) to be wholly taken, at least and at most. */
const LEAST_TOLERANCE = 16;
const MOST_TOLERANCE = 60;
/** From the tolerance up to this multiple of it a pixel is taken less and less. */
const SOFTNESS = 1.7;
/** A pixel of which less is taken stops the growing. */
const REACHED = 0.1;
/** Of the brush's area: an enclosed spot up to this size is no edge. */
const SPECK = 0.03;
const NEVER = -1;

/**
 * One touch of a brush. What is connected with its core and coloured like it is taken, as far as the brush reaches, so
 * that a brush which sticks out over the product's edge stops there. The engine finds the exact edge later.
 * @returns what changed, or null when the brush lies beside the picture
 */
export function paintDab(painting: Painting, brush: Brush, x: number, y: number, radius: number): Area | null {
  const area = areaAround(painting, x, y, radius);
  if (area === null) return null;
  const core = Math.max(1.2, radius * CORE);
  const [red, green, blue, spread] = describeColours(painting, areaAround(painting, x, y, core), x, y, core);
  const tolerance = Math.min(MOST_TOLERANCE, LEAST_TOLERANCE + 2 * spread);
  const likeness = (at: number): number => {
    const { colours } = painting;
    const far = length(colours[at * 4]! - red, colours[at * 4 + 1]! - green, colours[at * 4 + 2]! - blue);
    return 1 - smoothStep(tolerance, tolerance * SOFTNESS, far);
  };
  const shares = shareOut(painting.width, area, x, y, radius, core, likeness);
  fillSpecks(shares, area.right - area.left, Math.PI * radius * radius * SPECK);
  take(painting, area, brush, shares);
  return area;
}

/** How much of each pixel of the area is taken, 0 to 1: what is reached from the core through pixels that are. */
function shareOut(
  width: number,
  area: Area,
  x: number,
  y: number,
  radius: number,
  core: number,
  likeness: (at: number) => number,
): Float32Array {
  const columns = area.right - area.left;
  const shares = new Float32Array(columns * (area.bottom - area.top)).fill(NEVER);
  for (let place = 0; place < shares.length; place += 1) {
    const [column, row] = [area.left + (place % columns), area.top + Math.floor(place / columns)];
    if (length(column + 0.5 - x, row + 0.5 - y) <= radius + 0.5) shares[place] = 0;
  }
  const startColumn = Math.min(area.right - 1, Math.max(area.left, Math.floor(x))) - area.left;
  const startRow = Math.min(area.bottom - 1, Math.max(area.top, Math.floor(y))) - area.top;
  grow(new Uint8Array(shares.length), columns, startRow * columns + startColumn, (place) => {
    if (shares[place] === NEVER) return false;
    const [column, row] = [area.left + (place % columns), area.top + Math.floor(place / columns)];
    const away = length(column + 0.5 - x, row + 0.5 - y);
    shares[place] = away <= core ? 1 : likeness(row * width + column) * Math.min(1, radius + 0.5 - away);
    return shares[place] > REACHED;
  });
  return shares;
}

function fillSpecks(shares: Float32Array, columns: number, most: number): void {
  const seen = new Uint8Array(shares.length);
  for (let start = 0; start < shares.length; start += 1) {
    if (seen[start] !== 0 || shares[start] === NEVER || shares[start]! > REACHED) continue;
    const spot: number[] = [];
    let isEnclosed = true;
    grow(seen, columns, start, (place) => {
      if (shares[place] === NEVER) isEnclosed = false;
      if (shares[place] === NEVER || shares[place]! > REACHED) return false;
      spot.push(place);
      return true;
    });
    if (isEnclosed && spot.length <= most) for (const place of spot) shares[place] = 1;
  }
}

function areaAround({ width, height }: Size, x: number, y: number, radius: number): Area | null {
  const left = Math.max(0, Math.floor(x - radius));
  const top = Math.max(0, Math.floor(y - radius));
  const right = Math.min(width, Math.ceil(x + radius) + 1);
  const bottom = Math.min(height, Math.ceil(y + radius) + 1);
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}

function describeColours(
  { colours, width }: Painting,
  area: Area | null,
  x: number,
  y: number,
  core: number,
): [red: number, green: number, blue: number, spread: number] {
  const sums = [0, 0, 0, 0];
  let count = 0;
  if (area === null) return [0, 0, 0, 0];
  for (let row = area.top; row < area.bottom; row += 1) {
    for (let column = area.left; column < area.right; column += 1) {
      if (length(column + 0.5 - x, row + 0.5 - y) > core) continue;
      count += 1;
      for (let channel = 0; channel < 3; channel += 1) {
        const value = colours[(row * width + column) * 4 + channel]!;
        sums[channel]! += value;
        sums[3]! += value * value;
      }
    }
  }
  if (count === 0) return [0, 0, 0, 0];
  const [red, green, blue] = sums.map((sum) => sum / count) as [number, number, number, number];
  const variance = sums[3]! / count - red * red - green * green - blue * blue;
  return [red, green, blue, Math.sqrt(Math.max(0, variance))];
}

/**
 * Visits a place and, as long as `visit` says yes, its four neighbours in the rows of `columns`. Where it said yes is
 * noted in `seen` and not visited again.
 */
function grow(seen: Uint8Array, columns: number, start: number, visit: (place: number) => boolean): void {
  const waiting = [start];
  const offer = (place: number) => {
    if (seen[place] === 0) waiting.push(place);
  };
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen[place] !== 0 || !visit(place)) continue;
    seen[place] = 1;
    const inRow = place % columns;
    if (inRow > 0) offer(place - 1);
    if (inRow < columns - 1) offer(place + 1);
    if (place >= columns) offer(place - columns);
    if (place + columns < seen.length) offer(place + columns);
  }
}

function take({ alpha, width }: Painting, area: Area, brush: Brush, shares: Float32Array): void {
  let place = 0;
  for (let row = area.top; row < area.bottom; row += 1) {
    for (let at = row * width + area.left; at < row * width + area.right; at += 1, place += 1) {
      const share = Math.max(0, shares[place]!);
      if (brush === 'keep') alpha[at] = Math.max(alpha[at]!, Math.round(share * 255));
      else alpha[at] = Math.min(alpha[at]!, Math.round((1 - share) * 255));
    }
  }
}

/** What `Math.hypot` says, many times as fast. */
function length(one: number, other: number, third = 0): number {
  return Math.sqrt(one * one + other * other + third * third);
}

function smoothStep(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** The mean of each 3 x 3 pixels, so that noise does not stop a region from growing. RGBA in, RGBA out. */
export function smoothColours(rgba: Uint8ClampedArray, { width, height }: Size): Uint8ClampedArray {
  const across = meanOfThree(rgba, width, height, 1, width);
  return meanOfThree(across, height, width, width, 1);
}

/** The mean of each pixel and its two neighbours along a line of `length` pixels, `step` apart; lines `next` apart. */
function meanOfThree(
  rgba: Uint8ClampedArray,
  length: number,
  lines: number,
  step: number,
  next: number,
): Uint8ClampedArray {
  const mean = new Uint8ClampedArray(rgba.length);
  for (let at = 0; at < length * lines * 4; at += 4) {
    const inLine = Math.floor(at / 4 / lines);
    const here = ((at / 4) % lines) * next * 4 + inLine * step * 4;
    const before = inLine > 0 ? here - step * 4 : here;
    const after = inLine < length - 1 ? here + step * 4 : here;
    for (let channel = 0; channel < 4; channel += 1) {
      mean[here + channel] = (rgba[before + channel]! + rgba[here + channel]! + rgba[after + channel]!) / 3;
    }
  }
  return mean;
}

export function joinAreas(one: Area | null, other: Area | null): Area | null {
  if (one === null || other === null) return one ?? other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
