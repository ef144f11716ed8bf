import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, readMask, showMask } from '../../test/draw.ts';
import { boxBlur, softBlur } from './blur.ts';
import { fitAlpha } from './guided.ts';
import { mapBytes, mapFloats } from './map.ts';
import { makeNoise } from './noise.ts';
import { cutPlane, cutRgb, growBox, readChannel, toPlane, type Plane } from './plane.ts';
import { makeRandom } from './random.ts';
import { resizePlane } from './resize.ts';
import { fillPolygon, scalePolygon, smoothStep } from './shapes.ts';

const plane = fc
  .record({
    width: fc.integer({ min: 1, max: 14 }),
    height: fc.integer({ min: 1, max: 14 }),
    seed: fc.nat(),
    radius: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ width, height, seed, radius }) => {
    const random = makeRandom(seed);
    return { plane: drawPlane({ width, height }, () => 100 * random()), radius };
  });

/** The mean of the window, added up one by one. */
function meanAround({ data, width, height }: Plane, x: number, y: number, radius: number): number {
  let [sum, count] = [0, 0];
  for (let py = Math.max(0, y - radius); py <= Math.min(height - 1, y + radius); py += 1) {
    for (let px = Math.max(0, x - radius); px <= Math.min(width - 1, x + radius); px += 1) {
      sum += data[py * width + px]!;
      count += 1;
    }
  }
  return sum / count;
}

describe('a box blur', () => {
  it('is the mean of the window along rows, then of those along columns', () => {
    fc.assert(
      fc.property(plane, ({ plane: from, radius }) => {
        const blurred = boxBlur(from, radius);
        const isSame = blurred.data.every(
          (value, i) => Math.abs(value - meanAround(from, i % from.width, Math.floor(i / from.width), radius)) < 1e-3,
        );
        expect(isSame).toBe(true);
      }),
    );
  });
});

describe('a soft blur', () => {
  const dot = drawPlane({ width: 61, height: 61 }, (x, y) => (x === 30 && y === 30 ? 1 : 0));

  it.each([1, 3, 6])('of sigma %i spreads a point as a Gaussian does', (sigma) => {
    const { data } = softBlur(dot, sigma);
    const sum = data.reduce((so, value) => so + value, 0);
    const spread = data.reduce((so, value, i) => so + value * ((i % 61) - 30) ** 2, 0);
    expect(sum).toBeCloseTo(1, 4);
    expect(Math.sqrt(spread) / sigma).toBeGreaterThan(0.7);
    expect(Math.sqrt(spread) / sigma).toBeLessThan(1.45); // boxes have whole radii
  });

  it('of next to nothing is a copy', () => {
    const copy = softBlur(dot, 0.1);
    expect(copy.data).toEqual(dot.data);
    expect(copy.data).not.toBe(dot.data);
  });
});

describe('a resized plane', () => {
  it('keeps a slope, larger and smaller', () => {
    const slope = drawPlane({ width: 40, height: 30 }, (x, y) => 3 * x - 2 * y);
    for (const size of [
      { width: 80, height: 60 },
      { width: 25, height: 21 },
    ]) {
      const resized = resizePlane(slope, size);
      const middle = resized.data[Math.floor(size.height / 2) * size.width + Math.floor(size.width / 2)]!;
      const [x, y] = [
        (Math.floor(size.width / 2) + 0.5) / size.width,
        (Math.floor(size.height / 2) + 0.5) / size.height,
      ];
      expect(middle).toBeCloseTo(3 * (x * 40 - 0.5) - 2 * (y * 30 - 0.5), 2);
    }
  });

  it('stays within the range of its values, down to one pixel and up from one', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(plane, size, ({ plane: from }, to) => {
        const resized = resizePlane(from, to);
        const [least, most] = [Math.min(...from.data) - 1e-4, Math.max(...from.data) + 1e-4];
        expect(resized).toMatchObject(to);
        expect(resized.data.every((value) => value >= least && value <= most)).toBe(true);
      }),
    );
  });
});

describe('the guided filter', () => {
  const SIZE = { width: 60, height: 40 };
  const read = (guide: ReturnType<typeof drawRgb>, coefficients: ReturnType<typeof fitAlpha>, i: number) =>
    [0, 1, 2].reduce(
      (sum, c) => sum + (coefficients.planes[c]![i]! * guide.data[3 * i + c]!) / 255,
      coefficients.planes[3][i]!,
    );

  it('gives a blurred cover the edge of its guide', () => {
    const guide = drawRgb(SIZE, (x) => (x < 30 ? [200, 40, 40] : [40, 40, 200]));
    const blurred = softBlur(
      drawPlane(SIZE, (x) => (x < 30 ? 1 : 0)),
      3,
    );
    const fitted = fitAlpha(guide, blurred, 6);
    const row = 20 * SIZE.width;
    expect(read(guide, fitted, row + 29) - read(guide, fitted, row + 30)).toBeGreaterThan(0.5);
    expect(blurred.data[row + 29]! - blurred.data[row + 30]!).toBeLessThan(0.2);
  });

  it('follows the cover where the guide shows nothing', () => {
    const guide = drawRgb(SIZE, () => [90, 90, 90]);
    const fitted = fitAlpha(
      guide,
      drawPlane(SIZE, () => 0.4),
      4,
    );
    for (let i = 0; i < 60 * 40; i += 97) expect(read(guide, fitted, i)).toBeCloseTo(0.4, 4);
  });
});

