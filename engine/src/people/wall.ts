import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { softBlur } from '../pixels/planes.ts';
import { fillGaps } from './fill-gaps.ts';

/**
 * Lab distance of every pixel from the wall as it is known round about.
 * @param wall 1 where a pixel surely is wall
 * @param shade Lab lightness that a shadow may take from the wall without counting
 */
export function measureUnlikeWall(picture: Picture, wall: Uint8Array, shade = 0): Float32Array {
  const { width, height } = picture;
  const lab = toLabPlanes(picture);
  const known = Float32Array.from(wall);
  const share = softBlur(known, width, height, WALL_BLUR);
  const sure = share.map((value) => Math.min(1, value * 4));
  const planes = [lab.l, lab.a, lab.b].map((plane) => {
    const sums = softBlur(
      plane.map((value, i) => value * known[i]!),
      width,
      height,
      WALL_BLUR,
    );
    const means = sums.map((sum, i) => sum / Math.max(1e-6, share[i]!));
    return fillGaps(means, sure, width, height);
  });
  const [l, a, b] = planes as [Float32Array, Float32Array, Float32Array];
  return lab.l.map((light, i) => {
    const step = light - l[i]!;
    const lighting = step < 0 ? Math.min(0, step + shade) : step;
    return Math.hypot(lighting, lab.a[i]! - a[i]!, lab.b[i]! - b[i]!);
  });
}

const WALL_BLUR = 12; // pixels at the working size
