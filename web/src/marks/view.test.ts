import { expect, test } from 'vitest';
import { fitView, MOST_ZOOM, moveView, showPoint, toPicture, toWindow, zoomView } from './view.ts';

const picture = { width: 1000, height: 500 };
const window = { width: 848, height: 648 };

test('the whole picture stands in the middle', () => {
  const view = fitView(picture, window);
  expect(view.scale).toBeCloseTo(0.8);
  expect(toWindow(view, { x: 500, y: 250 })).toEqual({ x: 424, y: 324 });
});

test('window to picture and back, also zoomed and moved', () => {
  const view = moveView(
    zoomView(fitView(picture, window), 3, { x: 100, y: 300 }, picture, window),
    -40,
    7,
    picture,
    window,
  );
  const there = toWindow(view, { x: 321, y: 123 });
  const back = toPicture(view, there);
  expect(back.x).toBeCloseTo(321);
  expect(back.y).toBeCloseTo(123);
});

test('what lies under the pointer stays there while zooming', () => {
  const at = { x: 500, y: 340 };
  const fit = fitView(picture, window);
  const place = toPicture(fit, at);
  const zoomed = zoomView(fit, 4, at, picture, window);
  expect(toWindow(zoomed, place).x).toBeCloseTo(at.x);
  expect(toWindow(zoomed, place).y).toBeCloseTo(at.y);
});

test('never smaller than the whole picture, never larger than the limit', () => {
  const fit = fitView(picture, window);
  expect(zoomView(fit, 0.1, { x: 0, y: 0 }, picture, window)).toEqual(fit);
  expect(zoomView(fit, 1e6, { x: 0, y: 0 }, picture, window).scale).toBeCloseTo(fit.scale * MOST_ZOOM);
});

test('the picture cannot be moved out of the window, and not at all where it fits', () => {
  const fit = fitView(picture, window);
  expect(moveView(fit, 500, -500, picture, window)).toEqual(fit);
  const zoomed = zoomView(fit, 4, { x: 400, y: 300 }, picture, window);
  const far = moveView(zoomed, 1e6, 1e6, picture, window);
  expect([far.x, far.y]).toEqual([24, 24]);
  const back = moveView(zoomed, -1e6, -1e6, picture, window);
  expect(back.x + picture.width * back.scale).toBeCloseTo(window.width - 24);
});

test('a place outside the window is brought in, one inside moves nothing', () => {
  const zoomed = zoomView(fitView(picture, window), 8, { x: 0, y: 0 }, picture, window);
  const seen = toWindow(showPoint(zoomed, { x: 700, y: 400 }, picture, window), { x: 700, y: 400 });
  expect(seen.x).toBeLessThanOrEqual(window.width - 72);
  expect(seen.y).toBeLessThanOrEqual(window.height - 72);
  const middle = toPicture(zoomed, { x: 400, y: 300 });
  expect(showPoint(zoomed, middle, picture, window)).toEqual(zoomed);
});
