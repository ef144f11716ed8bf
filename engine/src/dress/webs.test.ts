import { describe, expect, it } from 'vitest';
import { drawMask, drawRgb, readMask, showMask, type Colour } from '../../test/draw.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { countOnes } from '../pixels/mask.ts';
import { makeMask, toPlane } from '../pixels/plane.ts';
import { cleanMask, keepLargest, measureBox, measureStep, removeWebs, tellOtherColour } from './webs.ts';

const SIZE = { width: 120, height: 80 };
const TABLE: Colour = [200, 200, 200];
const CLOTH: Colour = [150, 60, 60];

/** A body in the middle with sleeves beside it; between them the matting has left the table in. */
const isCloth = (x: number, y: number) => {
  const away = Math.abs(x - 60);
  return y > 20 && y < 70 && (away < 20 || (away > 35 && away < 50) || (away < 50 && y < 26));
};
const isWeb = (x: number, y: number) => Math.abs(x - 60) >= 20 && Math.abs(x - 60) <= 35 && y >= 26 && y < 50;
const picture = drawRgb(SIZE, (x, y) => (isCloth(x, y) ? CLOTH : TABLE));
const found = drawMask(SIZE, (x, y) => isCloth(x, y) || isWeb(x, y));
const LIMITS = { shade: 20, unlike: 8, most: 0.25 };

describe('webs', () => {
  it('are taken away up to the cloth, and nothing else', () => {
    expect(showMask(removeWebs(picture, found, LIMITS))).toEqual(showMask(drawMask(SIZE, isCloth)));
  });

  it('stay where they are so much that the shape itself must have the colour of the table', () => {
    expect(removeWebs(picture, found, { ...LIMITS, most: 0.15 })).toBe(found);
  });

  it('in the shadow of the cloth are webs too', () => {
    const shaded = drawRgb(SIZE, (x, y) => (isCloth(x, y) ? CLOTH : isWeb(x, y) ? [170, 170, 170] : TABLE));
    // lit by steps: a shadow that begins all at once would be an edge
    const soft = drawRgb(SIZE, (x, y) => {
      const depth = isWeb(x, y) ? Math.min(30, 2 * (50 - y)) : 0;
      return isCloth(x, y) ? CLOTH : [200 - depth, 200 - depth, 200 - depth];
    });
    expect(countOnes(removeWebs(soft, found, LIMITS))).toBeLessThan(countOnes(found) - 600);
    expect(countOnes(removeWebs(shaded, found, LIMITS))).toBe(countOnes(found));
  });

  it('are not looked for at the neck, in the middle third', () => {
    const neck = (x: number, y: number) => x > 55 && x < 65 && y > 20 && y < 30;
    const open = drawRgb(SIZE, (x, y) => (isCloth(x, y) && !neck(x, y) ? CLOTH : TABLE));
    const kept = removeWebs(open, drawMask(SIZE, isCloth), LIMITS);
    expect(kept.data[25 * SIZE.width + 60]).toBe(1);
  });

  it.each([
    ['an empty shape', makeMask(SIZE)],
    ['a shape that fills the picture', drawMask(SIZE, () => true)],
    ['a single pixel', drawMask(SIZE, (x, y) => x === 60 && y === 40)],
  ])('leave %s alone', (_, mask) => {
    expect(removeWebs(picture, mask, LIMITS).data).toEqual(mask.data);
  });
});

describe('a clean mask', () => {
  it('has neither crumbs nor webs nor threads', () => {
    const isCrumb = (x: number, y: number) => (x < 6 && y < 6) || (x === 60 && y > 69);
    const cover = toPlane(drawMask(SIZE, (x, y) => isCloth(x, y) || isCrumb(x, y)));
    const clean = cleanMask(picture, cover);
    expect(clean.data[3 * SIZE.width + 3]).toBe(0);
    expect(clean.data[75 * SIZE.width + 60]).toBe(0);
    expect(countOnes(clean)).toBeGreaterThan(0.98 * countOnes(drawMask(SIZE, isCloth)));
  });

  it('is empty where no cover is', () => {
    expect(cleanMask(picture, toPlane(makeMask(SIZE))).data).not.toContain(1);
  });
});

it('keeps the largest piece alone', () => {
  const pieces = ['##...#', '#...##', '.....#', '#.....'];
  expect(showMask(keepLargest(readMask(pieces)))).toEqual(['.....#', '....##', '.....#', '......']);
  expect(keepLargest(makeMask(SIZE)).data).not.toContain(1);
});

describe('a box', () => {
  it('tells the outermost rows and columns and the mean column', () => {
    expect(measureBox(readMask(['....', '.#..', '.###', '....']))).toEqual({
      top: 1,
      bottom: 2,
      middle: 1.75,
      width: 2,
    });
  });

  it('of one pixel has no breadth, and of nothing is none', () => {
    expect(measureBox(readMask(['..', '.#']))).toEqual({ top: 1, bottom: 1, middle: 1, width: 0 });
    expect(measureBox(makeMask(SIZE))).toBeUndefined();
  });
});

it('measures the step between two pixels in Lab', () => {
  const lab = toLabPlanes(drawRgb({ width: 2, height: 1 }, (x) => (x ? [255, 255, 255] : [0, 0, 0])));
  expect(measureStep(lab, 0, 1)).toBeCloseTo(100, 1);
  expect(measureStep(lab, 1, 1)).toBe(0);
});

describe('another colour', () => {
  const colours: Colour[] = [
    [120, 40, 40],
    [122, 42, 40],
    [150, 62, 60],
    [40, 60, 140],
    [20, 90, 30],
  ];
  const lab = toLabPlanes(drawRgb({ width: 5, height: 1 }, (x) => colours[x]!));

  it('is another hue, and no other light', () => {
    const isOther = tellOtherColour(lab, [0, 1, 2]);
    expect([0, 1, 2, 3, 4].map(isOther)).toEqual([false, false, false, true, true]);
  });

  it('is told by most of the pixels, not by one among them', () => {
    expect(tellOtherColour(lab, [0, 1, 3])(0)).toBe(false);
  });

  it('of no pixels is told from black', () => {
    expect(tellOtherColour(lab, [])(3)).toBe(true);
  });
});
