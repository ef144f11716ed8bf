import { softBlur } from '../pixels/blur.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Planes } from './yuv.ts';

/**
 * Fills the place of the product, where `holes` are above 0, from what surrounds it: each pixel asks left, right, up
 * and down for the rim and believes the near ones most, those beside it before those above and below.
 */
export function fillBackdrop({ y, u, v }: Planes, holes: Planes): Planes {
  return { y: fill(y, holes.y), u: fill(u, holes.u), v: fill(v, holes.v) };
}

const GRAIN_SIGMA = 3; // pixels; what is finer is left out
const UPRIGHT_DISTANCE = 1.6; // floors, tables and walls go on sideways more than up and down

function fill(plane: Plane, hole: Plane): Plane {
  const { width, height, data } = plane;
  const known = { ...hole, data: hole.data.map((value) => (value > 0 ? 0 : 1)) };
  const shares = softBlur(known, GRAIN_SIGMA).data;
  const seen = softBlur({ ...plane, data: data.map((value, i) => value * known.data[i]!) }, GRAIN_SIGMA).data;
  const sums = new Float32Array(data.length);
  const weights = new Float32Array(data.length);
  const walk = (start: number, step: number, count: number, stride: number) => {
    let rim = -1; // nothing known yet
    for (let n = 0, i = start; n < count; n += 1, i += step) {
      if (known.data[i]) rim = n;
      else if (rim >= 0) {
        const at = start + rim * step;
        const weight = 1 / (stride * (n - rim)) ** 2;
        sums[i]! += (weight * seen[at]!) / shares[at]!;
        weights[i]! += weight;
      }
    }
  };
  for (let y = 0; y < height; y += 1) {
    walk(y * width, 1, width, 1);
    walk(y * width + width - 1, -1, width, 1);
  }
  for (let x = 0; x < width; x += 1) {
    walk(x, width, height, UPRIGHT_DISTANCE);
    walk(x + (height - 1) * width, -width, height, UPRIGHT_DISTANCE);
  }
  return { ...plane, data: data.map((value, i) => (weights[i] === 0 ? value : sums[i]! / weights[i]!)) };
}
