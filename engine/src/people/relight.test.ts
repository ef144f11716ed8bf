import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane } from '../../test/draw.ts';
import { makeMask } from '../pixels/plane.ts';
import { matchLight, type LogLight } from './relight.ts';

const SIZE = { width: 90, height: 110 };
const FACE_WIDTH = 70;
const face = drawMask(SIZE, (x, y) => Math.hypot((x - 45) / 35, (y - 55) / 45) < 1);

const light = (...values: ((x: number, y: number) => number)[]) =>
  [0, 1, 2].map((c) => drawPlane(SIZE, values[c] ?? values[0]!).data) as LogLight;
const flat = light(() => -1);
const match = (user: LogLight, portrait: LogLight, skin = face) => matchLight(user, portrait, skin, skin, FACE_WIDTH);
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
    const hair = drawMask(SIZE, (x, y) => y >= 40 && face.data[y * SIZE.width + x] === 1);
    const lift = match(
      light((_, y) => (y < 40 ? -5 : -1)),
      light(() => -0.7),
      hair,
    )[1];
    expect(at(lift, 45, 70)).toBeCloseTo(0.3, 2);
    expect(at(lift, 45, 10)).toBeCloseTo(0.3, 1);
  });

  it('is nothing where there is no skin, and a number for the smallest face', () => {
    for (const plane of match(flat, flat, makeMask(SIZE))) expect(plane.every((value) => value === 0)).toBe(true);
    const lift = matchLight(flat, flat, face, face, 1);
    for (const plane of lift) expect(plane.every(Number.isFinite)).toBe(true);
  });

  it('of a brighter portrait is as much brighter, everywhere', () => {
    const portrait = light((x, y) => -1 + 0.004 * x - 0.002 * y);
    const brighter = portrait.map((plane) => plane.map((value) => value + 0.3)) as LogLight;
    const [own, more] = [match(flat, portrait), match(flat, brighter)];
    for (const [c, plane] of own.entries()) {
      expect(plane.every((value, i) => Math.abs(more[c]![i]! - value - 0.3) < 1e-3)).toBe(true);
    }
  });

  it('there and back is nothing, where light runs smoothly', () => {
    const lamp = light((x) => -1 + 0.003 * (x - 45));
    const [there, back] = [match(flat, lamp)[1], match(lamp, flat)[1]];
    expect(there.every((value, i) => !face.data[i] || Math.abs(value + back[i]!) < 0.02)).toBe(true);
  });

  it('treats every channel by itself', () => {
    const steps = [0.4, -0.2, 0.1];
    const portrait = light(...steps.map((step) => (x: number) => -1 + step + 0.002 * x));
    const own = match(flat, portrait);
    const turned = match(flat, [portrait[2], portrait[0], portrait[1]]);
    for (const [c, from] of [2, 0, 1].entries()) {
      expect(turned[c]!.every((value, i) => value === own[from]![i])).toBe(true);
    }
  });

  it('leaves both lights as they were', () => {
    const [user, portrait] = [light((x) => -x / 90), light((_, y) => -y / 110)];
    const before = [...user, ...portrait].map((plane) => plane.slice());
    match(user, portrait);
    for (const [n, plane] of [...user, ...portrait].entries())
      expect(plane.every((v, i) => v === before[n]![i])).toBe(true);
  });
});
