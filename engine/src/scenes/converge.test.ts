import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { findConvergence } from './view.ts';

const UPLOAD = { width: 480, height: 640 };
const FOCAL = 0.85 * 640;
type Corner = readonly [number, number];

/** Of a box, its foot at 0: how the camera sees it from `degrees` above the horizon, turned by `yaw`, in its middle. */
function box(degrees: number, yaw: number, [w, h, d]: readonly [number, number, number], focal = FOCAL): Corner[] {
  const [pitch, turn] = [degrees, yaw].map((angle) => (angle * Math.PI) / 180) as [number, number];
  const distance = 3.2 * Math.max(w, h, d);
  return [-1, 1].flatMap((sx) =>
    [-1, 1].flatMap((sy) =>
      [-1, 1].map((sz): Corner => {
        const [x0, y, z0] = [(sx * w) / 2, (sy * h) / 2, (sz * d) / 2];
        const x = x0 * Math.cos(turn) - z0 * Math.sin(turn);
        const z = x0 * Math.sin(turn) + z0 * Math.cos(turn);
        const depth = distance + z * Math.cos(pitch) - y * Math.sin(pitch);
        const down = -(y * Math.cos(pitch) + z * Math.sin(pitch));
        return [UPLOAD.width / 2 + (focal * x) / depth, UPLOAD.height / 2 + (focal * down) / depth];
      }),
    ),
  );
}

/** What lies inside of the corners' hull. */
function fill(corners: readonly Corner[]) {
  const cross = (a: Corner, b: Corner, c: Corner) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const sides = corners.flatMap((a) =>
    corners.filter((b) => a !== b && corners.every((c) => cross(a, b, c) >= -1e-6)).map((b) => [a, b] as const),
  );
  return drawPlane(UPLOAD, (x, y) => (sides.every(([a, b]) => cross(a, b, [x, y]) >= 0) ? 1 : 0));
}

const lookAt = (isInside: (x: number, y: number) => boolean) =>
  findConvergence({ ...drawPlane(UPLOAD, (x, y) => Number(isInside(x - 240, y - 320))), top: 0 }, UPLOAD);
const see = (corners: Corner[]) => findConvergence({ ...fill(corners), top: 0 }, UPLOAD);

describe('how far the camera looks down on a box', () => {
  it.each([
    [20, 0],
    [30, 30],
    [40, 0],
    [40, 40],
    [50, 25],
    [55, 0],
  ])('is read at %i degrees, turned by %i', (degrees, yaw) => {
    expect(Math.abs(see(box(degrees, yaw, [1, 1.3, 0.8]))! - degrees)).toBeLessThan(8);
  });

  it('is read with another lens to within what a lens can change', () => {
    expect(Math.abs(see(box(45, 20, [1, 1.3, 0.8], 0.72 * 640))! - 45)).toBeLessThan(8);
  });

  it('is below the horizon where edges run together upwards', () => {
    expect(Math.abs(see(box(-35, 20, [1, 1.3, 0.8]))! + 35)).toBeLessThan(8);
  });

  it('does not depend on where the product was cropped', () => {
    const whole = fill(box(45, 20, [1, 1.3, 0.8]));
    const { width, height } = UPLOAD;
    const cropped = { width, height: height - 50, data: whole.data.slice(50 * width) };
    const degrees = findConvergence({ ...cropped, top: 50 }, UPLOAD);
    expect(degrees).toBe(see(box(45, 20, [1, 1.3, 0.8])));
  });

  it.each([
    ['a ball', (x: number, y: number) => Math.hypot(x, y) < 150],
    ['an egg', (x: number, y: number) => Math.hypot(x / 0.7, y + 0.1 * x) < 170],
    ['a box from the side', (x: number, y: number) => Math.abs(x) < 100 && Math.abs(y) < 160],
    ['a bag that is wider above', (x: number, y: number) => Math.abs(y) < 150 && Math.abs(x) < 130 - y / 4],
    [
      'a cup with a round rim',
      (x: number, y: number) =>
        (y > -120 && y < 150 && Math.abs(x) < 115 - y / 5) || Math.hypot(x, (y + 120) * 2.6) < 139,
    ],
    ['a bottle', (x: number, y: number) => Math.abs(x) < (y > -60 ? 70 : 20) && Math.abs(y) < 180],
    ['nothing', () => false],
  ])('is unknown for %s', (_, isInside) => {
    expect(lookAt(isInside)).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('is unknown for a lump without straight edges (%i)', (seed) => {
    const waves = [2, 3, 4, 5].map((n) => ({ n, phase: seed * n * 1.7, high: 0.16 / n }));
    const radius = (angle: number) =>
      150 * waves.reduce((sum, { n, phase, high }) => sum + high * Math.sin(n * angle + phase), 1);
    expect(lookAt((x, y) => Math.hypot(x, y) < radius(Math.atan2(y, x)))).toBeUndefined();
  });
});
