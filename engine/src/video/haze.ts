import type { Canvas } from './canvas.ts';
import type { Edges } from './subject.ts';

const WHITE = [235, 128, 128] as const;

/**
 * Lays something without an outline over a part of the frame: `density` 0..1 is asked on a grid of `step` pixels only
 * and drawn smoothly between. What lies under it goes to one colour, limited-range Y'CbCr.
 */
export function drawHaze(
  canvas: Canvas,
  box: Edges,
  step: number,
  density: (x: number, y: number) => number,
  [light, blue, red]: readonly [number, number, number] = WHITE,
): void {
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const right = Math.min(canvas.width, Math.ceil(box.right));
  const bottom = Math.min(canvas.height, Math.ceil(box.bottom));
  if (right <= left || bottom <= top) return;
  const columns = Math.ceil((right - left) / step) + 2;
  const rows = Math.ceil((bottom - top) / step) + 2;
  const grid = new Float32Array(columns * rows);
  for (let n = 0; n < grid.length; n += 1) {
    const value = density(left + (n % columns) * step, top + Math.floor(n / columns) * step);
    grid[n] = value < 0 ? 0 : value > 1 ? 1 : value;
  }
  const line = new Float32Array(columns);
  for (let y = top; y < bottom; y += 1) {
    const gy = (y - top) / step;
    const row = Math.floor(gy) * columns;
    for (let n = 0; n < columns; n += 1)
      line[n] = grid[row + n]! + (gy % 1) * (grid[row + columns + n]! - grid[row + n]!);
    for (let x = left; x < right; x += 1) {
      const n = ((x - left) / step) | 0;
      const share = line[n]! + ((x - left) / step - n) * (line[n + 1]! - line[n]!);
      if (share === 0) continue;
      const i = y * canvas.width + x;
      canvas.y[i] = canvas.y[i]! + share * (light - canvas.y[i]!);
      if ((x & 1) !== 0 || (y & 1) !== 0) continue;
      const j = (y >> 1) * (canvas.width >> 1) + (x >> 1);
      canvas.u[j] = canvas.u[j]! + share * (blue - canvas.u[j]!);
      canvas.v[j] = canvas.v[j]! + share * (red - canvas.v[j]!);
    }
  }
}
