import { makePlane, type Plane, type Size } from './plane.ts';

/** Mean over a (2 radius + 1)² window, clipped at the borders. Running sums make its cost independent of the radius. */
export function boxBlur(plane: Plane, radius: number): Plane {
  return blurInto(plane, radius, makePlane(plane).data, makePlane(plane));
}

/** `plane` and `out` may be the same. */
function blurInto(plane: Plane, radius: number, turned: Float32Array, out: Plane): Plane {
  const { width, height } = plane;
  blurRowsTurned(plane.data, { width, height }, radius, turned);
  blurRowsTurned(turned, { width: height, height: width }, radius, out.data);
  return out;
}

/** Blurs the rows and writes them as columns: done twice, it blurs rows and columns and turns them back. */
function blurRowsTurned(from: Float32Array, { width, height }: Size, radius: number, to: Float32Array): void {
  for (let y = 0; y < height; y += 1) {
    const start = y * width;
    let sum = 0;
    let count = 0;
    for (let x = 0; x < Math.min(radius, width); x += 1) {
      sum += from[start + x]!;
      count += 1;
    }
    for (let x = 0; x < width; x += 1) {
      if (x + radius < width) {
        sum += from[start + x + radius]!;
        count += 1;
      }
      if (x - radius - 1 >= 0) {
        sum -= from[start + x - radius - 1]!;
        count -= 1;
      }
      to[x * height + y] = sum / count;
    }
  }
}

/** Approximates a Gaussian of this sigma (pixels) by three box blurs. */
export function softBlur(plane: Plane, sigma: number): Plane {
  const radius = Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  if (radius < 1) return { ...plane, data: plane.data.slice() };
  const [turned, out] = [makePlane(plane).data, makePlane(plane)];
  let blurred = plane;
  for (let pass = 0; pass < 3; pass += 1) blurred = blurInto(blurred, radius, turned, out);
  return blurred;
}
