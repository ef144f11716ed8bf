import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cornerOf, fit, fittingScale, hold, isZoomed, moveBy, zoomTo, type Space, type View } from './pan-zoom.ts';

const picture = { width: 2000, height: 1000 };
const frame = { width: 1000, height: 800 };
const space: Space = { picture, frame, margin: 0, minScale: fittingScale(picture, frame), maxScale: 8 };
const withMargin: Space = { ...space, margin: 24, minScale: fittingScale(picture, frame, 24) };
const middle = { x: 0, y: 0 };

test('a picture is fitted whole in the middle, with its margin', () => {
  expect(fit(space)).toEqual({ scale: 0.5, x: 0, y: 0 });
  expect(cornerOf(fit(space), space)).toEqual({ x: 0, y: 150 });
  expect(cornerOf(fit(withMargin), withMargin).x).toBeCloseTo(24);
});

test('the place under the pointer stays under it', () => {
  const at = { x: 200, y: 50 };
  const before = fit(space);
  const after = zoomTo(before, 2, at, space);
  const placeOf = (view: View) => ({ x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale });
  expect(after.scale).toBe(2);
  expect(placeOf(after)).toEqual(placeOf(before));
});

test('it is never smaller than the whole picture nor larger than the maximum', () => {
  const view = fit(space);
  expect(zoomTo(view, 0.01, middle, space)).toEqual(view);
  expect(zoomTo(view, 99, middle, space).scale).toBe(8);
  expect(isZoomed(view, space)).toBe(false);
  expect(isZoomed(zoomTo(view, 1, middle, space), space)).toBe(true);
});

test('a frame of another size keeps what is looked at, as far as it reaches', () => {
  const seen = { scale: 1, x: 500, y: 100 };
  expect(hold(seen, { ...space, frame: { width: 1000, height: 400 } })).toEqual(seen);
  expect(hold(seen, { ...space, frame: { width: 1800, height: 990 } })).toEqual({ scale: 1, x: 100, y: 5 });
});

test('its edges come in as far as its margin and no further, and what fits is not moved', () => {
  expect(moveBy(fit(withMargin), { x: 500, y: -500 }, withMargin)).toEqual(fit(withMargin));
  const zoomed = zoomTo(fit(withMargin), 4, middle, withMargin);
  const corner = (by: number) => cornerOf(moveBy(zoomed, { x: by, y: by }, withMargin), withMargin);
  expect(corner(1e6)).toEqual({ x: 24, y: 24 });
  expect(corner(-1e6).x + picture.width * zoomed.scale).toBeCloseTo(frame.width - 24);
});

test('however it is zoomed and moved, no gap opens beside a picture that fills its frame', () => {
  const number = fc.double({ min: -3000, max: 3000, noNaN: true });
  const size = fc.record({ width: fc.integer({ min: 1, max: 6000 }), height: fc.integer({ min: 1, max: 6000 }) });
  const steps = fc.array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), number, number), { maxLength: 8 });
  fc.assert(
    fc.property(size, size, steps, (one, window, all) => {
      const own = {
        picture: one,
        frame: window,
        margin: 0,
        minScale: Math.min(1, fittingScale(one, window)),
        maxScale: 8,
      };
      const last = all.reduce(
        (view, [scale, x, y]) => moveBy(zoomTo(view, scale, { x: y, y: x }, own), { x, y }, own),
        fit(own),
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
