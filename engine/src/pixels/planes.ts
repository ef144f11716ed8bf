// Loops over single-channel float pictures ("planes"), row by row, width * height numbers.

/** Mean over a (2r+1)² window, the window cut at the borders. Two running sums, so the radius costs nothing. */
export function boxBlur(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(plane.length);
  for (let y = 0; y < height; y += 1) blurLine(plane, rows, y * width, 1, width, radius);
  const out = new Float32Array(plane.length);
  blurColumns(rows, out, width, height, radius);
  return out;
}

function blurLine(
  from: Float32Array,
  to: Float32Array,
  start: number,
  step: number,
  length: number,
  radius: number,
): void {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < Math.min(radius, length); i += 1) {
    sum += from[start + i * step]!;
    count += 1;
  }
  for (let i = 0; i < length; i += 1) {
    if (i + radius < length) {
      sum += from[start + (i + radius) * step]!;
      count += 1;
    }
    if (i - radius - 1 >= 0) {
      sum -= from[start + (i - radius - 1) * step]!;
      count -= 1;
    }
    to[start + i * step] = sum / count;
  }
}

/** All columns at once, row after row: memory is walked in order. */
function blurColumns(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const sums = new Float64Array(width);
  let count = 0;
  const addRow = (y: number, sign: number) => {
    const at = y * width;
    for (let x = 0; x < width; x += 1) sums[x]! += sign * from[at + x]!;
    count += sign;
  };
  for (let y = 0; y < Math.min(radius, height); y += 1) addRow(y, 1);
  for (let y = 0; y < height; y += 1) {
    if (y + radius < height) addRow(y + radius, 1);
    if (y - radius - 1 >= 0) addRow(y - radius - 1, -1);
    const at = y * width;
    for (let x = 0; x < width; x += 1) to[at + x] = sums[x]! / count;
  }
}

/** Near enough to a Gaussian of this sigma: three box passes. */
export function softBlur(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const radius = Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  if (radius < 1) return plane.slice();
  let out = plane;
  for (let pass = 0; pass < 3; pass += 1) out = boxBlur(out, width, height, radius);
  return out;
}

/** Bilinear, pixel centres aligned. */
export function resizePlane(
  plane: Float32Array,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Float32Array {
  if (width === toWidth && height === toHeight) return plane.slice();
  const out = new Float32Array(toWidth * toHeight);
  const columns = spread(width, toWidth);
  const rows = spread(height, toHeight);
  for (let y = 0; y < toHeight; y += 1) {
    const top = rows.first[y]! * width;
    const bottom = rows.second[y]! * width;
    const fy = rows.weight[y]!;
    for (let x = 0; x < toWidth; x += 1) {
      const left = columns.first[x]!;
      const right = columns.second[x]!;
      const fx = columns.weight[x]!;
      const upper = plane[top + left]! * (1 - fx) + plane[top + right]! * fx;
      const lower = plane[bottom + left]! * (1 - fx) + plane[bottom + right]! * fx;
      out[y * toWidth + x] = upper * (1 - fy) + lower * fy;
    }
  }
  return out;
}

export interface Spread {
  first: Int32Array;
  second: Int32Array;
  weight: Float32Array;
}

/** For every target position along one axis: its two source neighbours and the share of the second. */
export function spread(from: number, to: number): Spread {
  const first = new Int32Array(to);
  const second = new Int32Array(to);
  const weight = new Float32Array(to);
  for (let i = 0; i < to; i += 1) {
    const at = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    first[i] = Math.floor(at);
    second[i] = Math.min(from - 1, first[i]! + 1);
    weight[i] = at - first[i]!;
  }
  return { first, second, weight };
}
