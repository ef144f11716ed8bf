import { describe, expect, it } from 'vitest';
import { CLOTH, drawFlatShirt, FLAT, LINING, readShirt, SHIRT, TABLE } from '../../test/clothes.ts';
import { drawRgb } from '../../test/draw.ts';
import { makePlane, toPlane, type Point } from '../pixels/plane.ts';
import { fillPolygon } from '../pixels/mask.ts';
import { readGarment } from './garment.ts';
import { isForLegs, liesUpsideDown, measureCloth } from './recognise.ts';

const readShape = (outline: Point[]) => {
  const shape = fillPolygon(outline, FLAT);
  const picture = drawRgb(FLAT, (x, y) => (shape.data[y * FLAT.width + x] ? CLOTH : TABLE));
  return readGarment(picture, toPlane(shape));
};
/** What the network calls clothes of the lower body, and what it does not know. */
const LOWER = { upper: 0.05, lower: 0.8, top: 0.8 };
const UNKNOWN = { upper: 0, lower: 0, top: 0 };
const points = (...places: [number, number][]) => places.map(([x, y]) => ({ x, y }));

describe('a T-shirt laid flat', () => {
  const shirt = readShirt();

  it('has the drawn axis, hem and chest', () => {
    expect(Math.abs(shirt.middle - SHIRT.middle)).toBeLessThan(3);
    expect(Math.abs(shirt.bottom - SHIRT.hem)).toBeLessThan(3);
    expect(Math.abs(shirt.chest - 2 * SHIRT.half)).toBeLessThan(5);
    expect(shirt.mirrored).toBeGreaterThan(0.95);
  });

  it('has two sleeves that start at its armpits and point outwards', () => {
    for (const [n, sleeve] of shirt.sleeves.entries()) {
      const [seam, end] = sleeve!.axis.points;
      expect((end!.x - seam!.x) * (n === 0 ? -1 : 1)).toBeGreaterThan(15);
      expect(Math.abs(shirt.pits[n]!.y - SHIRT.pitRow)).toBeLessThan(12);
    }
  });

  it('shows the inside of its back through the neck only', () => {
    const { opening } = shirt;
    expect(opening.isDetected).toBe(true);
    expect(opening.mask.data[30 * FLAT.width + SHIRT.middle]).toBe(1);
    expect(opening.mask.data[80 * FLAT.width + SHIRT.middle]).toBe(0);
    expect(opening.line.length).toBeGreaterThan(4);
    expect(isForLegs(shirt, LOWER)).toBe(false);
    expect(liesUpsideDown(shirt)).toBe(false);
  });
});

it('gets the default neckline if none is visible', () => {
  const { opening, chest } = readShirt({ neck: 0 });
  expect(opening.isDetected).toBe(false);
  expect(opening.depth).toBeGreaterThan(0.05);
  expect(opening.line.at(-1)!.x - opening.line[0]!.x).toBeLessThan(0.5 * chest);
});

it.each([
  ['a label, below which it begins', 2, true],
  ['a slit, which it crosses', 0, false],
])('gets the default neckline with %s', (_, half, isLower) => {
  const { picture, alpha } = drawFlatShirt({ neck: 0 });
  const isLight = (x: number, y: number) => Math.abs(x - SHIRT.middle) <= half && y >= 26 && y < 33;
  const data = picture.data.map((value, n) => {
    const i = Math.floor(n / 3);
    return isLight(i % FLAT.width, Math.floor(i / FLAT.width)) ? 240 : value;
  });
  const { opening } = readGarment({ ...picture, data }, alpha)!;
  expect(opening.isDetected).toBe(false);
  expect(Math.max(...opening.line.map(({ y }) => y)) >= 33).toBe(isLower);
});

it('detects the inside of its back in faint shade', () => {
  const { picture, alpha } = drawFlatShirt();
  const isLining = (n: number) => picture.data[n - (n % 3)] === LINING[0];
  const data = picture.data.map((value, n) => (isLining(n) ? CLOTH[n % 3]! - 14 : value));
  const { opening } = readGarment({ ...picture, data }, alpha)!;
  expect(opening.isDetected).toBe(true);
  expect(opening.depth).toBeGreaterThan(0.25);
});

it('loses its hanger: the hook is removed, bar and label belong to the opening', () => {
  const { picture, alpha } = drawFlatShirt({ neck: 0 });
  const isAt = (i: number, half: number, from: number, to: number) =>
    Math.abs((i % FLAT.width) - SHIRT.middle) <= half && i >= from * FLAT.width && i < to * FLAT.width;
  const isHook = (i: number) => isAt(i, 2, 4, 24);
  const isInside = (i: number) => isAt(i, 5, 28, 34) || isAt(i, 9, 37, 39);
  const data = picture.data.map((value, n) => {
    const i = Math.floor(n / 3);
    return isHook(i) ? 20 : isInside(i) ? 240 : value;
  });
  const shape = { ...alpha, data: alpha.data.map((value, i) => (isHook(i) ? 1 : value)) };
  const { top, opening } = readGarment({ ...picture, data }, shape)!;
  expect(top).toBeGreaterThan(17);
  expect(opening.isDetected).toBe(true);
  expect([...alpha.data.keys()].filter((i) => isInside(i) && !opening.mask.data[i])).toEqual([]);
  expect(opening.mask.data[50 * FLAT.width + SHIRT.middle]).toBe(0);
});

