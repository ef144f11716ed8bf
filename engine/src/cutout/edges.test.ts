import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb, type Colour } from '../../test/draw.ts';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { solveEdges } from './edges.ts';
import { separateLayers } from './foreground.ts';
import { growAlpha, paintProduct } from './full-size.ts';

const SIZE = { width: 96, height: 80 };
const THING: Colour = [180, 60, 50];
const WALL: Colour = [90, 130, 160];
const away = (x: number, y: number) => Math.hypot(x - 48, y - 40);
/** The alpha of a disc with an edge as soft as in a photo. */
const truth = drawPlane(SIZE, (x, y) => Math.min(1, Math.max(0, 24.5 - away(x, y))));
const mixAt = (x: number, y: number): Colour => {
  const alpha = truth.data[y * SIZE.width + x]!;
  const mix = (c: 0 | 1 | 2) => alpha * THING[c] + (1 - alpha) * WALL[c];
  return [mix(0), mix(1), mix(2)];
};
const picture = drawRgb(SIZE, mixAt);
/** The output of a network at a quarter of the resolution, slightly off. */
const coarse = resizePlane(
  drawPlane({ width: 24, height: 20 }, (x, y) =>
    Math.min(1, Math.max(0, 0.5 + (25 - away(4 * x + 2, 4 * y + 1.5)) / 8)),
  ),
  SIZE,
);
const error = (one: Plane, other: Plane) =>
  one.data.reduce((sum, value, i) => sum + Math.abs(value - other.data[i]!), 0) / one.data.length;

describe('solved edges', () => {
  const solved = solveEdges(picture, { alpha: coarse, scale: 4 });

  it('follow the picture rather than the network', () => {
    expect(error(solved, truth)).toBeLessThan(0.25 * error(coarse, truth));
  });

  it("follow a picture that is smaller than the network's input", () => {
    expect(error(solveEdges(picture, { alpha: truth, scale: 96 / 352 }), truth)).toBeLessThan(0.005);
  });

  it('keep areas in which the network is certain', () => {
    expect(solved.data[40 * SIZE.width + 48]).toBe(1);
    expect(solved.data[2 * SIZE.width + 2]).toBe(0);
  });

  it("equal the network's where colours carry no information", () => {
    const grey = drawRgb(SIZE, () => [120, 120, 120]);
    const followed = solveEdges(grey, { alpha: coarse, scale: 4 });
    const wrong = followed.data.filter((value, i) => value > 0.5 !== coarse.data[i]! > 0.5).length;
    expect(wrong).toBeLessThan(0.03 * followed.data.length);
  });

  it.each([
    ['nothing is seen', makePlane(SIZE)],
    ['all is seen', drawPlane(SIZE, () => 1)],
    ['nothing is sure', drawPlane(SIZE, () => 0.5)],
  ])('stay within 0..1 if %s', (_, alpha) => {
    const data = solveEdges(picture, { alpha, scale: 4 }).data;
    expect(data.every((value) => value >= 0 && value <= 1)).toBe(true);
    if (alpha.data[0] !== 0.5) expect(data).toEqual(alpha.data);
  });

  it('work for a picture of one pixel', () => {
    const one = { width: 1, height: 1 };
    expect(
      solveEdges(
        drawRgb(one, () => THING),
        { alpha: drawPlane(one, () => 0.7), scale: 1 },
      ).data[0],
    ).toBeLessThanOrEqual(1);
  });
});

describe('separated colours', () => {
  it("contain the product's and the wall's colours unmixed", () => {
    const { front, back } = separateLayers(picture, truth);
    for (let i = 0; i < truth.data.length; i += 1) {
      const alpha = truth.data[i]!;
      if (alpha === 0 || alpha === 1) continue;
      expect(Math.abs(front[3 * i]! - THING[0])).toBeLessThan(20);
      expect(Math.abs(back[3 * i]! - WALL[0])).toBeLessThan(20);
    }
  });

  it.each([
    [23, 40],
    [73, 40],
    [48, 15],
    [48, 65],
  ])('extend to the first transparent pixel beyond the edge, %i, %i', (x, y) => {
    const i = y * SIZE.width + x;
    expect(truth.data[i]).toBe(0);
    expect(Math.abs(separateLayers(picture, truth).front[3 * i]! - THING[0])).toBeLessThan(25);
  });

  it('are bytes for any alpha', () => {
    for (const alpha of [
      makePlane(SIZE),
      drawPlane(SIZE, () => 1),
      drawPlane(SIZE, (x, y) => ((7 * x + y) % 11) / 10),
    ]) {
      const { front, back } = separateLayers(picture, alpha);
      for (const layer of [front, back]) expect(layer.every((value) => value >= 0 && value <= 255)).toBe(true);
    }
  });
});

describe('at full size', () => {
  const large = { width: 288, height: 240 };
  const wide = resizePlane(truth, large);
  const photo = drawRgb(large, (x, y) => {
    const alpha = Math.min(1, Math.max(0, 24.5 * 3 - Math.hypot(x - 145, y - 121)));
    const mix = (c: 0 | 1 | 2) => alpha * THING[c] + (1 - alpha) * WALL[c];
    return [mix(0), mix(1), mix(2)];
  });
  const layers = separateLayers(picture, truth);
  const grown = growAlpha(photo, truth, picture);

  it('alpha follows the edges of the large picture', () => {
    const own = drawPlane(large, (x, y) => Math.min(1, Math.max(0, 24.5 * 3 - Math.hypot(x - 145, y - 121))));
    const off = (data: ArrayLike<number>, unit: number) =>
      own.data.reduce((sum, value, i) => sum + Math.abs(value - data[i]! / unit), 0);
    expect(off(grown, 255)).toBeLessThan(0.7 * off(wide.data, 1));
    expect(grown[120 * 288 + 144]).toBe(255);
    expect(grown[0]).toBe(0);
  });

  it("the product's colour stays transparent where the small alpha is 0", () => {
    const spotted = { ...photo, data: photo.data.slice() };
    spotted.data.set(THING, 3 * (20 * 288 + 20));
    expect(growAlpha(spotted, truth, picture)[20 * 288 + 20]).toBe(0);
  });

  it('alpha of the same size equals the small alpha in bytes', () => {
    expect([...growAlpha(picture, truth, picture)]).toEqual([...truth.data].map((alpha) => Math.round(255 * alpha)));
  });

  it("opaque pixels keep their bytes, and edges lose the wall's colour", () => {
    const painted = { ...photo, data: photo.data.slice() };
    paintProduct(painted, grown, layers.front, picture, { hasBackground: true });
    for (let i = 0; i < grown.length; i += 1) {
      if (grown[i] === 255) expect(painted.data[3 * i]).toBe(photo.data[3 * i]);
      else if (grown[i]! > 40) expect(painted.data[3 * i + 2]).toBeLessThan(WALL[2] - 60);
    }
  });
});
