import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, fillWith, type Colour } from '../../test/draw.ts';
import { countOnes, overlap } from '../pixels/mask.ts';
import type { Mask, Rgb } from '../pixels/plane.ts';
import { dropBackground, floodEvenBorder, isMostlyDropped, measureFaint } from './even-border.ts';

const SIZE = { width: 160, height: 120 };
const jug = drawMask(SIZE, (x, y) => Math.hypot((x - 70) / 30, (y - 60) / 40) < 1);
/** A background with a photo's noise of up to two levels. */
const makeBackground = ([red, green, blue]: Colour): Rgb =>
  drawRgb(SIZE, (x, y) => {
    const noise = ((x * 7 + y * 13) % 5) - 2;
    const [r, g, b] = [red, green, blue].map((value) => Math.min(255, Math.max(0, value + noise)));
    return [r!, g!, b!];
  });
const on = (colour: Colour, thing: Colour) => fillWith(makeBackground(colour), jug, thing);

describe('a photo on a plain background', () => {
  it.each<[string, Colour, Colour]>([
    ['pure white', [255, 255, 255], [150, 40, 30]],
    ['pure white, with a white product', [255, 255, 255], [228, 229, 226]],
    ['pure black', [0, 0, 0], [90, 60, 50]],
    ['an even green', [40, 150, 60], [220, 210, 200]],
  ])('is cut out along it: %s', (_, colour, thing) => {
    const flooded = floodEvenBorder(on(colour, thing));
    expect(overlap(flooded!.product, jug)).toBeGreaterThan(0.98);
    expect(flooded!.framed).toBeUndefined();
  });

  it('keeps a second object of some size, without dust and text', () => {
    const cup = drawMask(SIZE, (x, y) => Math.hypot(x - 130, y - 85) < 14);
    const text = drawMask(SIZE, (x, y) => y > 110 && y < 114 && x % 6 < 3 && x > 20 && x < 60);
    const photo = fillWith(fillWith(on([255, 255, 255], [60, 80, 120]), cup, [60, 80, 120]), text, [40, 40, 40]);
    const both = drawMask(SIZE, (x, y) => jug.data[y * 160 + x] === 1 || cup.data[y * 160 + x] === 1);
    expect(overlap(floodEvenBorder(photo)!.product, both)).toBeGreaterThan(0.98);
  });

  it('may touch the border if the background is white, not if it is a wall', () => {
    const wide = drawMask(SIZE, (x, y) => y > 80 && x > 60 && x < 130);
    expect(floodEvenBorder(fillWith(makeBackground([255, 255, 255]), wide, [90, 60, 40]))).toBeDefined();
    expect(floodEvenBorder(fillWith(makeBackground([190, 180, 160]), wide, [90, 60, 40]))).toBeUndefined();
  });

  it('is distinguished from a framed picture', () => {
    const inner = drawMask(SIZE, (x, y) => x >= 20 && x < 140 && y >= 15 && y < 105);
    const photo = drawRgb(SIZE, (x, y) => (inner.data[y * 160 + x] ? [60 + x, 90 + y / 2, 120] : [255, 255, 255]));
    expect(floodEvenBorder(photo)!.framed).toEqual({ left: 20, top: 15, width: 120, height: 90 });
  });

  it.each<[string, Rgb]>([
    ['a ground that changes', drawRgb(SIZE, (x) => [100 + x, 100 + x, 100 + x])],
    ['nothing on it', makeBackground([255, 255, 255])],
    [
      'a speck on it',
      fillWith(
        makeBackground([255, 255, 255]),
        drawMask(SIZE, (x, y) => x === 50 && y === 50),
        [0, 0, 0],
      ),
    ],
  ])('is not detected with %s', (_, photo) => expect(floodEvenBorder(photo)).toBeUndefined());
});

const RED: Colour = [150, 40, 30];
const detected = drawPlane(SIZE, (x, y) => jug.data[y * 160 + x]!);
const blind = drawPlane(SIZE, () => 0);
const addTo = (photo: Rgb, part: (x: number, y: number) => boolean, colour: Colour) => {
  const mask = drawMask(SIZE, (x, y) => part(x, y) && jug.data[y * 160 + x] === 0);
  return { photo: fillWith(photo, mask, colour), part: mask };
};
const keptOf = (photo: Rgb, isSure: boolean) => dropBackground(photo, floodEvenBorder(photo)!, detected, isSure);
const shareOf = (part: Mask, kept: Mask) =>
  part.data.filter((value, i) => value && kept.data[i]).length / countOnes(part);