describe('chance', () => {
  it('is the same for the same seed, another for another, and between 0 and 1', () => {
    const draw = (seed: number) => {
      const random = makeRandom(seed);
      return Array.from({ length: 200 }, random);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    const values = [-1, 0, 2 ** 32, 1.5].flatMap(draw);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });

  it('makes noise that has no jump and stays about -1 to 1', () => {
    const noise = makeNoise(3);
    for (let x = -5; x < 5; x += 0.01) {
      expect(Math.abs(noise.at(x + 0.01, 2.3) - noise.at(x, 2.3))).toBeLessThan(0.08);
      expect(Math.abs(noise.sum(x, 1.7, 4))).toBeLessThan(1.3);
    }
    expect(makeNoise(3).at(0.4, 0.6)).toBe(noise.at(0.4, 0.6));
    expect(makeNoise(4).at(0.4, 0.6)).not.toBe(noise.at(0.4, 0.6));
  });
});

describe('polygons', () => {
  const square = [
    { x: 1, y: 1 },
    { x: 4, y: 1 },
    { x: 4, y: 4 },
    { x: 1, y: 4 },
  ];

  it('are filled where a pixel’s centre lies inside, and left out where they leave the picture', () => {
    expect(showMask(fillPolygon(square, { width: 6, height: 5 }))).toEqual([
      '......',
      '.####.',
      '.####.',
      '.####.',
      '......',
    ]);
    const out = square.map(({ x, y }) => ({ x: x - 3, y: y - 2 }));
    expect(showMask(fillPolygon(out, { width: 3, height: 3 }))).toEqual(['##.', '##.', '...']);
    expect(fillPolygon([], { width: 2, height: 2 }).data).not.toContain(1);
  });

  it('have the area that their corners say', () => {
    const corner = fc.record({ x: fc.integer({ min: 0, max: 200 }), y: fc.integer({ min: 0, max: 200 }) });
    fc.assert(
      fc.property(corner, corner, corner, (a, b, c) => {
        const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
        const filled = fillPolygon([a, b, c], { width: 201, height: 201 }).data.reduce((sum, value) => sum + value, 0);
        expect(Math.abs(filled - area)).toBeLessThan(620);
      }),
      { numRuns: 30 },
    );
  });

  it('are drawn in and blown up about their middle', () => {
    const half = scalePolygon(square, 0.5);
    expect(half[0]).toEqual({ x: 1.75, y: 1.75 });
    expect(scalePolygon(half, 2)).toEqual(square);
  });

  it('and steps are smooth, up and down', () => {
    expect([smoothStep(2, 6, 1), smoothStep(2, 6, 4), smoothStep(2, 6, 9)]).toEqual([0, 0.5, 1]);
    expect([smoothStep(6, 2, 1), smoothStep(6, 2, 9)]).toEqual([1, 0]);
  });
});

describe('parts of pictures', () => {
  const picture = drawRgb({ width: 5, height: 4 }, (x, y) => [10 * x, 10 * y, 7]);

  it('are cut and read channel by channel', () => {
    const part = cutRgb(picture, { left: 2, top: 1, width: 2, height: 2 });
    expect([...readChannel(part, 0).data]).toEqual([20, 30, 20, 30]);
    expect([...cutPlane(readChannel(picture, 1), { left: 4, top: 0, width: 1, height: 4 }).data]).toEqual([
      0, 10, 20, 30,
    ]);
    expect([...toPlane(readMask(['#.'])).data]).toEqual([1, 0]);
  });

  it('are boxes that grow on all sides alike', () => {
    expect(growBox({ left: 10, top: 10, width: 20, height: 10 }, 0.5)).toEqual({
      left: 0,
      top: 0,
      width: 40,
      height: 30,
    });
  });

  it('are turned value by value', () => {
    expect([...mapBytes([1, 300, 2.9], (value, i) => value + i)]).toEqual([1, 45, 4]);
    expect([...mapFloats(Uint8Array.of(1, 2), (value) => value / 2)]).toEqual([0.5, 1]);
    expect(drawMask({ width: 0, height: 0 }, () => true).data).toHaveLength(0);
  });
});
