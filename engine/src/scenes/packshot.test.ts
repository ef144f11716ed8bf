import { expect, it } from 'vitest';
import { SHADOW_KINDS, shadeAlone } from './packshot.ts';

const FRAME = { width: 240, height: 240 };
const [LEFT, RIGHT, TOP, FOOT] = [80, 160, 60, 180];

/** A red box that stands in the middle. */
function makeBox() {
  const data = new Uint8Array(FRAME.width * FRAME.height * 3);
  const alpha = new Uint8Array(FRAME.width * FRAME.height);
  for (let y = TOP; y < FOOT; y += 1)
    for (let x = LEFT; x < RIGHT; x += 1) {
      data[(y * FRAME.width + x) * 3] = 200;
      alpha[y * FRAME.width + x] = 255;
    }
  return { shown: { ...FRAME, data }, alpha };
}

function shade(kind: (typeof SHADOW_KINDS)[number], azimuthDeg = 0) {
  const { shown, alpha } = makeBox();
  const out = shadeAlone(shown, alpha, kind, azimuthDeg);
  const at = (x: number, y: number) => [...out.subarray((y * FRAME.width + x) * 4, (y * FRAME.width + x) * 4 + 4)];
  const darkness = (from: number, to: number) => {
    let sum = 0;
    for (let y = 0; y < FRAME.height; y += 1) for (let x = from; x < to; x += 1) sum += at(x, y)[3] ?? 0;
    return sum;
  };
  return { out, at, darkness };
}

it.each(SHADOW_KINDS)('a %s lies at the foot, is the same each time and never at the edge of the frame', (kind) => {
  const { out, at } = shade(kind, 40);
  expect(at(120, FOOT + 2)[3]).toBeGreaterThan(20);
  for (let n = 0; n < FRAME.width; n += 1)
    for (const [x, y] of [
      [n, 0],
      [0, n],
      [n, FRAME.height - 1],
      [FRAME.width - 1, n],
    ] as const)
      expect(at(x, y)[3]).toBe(0);
  expect(shade(kind, 40).out).toEqual(out);
});

it('a soft shadow falls away from its light, and a contact falls nowhere', () => {
  const [fromRight, fromLeft] = [shade('soft', 90), shade('soft', 270)];
  expect(fromRight.darkness(0, LEFT)).toBeGreaterThan(3 * fromRight.darkness(RIGHT, FRAME.width));
  expect(fromLeft.darkness(RIGHT, FRAME.width)).toBeGreaterThan(3 * fromLeft.darkness(0, LEFT));
  expect(shade('contact', 90).out).toEqual(shade('contact', 270).out);
});

it('a reflection has the colours of the product, the weaker the deeper', () => {
  const { at } = shade('reflection');
  const [near, far] = [at(120, FOOT + 14), at(120, FOOT + 34)];
  expect((near[0] ?? 0) - (near[1] ?? 0)).toBeGreaterThan(10);
  expect(near[3]).toBeGreaterThan(far[3] ?? 0);
});

it('refuses a frame in which nothing stands', () => {
  expect(() =>
    shadeAlone(
      { ...FRAME, data: new Uint8Array(FRAME.width * FRAME.height * 3) },
      new Uint8Array(FRAME.width * FRAME.height),
      'soft',
      0,
    ),
  ).toThrow('nothing stands');
});
