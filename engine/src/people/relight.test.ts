import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { matchLight, type LogLight } from './relight.ts';

const SIZE = { width: 90, height: 110 };
const FACE_WIDTH = 70;
const face = drawPlane(SIZE, (x, y) => (Math.hypot((x - 45) / 35, (y - 55) / 45) < 1 ? 1 : 0));

const light = (...values: ((x: number, y: number) => number)[]) =>
  [0, 1, 2].map((c) => drawPlane(SIZE, values[c] ?? values[0]!).data) as LogLight;
const flat = light(() => -1);
const match = (user: LogLight, portrait: LogLight, skin: Plane = face) =>
  matchLight(user, portrait, skin, skin, FACE_WIDTH);
const at = (plane: Float32Array, x: number, y: number) => plane[y * SIZE.width + x]!;

describe('matched light', () => {
  it('is nothing between two faces in one light', () => {
    for (const plane of match(flat, flat)) expect(plane.every((value) => Math.abs(value) < 1e-4)).toBe(true);
  });

  it('is the step between two tones, each channel its own, all over the crop', () => {
    const lift = match(
      flat,
      light(
        () => -0.5,
        () => -1.4,
        () => -1,
      ),
    );
    for (const [c, step] of [0.5, -0.4, 0].entries()) {
      expect(lift[c]!.every((value) => Math.abs(value - step) < 1e-3)).toBe(true);
    }
  });

  it('follows a lamp at the side, and no single freckle', () => {
    const lamp = match(
      flat,
      light((x) => -1 + 0.006 * (x - 45)),
    )[1];
    expect(at(lamp, 70, 55) - at(lamp, 20, 55)).toBeGreaterThan(0.15);
    const freckle = match(
      light((x, y) => (Math.hypot(x - 45, y - 55) < 2 ? -2 : -1)),
      flat,
    )[1];
    expect(Math.abs(at(freckle, 45, 55))).toBeLessThan(0.15);
  });

  it('lets no hard shadow turn into a glow', () => {
    const lift = match(
      light((x) => (x < 45 ? -4 : -1)),
      flat,
    )[1];
    const values = [...lift.filter((_, i) => face.data[i])].sort((one, other) => one - other);
    expect(values.at(-1)! - values[values.length >> 1]!).toBeLessThan(0.46);
  });

  it('looks at skin alone', () => {
    const hair = drawPlane(SIZE, (x, y) => (y < 40 ? 0 : face.data[y * SIZE.width + x]!));
    const lift = match(
      light((_, y) => (y < 40 ? -5 : -1)),
      light(() => -0.7),
      hair,
    )[1];
    expect(at(lift, 45, 70)).toBeCloseTo(0.3, 2);
    expect(at(lift, 45, 10)).toBeCloseTo(0.3, 1);
  });

  it('is nothing where there is no skin, and a number for the smallest face', () => {
    for (const plane of match(flat, flat, makePlane(SIZE))) expect(plane.every((value) => value === 0)).toBe(true);
    const lift = matchLight(flat, flat, face, face, 1);
    for (const plane of lift) expect(plane.every(Number.isFinite)).toBe(true);
  });
});
