/** Small brushes for painted scenes: colours in linear light, shapes by distance, nothing random but the noise. */
import type { Light, Point } from './recipe.ts';

export const mix = (a: Light, b: Light, t: number): Light => {
  const share = t < 0 ? 0 : t > 1 ? 1 : t;
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
};
export const scale = (a: Light, by: number): Light => [a[0] * by, a[1] * by, a[2] * by];
export const add = (a: Light, b: Light, by = 1): Light => [a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by];
export const step = (from: number, to: number, value: number) => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
export const wave = (value: number) => 0.5 + 0.5 * Math.sin(value);
export const WHITE: Light = [1, 1, 1];

export const smooth = ({ main, x, z, noise }: Point, by: number): Light =>
  scale(main, by * (0.97 + 0.05 * noise.sum(x * 9, z * 4, 3)));

/** Round specks scattered by cells: which cell has one and where is hashed, so no lines show. */
export function specks({ noise }: Point, x: number, y: number, size: number): { inside: number; pick: number } {
  let inside = 0;
  let pick = 0;
  for (let cy = Math.floor(y) - 1; cy <= Math.floor(y) + 1; cy += 1) {
    for (let cx = Math.floor(x) - 1; cx <= Math.floor(x) + 1; cx += 1) {
      const which = noise.cell(cx, cy);
      const px = cx + 0.2 + 0.6 * noise.cell(cx + 31, cy);
      const py = cy + 0.2 + 0.6 * noise.cell(cx, cy + 17);
      const radius = size * (0.5 + which);
      const cover = step(radius, radius * 0.86, Math.hypot(x - px, y - py));
      if (cover <= inside) continue;
      inside = cover;
      pick = which;
    }
  }
  return { inside, pick };
}

/** 1 on a line round every whole number, 0 beside it; `width` is half the line's, in the same unit. */
export const lines = (value: number, width: number) => step(width, width * 0.6, Math.abs(value - Math.round(value)));

/** Detail that the eye, and the pixels, lose with distance: 1 at the stand, 0 far away. */
export const nearness = (z: number) => Math.min(1, 1.5 / z) ** 2;

/** Floor boards that run away from the viewer, `count` to a metre. */
export function boards({ x, z, noise }: Point, wood: Light, count = 9): Light {
  const board = Math.floor(x * count);
  const along = Math.log(z) * 2 + noise.cell(board, 5) * 9;
  const tone = 0.82 + 0.32 * noise.cell(board, 3);
  const fibre = 1 + 0.16 * nearness(z) * noise.sum(x * count * 7, along * 1.6, 3);
  const gap = 1 - 0.55 * nearness(z) * lines(x * count, 0.03);
  return scale(wood, tone * fibre * gap);
}

/** Lights far out of focus: round, a little brighter at the rim, each its own strength. */
export function bokeh(point: Point, x: number, y: number, size: number): number {
  const { inside, pick } = specks(point, x, y, size);
  return inside * (0.25 + 0.75 * pick);
}
