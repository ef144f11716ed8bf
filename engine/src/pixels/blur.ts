import { makePlane, type Plane } from './plane.ts';

/** Mean over a (2 radius + 1)² window, clipped at the borders. Running sums make its cost independent of the radius. */
export function boxBlur(plane: Plane, radius: number): Plane {
  return blurInto(plane, radius, makePlane(plane), makePlane(plane));
}

/** `plane` and `out` may be the same. */
function blurInto(plane: Plane, radius: number, rows: Plane, out: Plane): Plane {
  const { width, height } = plane;
  for (let y = 0; y < height; y += 1) blurRow(plane.data, rows.data, y * width, width, radius);
  blurColumns(rows, out.data, radius);
  return out;
}

function blurRow(from: Float32Array, to: Float32Array, start: number, length: number, radius: number): void {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < Math.min(radius, length); i += 1) {
    sum += from[start + i]!;
    count += 1;
  }
  for (let i = 0; i < length; i += 1) {
    if (i + radius < length) {
      sum += from[start + i + radius]!;
      count += 1;
    }
    if (i - radius - 1 >= 0) {
      sum -= from[start + i - radius - 1]!;
      count -= 1;
    }
    to[start + i] = sum / count;
  }
}

/** Processes all columns at once, row by row, so that memory is read sequentially. */
function blurColumns({ data, width, height }: Plane, to: Float32Array, radius: number): void {
  const sums = new Float64Array(width);
  let count = 0;
  const addRow = (y: number, sign: number) => {
    const at = y * width;
    for (let x = 0; x < width; x += 1) sums[x]! += sign * data[at + x]!;
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

/** Approximates a Gaussian of this sigma (pixels) by three box blurs. */
export function softBlur(plane: Plane, sigma: number): Plane {
  const radius = Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  if (radius < 1) return { ...plane, data: plane.data.slice() };
  const [rows, out] = [makePlane(plane), makePlane(plane)];
  let blurred = plane;
  for (let pass = 0; pass < 3; pass += 1) blurred = blurInto(blurred, radius, rows, out);
  return blurred;
}