describe("a garment's front", () => {
  /** Depth of the opening if the lining's colour continues down the front; positions relative to axis and collar. */
  const openAlong = (isLining: (x: number, y: number) => boolean) => {
    const { picture, alpha } = drawFlatShirt();
    const data = picture.data.map((value, n) => {
      const i = Math.floor(n / 3);
      const [x, y] = [(i % FLAT.width) - SHIRT.middle, Math.floor(i / FLAT.width) - 20];
      return alpha.data[i] && y >= 0 && isLining(x, y) ? LINING[n % 3]! : value;
    });
    return readGarment({ ...picture, data }, alpha)!.opening.depth;
  };

  it.each([
    ['a row of buttons', (x: number, y: number) => y < 60 && Math.hypot(x, (y % 6) - 3) < 2.5],
    ['a trim along both of its edges', (x: number, y: number) => y < 60 && Math.abs(Math.abs(x) - 2.5) < 1],
    ['a zip', (x: number, y: number) => y < 54 && Math.abs(x) < 4],
    ['a tag on a string beside the middle', (x: number, y: number) => y < 60 && Math.abs(x - 6) <= (y > 44 ? 3 : 1)],
  ])('is closed with %s below the neck', (_, isLining) => {
    expect(Math.abs(openAlong(isLining) - openAlong(() => false))).toBeLessThan(0.02);
  });

  it.each([
    ['as wide as a hand', (x: number, y: number) => y < 64 && Math.abs(x) < 8],
    ['to the hem', (x: number) => Math.abs(x) < 11],
    ['to the tip of its V', (x: number, y: number) => Math.abs(x) < 20 * (1 - y / 64)],
  ])('is open if the inside is visible down to %s', (_, isLining) => {
    expect(openAlong(isLining)).toBeGreaterThan(0.6);
  });
});

it('is rotated upright, and maps points back to the photo', () => {
  const turn = (x: number, y: number, angle: number) => ({
    x: 80 + (x - 80) * Math.cos(angle) - (y - 100) * Math.sin(angle),
    y: 100 + (x - 80) * Math.sin(angle) + (y - 100) * Math.cos(angle),
  });
  const outline = points(
    [64, 50],
    [96, 50],
    [128, 72],
    [116, 92],
    [104, 84],
    [104, 160],
    [56, 160],
    [56, 84],
    [44, 92],
    [32, 72],
  );
  const garment = readShape(outline.map(({ x, y }) => turn(x, y, 0.14)));
  expect(garment!.mirrored).toBeGreaterThan(0.93);
  expect(Math.abs(garment!.right[140]! - garment!.middle - (garment!.middle - garment!.left[140]!))).toBeLessThan(5);
  const hem = garment!.toOriginal({ x: garment!.middle, y: 160 });
  const wanted = turn(80, 160, 0.14);
  expect(Math.hypot(hem.x - wanted.x, hem.y - wanted.y)).toBeLessThan(6);
});

it('has sleeves beside the body if it hangs', () => {
  const garment = readShape(points([66, 20], [94, 20], [124, 44], [126, 180], [34, 180], [36, 44]));
  expect(garment).toMatchObject({ cut: 'hanging' });
  expect(garment!.sleeves.every((sleeve) => sleeve && sleeve.axis.length > 60)).toBe(true);
});

describe('trousers and skirts', () => {
  it('are recognised by two legs or a straight waist', () => {
    const legs = readShape(points([50, 20], [110, 20], [116, 190], [90, 190], [80, 80], [70, 190], [44, 190]));
    const skirt = readShape(points([50, 60], [110, 60], [130, 150], [30, 150]));
    expect([legs, skirt].map((garment) => isForLegs(garment!, UNKNOWN))).toEqual([true, true]);
  });

  it('are recognised by the network if no sleeve is apart from the body', () => {
    const hung = readShape(points([66, 20], [94, 20], [124, 44], [126, 180], [34, 180], [36, 44]));
    expect(hung).toMatchObject({ cut: 'hanging' });
    expect(isForLegs(hung!, LOWER)).toBe(true);
    expect(isForLegs(hung!, { upper: 0.4, lower: 0.3, top: 0.7 })).toBe(false);
  });

  it('do not include garments much longer than the chest', () => {
    const dress = readShape(points([72, 10], [88, 10], [100, 24], [98, 60], [112, 190], [48, 190], [62, 60], [60, 24]));
    expect(isForLegs(dress!, UNKNOWN)).toBe(false);
  });

  it('do not include garments with a wide hem, whose chest is measured at the narrow part', () => {
    const swing = readShape(points([76, 14], [84, 14], [104, 34], [134, 130], [26, 130], [56, 34]));
    expect(isForLegs(swing!, UNKNOWN)).toBe(false);
    expect(swing!.chest).toBeLessThan(60);
  });
});

it('returns undefined for shapes that are too small or empty', () => {
  expect(readShape(points([80, 80], [90, 80], [90, 90]))).toBeUndefined();
  const { picture, alpha } = drawFlatShirt();
  expect(readGarment(picture, { ...alpha, data: alpha.data.map(() => 0) })).toBeUndefined();
  expect(readGarment(picture, { ...alpha, data: alpha.data.map(() => NaN) })).toBeUndefined();
});

it('measures no cloth in an empty shape', async () => {
  const picture = drawRgb(FLAT, () => TABLE);
  expect(await measureCloth(picture, makePlane(FLAT))).toEqual(UNKNOWN);
});
