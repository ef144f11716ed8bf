import { expect, test } from 'vitest';
import { paintDab, smoothColours, type Painting } from './live-edge.ts';

type Colour = readonly [number, number, number];
const WHITE: Colour = [240, 240, 238];
const BLUE: Colour = [40, 70, 150];

/** A picture of which every pixel is told; nothing is taken yet unless said. */
function makePainting(width: number, height: number, colourAt: (x: number, y: number) => Colour, alpha = 0): Painting {
  const colours = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) colours.set(colourAt(at % width, Math.floor(at / width)), at * 4);
  return { width, height, colours, alpha: new Uint8ClampedArray(width * height).fill(alpha) };
}

const alphaAt = ({ alpha, width }: Painting, x: number, y: number) => alpha[y * width + x];
const halves = (alpha = 0) => makePainting(100, 100, (x) => (x < 50 ? BLUE : WHITE), alpha);

test('a brush that sticks out over the edge of the product stops there', () => {
  const painting = halves();
  paintDab(painting, 'keep', 40, 50, 20);
  expect(alphaAt(painting, 40, 50)).toBe(255);
  expect(alphaAt(painting, 49, 50)).toBe(255);
  expect(alphaAt(painting, 50, 50)).toBe(0);
  expect(alphaAt(painting, 58, 50)).toBe(0);
});

test('what is removed is taken off as far as it has the same colour', () => {
  const painting = halves(255);
  paintDab(painting, 'drop', 60, 50, 20);
  expect(alphaAt(painting, 60, 50)).toBe(0);
  expect(alphaAt(painting, 50, 50)).toBe(0);
  expect(alphaAt(painting, 49, 50)).toBe(255);
});

test('the place that was pointed at is taken whatever its colour', () => {
  const painting = halves();
  paintDab(painting, 'keep', 50, 50, 20);
  expect([44, 49, 50, 55].map((x) => alphaAt(painting, x, 50))).toEqual([255, 255, 255, 255]);
});

test('nothing outside the brush changes, and only the area that is returned', () => {
  const painting = makePainting(80, 80, () => BLUE);
  expect(paintDab(painting, 'keep', 40, 40, 10)).toEqual({ left: 30, top: 30, right: 51, bottom: 51 });
  expect(alphaAt(painting, 40, 28)).toBe(0);
  expect(painting.alpha.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0)).toBeLessThan(Math.PI * 11 * 11);
  expect(painting.alpha.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0)).toBeGreaterThan(Math.PI * 9 * 9);
});

test('what has the same colour but is not connected stays as it is', () => {
  const painting = makePainting(100, 40, (x) => (x > 48 && x < 54 ? WHITE : BLUE));
  paintDab(painting, 'keep', 40, 20, 18);
  expect(alphaAt(painting, 46, 20)).toBe(255);
  expect(alphaAt(painting, 57, 20)).toBe(0);
});

test('noise does not stop the brush, and a soft edge gives a soft alpha', () => {
  let seed = 7;
  const noise = () => ((seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5) * 24;
  const raw = makePainting(100, 100, (x) => {
    const share = Math.min(1, Math.max(0, (x - 46) / 8));
    return [0, 1, 2].map((c) => BLUE[c]! + (WHITE[c]! - BLUE[c]!) * share + noise()) as unknown as Colour;
  });
  const painting = { ...raw, colours: smoothColours(raw.colours, raw) };
  paintDab(painting, 'keep', 32, 50, 24);
  let taken = 0;
  for (let y = 38; y < 62; y += 1) for (let x = 22; x < 44; x += 1) if (alphaAt(painting, x, y)! > 200) taken += 1;
  expect(taken / (24 * 22)).toBeGreaterThan(0.95);
  expect(alphaAt(painting, 53, 50)).toBeLessThan(60);
});

test('beside the picture nothing happens, at its corner nothing breaks', () => {
  const painting = makePainting(20, 20, () => BLUE);
  expect(paintDab(painting, 'keep', -50, -50, 10)).toBeNull();
  expect(paintDab(painting, 'keep', 0, 0, 5)).not.toBeNull();
  expect(paintDab(painting, 'keep', 20, 20, 5)).not.toBeNull();
  expect([alphaAt(painting, 0, 0), alphaAt(painting, 19, 19)]).toEqual([255, 255]);
});

test('the mean of nine pixels, also at the border', () => {
  const rgba = makePainting(3, 3, (x, y) => (x === 1 && y === 1 ? [90, 90, 90] : [0, 0, 0])).colours;
  const smooth = smoothColours(rgba, { width: 3, height: 3 });
  expect([smooth[0], smooth[4 * 4]]).toEqual([10, 10]);
});
