import { softBlur } from './blur.ts';
import type { Mask, Point } from './plane.ts';
import { readPoint } from './sample.ts';

const SMOOTH = 3; // pixels of sigma: prevents neighbours outside from jumping along the mask's edge

/** Maps a point to itself inside the mask, else to a nearby set pixel. The mask must not be empty. */
export function nearestInside({ data, width, height }: Mask): (x: number, y: number) => Point {
  const at = new Int32Array(data.length).fill(-1);
  const away = (i: number, from: number) =>
    ((i % width) - (from % width)) ** 2 + (Math.floor(i / width) - Math.floor(from / width)) ** 2;
  const take = (i: number, next: number) => {
    const from = at[next]!;
    if (from >= 0 && (at[i]! < 0 || away(i, from) < away(i, at[i]!))) at[i] = from;
  };
  for (let i = 0; i < data.length; i += 1) {
    if (data[i]) at[i] = i;
    if (i % width > 0) take(i, i - 1);
    if (i >= width) take(i, i - width);
    if (i >= width && i % width < width - 1) take(i, i - width + 1);
  }
  for (let i = data.length - 1; i >= 0; i -= 1) {
    if (i % width < width - 1) take(i, i + 1);
    if (i + width < data.length) take(i, i + width);
    if (i + width < data.length && i % width > 0) take(i, i + width - 1);
  }
  const awayFrom = (of: (i: number) => number) =>
    softBlur({ width, height, data: Float32Array.from(at, (from, i) => of(from) - of(i)) }, SMOOTH);
  const across = awayFrom((i) => i % width);
  const down = awayFrom((i) => Math.floor(i / width));
  return (px, py) => {
    const [x, y] = [Math.min(width - 1, Math.max(0, px)), Math.min(height - 1, Math.max(0, py))];
    if (data[Math.round(y) * width + Math.round(x)]) return { x, y };
    return { x: x + readPoint(across, x, y), y: y + readPoint(down, x, y) };
  };
}