describe('background under different light', () => {
  const shaded = drawRgb(SIZE, (x, y): Colour => {
    if (jug.data[y * 160 + x]) return RED;
    const deep = 80 * Math.max(0, 1 - Math.hypot((x - 70) / 60, (y - 98) / 16));
    return [255 - deep, 255 - deep, 255 - deep];
  });

  it('is removed if it changes softly and a confident network sees no product', () => {
    const flooded = floodEvenBorder(shaded)!;
    expect(overlap(flooded.product, jug)).toBeLessThan(0.9);
    expect(overlap(dropBackground(shaded, flooded, detected, true), jug)).toBeGreaterThan(0.96);
    expect(overlap(dropBackground(shaded, flooded, blind, false), flooded.product)).toBe(1);
  });

  it.each<[string, Colour, Colour]>([
    ['a hard shadow before a colour', [60, 120, 130], [20, 41, 44]],
    ['a shadow in the sun, nearly black', [60, 120, 130], [6, 12, 13]],
    ['a hard shadow before white', [255, 255, 255], [120, 122, 119]],
    ['a spot of light before black', [8, 8, 10], [34, 32, 30]],
  ])('is removed behind an edge, too: %s', (_, colour, light) => {
    const { photo, part } = addTo(on(colour, RED), (x, y) => x > 70 && x < 140 && y > 60 && y < 90, light);
    expect(shareOf(part, keptOf(photo, true))).toBeLessThan(0.02); // its corners are fine
    expect(shareOf(part, keptOf(photo, false))).toBeGreaterThan(0.9);
  });

  it.each<[string, Colour, (x: number, y: number) => boolean]>([
    ['a thin black strap', [18, 18, 20], (x, y) => x > 98 && x < 140 && (y === 50 || y === 51)],
    ['a thin brown leg', [91, 70, 48], (x, y) => y > 98 && y < 116 && (x === 70 || x === 71)],
    ['a pole that reaches far', [91, 70, 48], (x, y) => x > 98 && x < 150 && y > 48 && y < 52],
    ['a second thing of another colour', [70, 160, 190], (x, y) => Math.hypot(x - 130, y - 60) < 18],
  ])('is kept if it is %s', (_, colour, shape) => {
    const { photo, part } = addTo(on([255, 255, 255], RED), shape, colour);
    expect(shareOf(part, keptOf(photo, true))).toBeGreaterThan(0.95);
  });

  it('is removed inside a detected ring, but not inside an undetected object', () => {
    const inner = (radius: number) => (x: number, y: number) => Math.hypot(x - 130, y - 60) < radius;
    const { photo } = addTo(
      addTo(on([255, 255, 255], RED), inner(20), [70, 160, 190]).photo,
      inner(6),
      [250, 251, 252],
    );
    const middle = drawMask(SIZE, inner(5));
    expect(shareOf(middle, keptOf(photo, true))).toBe(1);
    const ring = drawPlane(SIZE, (x, y) =>
      detected.data[y * 160 + x] || (inner(20)(x, y) && !inner(6)(x, y)) ? 1 : 0,
    );
    expect(shareOf(middle, dropBackground(photo, floodEvenBorder(photo)!, ring, true))).toBe(0);
  });
});

describe('most of what the flood left', () => {
  const cone = drawPlane(SIZE, (x, y) => (Math.hypot(x - 80, y - 60) < 18 ? 1 : 0));
  const isDropped = (photo: Rgb) => {
    const flooded = floodEvenBorder(photo)!;
    return isMostlyDropped(photo, flooded, dropBackground(photo, flooded, cone, true));
  };
  const photo = (pale: (x: number, y: number) => number) =>
    drawRgb(SIZE, (x, y): Colour => {
      const value = pale(x, y);
      return cone.data[y * 160 + x] ? [20, 20, 24] : [value, value - 3, value - 8];
    });

  it('is dropped if the network sees only the cone of a pale box', () => {
    expect(isDropped(photo((x, y) => (x > 30 && x < 130 && y > 15 && y < 105 ? 205 : 255)))).toBe(true);
  });

  it('is no product if its light fades softly', () => {
    expect(isDropped(photo((x, y) => 255 - 80 * Math.max(0, 1 - Math.hypot((x - 80) / 75, (y - 60) / 55))))).toBe(
      false,
    );
  });
});

describe('the faint share', () => {
  it.each<[string, Colour, number]>([
    ['a white thing before white', [228, 229, 226], 1],
    ['a dark one', [60, 40, 30], 0],
  ])('measures what the network missed and what resembles the background: %s', (_, thing, share) => {
    const photo = on([255, 255, 255], thing);
    const flooded = floodEvenBorder(photo)!;
    expect(measureFaint(photo, flooded, blind)).toBeCloseTo(share, 1);
    expect(measureFaint(photo, flooded, detected)).toBeLessThan(0.05);
  });
});
