import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fit, isZoomed, keep, moveBy, zoomTo, type View } from './view.ts';

const picture = { width: 2000, height: 1000 };
const frame = { width: 1000, height: 800 };
const middle = { x: 0, y: 0 };

test('a picture is fitted whole, and a small one is not enlarged', () => {
  expect(fit(picture, frame)).toEqual({ scale: 0.5, x: 0, y: 0 });
  expect(fit({ width: 300, height: 200 }, frame)).toEqual({ scale: 1, x: 0, y: 0 });
});

test('the place under the pointer stays under it', () => {
  const at = { x: 200, y: 50 };
  const before = fit(picture, frame);
  const after = zoomTo(before, 2, at, picture, frame);
  const placeOf = (view: View) => ({ x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale });
  expect(after.scale).toBe(2);
  expect(placeOf(after)).toEqual(placeOf(before));
});

test('it is never smaller than the whole nor larger than eight times', () => {
  const view = fit(picture, frame);
  expect(zoomTo(view, 0.01, middle, picture, frame)).toEqual(view);
  expect(zoomTo(view, 99, middle, picture, frame).scale).toBe(8);
  expect(isZoomed(view, picture, frame)).toBe(false);
  expect(isZoomed(zoomTo(view, 1, middle, picture, frame), picture, frame)).toBe(true);
});

test('a frame of another size keeps what is looked at, as far as it reaches', () => {
  const low = { width: 1000, height: 400 };
  expect(keep(null, picture, low)).toEqual(fit(picture, low));
  expect(keep({ scale: 1, x: 500, y: 100 }, picture, low)).toEqual({ scale: 1, x: 500, y: 100 });
  expect(keep({ scale: 1, x: 500, y: 100 }, picture, { width: 1800, height: 990 })).toEqual({ scale: 1, x: 100, y: 5 });
  expect(keep({ scale: 0.6, x: 0, y: 0 }, picture, { width: 1400, height: 800 })).toEqual({ scale: 0.7, x: 0, y: 0 });
});

test('however it is zoomed and moved, no gap opens beside a picture that fills its frame', () => {
  const number = fc.double({ min: -3000, max: 3000, noNaN: true });
  const size = fc.record({ width: fc.integer({ min: 1, max: 6000 }), height: fc.integer({ min: 1, max: 6000 }) });
  const steps = fc.array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), number, number), { maxLength: 8 });
  fc.assert(
    fc.property(size, size, steps, (one, window, all) => {
      const last = all.reduce(
        (view, [scale, x, y]) => moveBy(zoomTo(view, scale, { x: y, y: x }, one, window), { x, y }, one, window),
        fit(one, window),
      );
      for (const [side, offset] of [
        ['width', last.x],
        ['height', last.y],
      ] as const) {
        const over = Math.max(0, (one[side] * last.scale - window[side]) / 2);
        expect(Math.abs(offset)).toBeLessThanOrEqual(over + 1e-6);
      }
    }),
  );
});
