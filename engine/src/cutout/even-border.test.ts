import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, fillWith, type Colour } from '../../test/draw.ts';
import { overlap } from '../pixels/mask.ts';
import type { Rgb } from '../pixels/plane.ts';
import { dropShade, floodEvenBorder } from './even-border.ts';

const SIZE = { width: 160, height: 120 };
const jug = drawMask(SIZE, (x, y) => Math.hypot((x - 70) / 30, (y - 60) / 40) < 1);
/** A ground with the grain of a photo, up to two levels from its colour. */
const ground = ([red, green, blue]: Colour): Rgb =>
  drawRgb(SIZE, (x, y) => {
    const grain = ((x * 7 + y * 13) % 5) - 2;
    const [r, g, b] = [red, green, blue].map((value) => Math.min(255, Math.max(0, value + grain)));
    return [r!, g!, b!];
  });
const on = (colour: Colour, thing: Colour) => fillWith(ground(colour), jug, thing);

describe('a photo before an even colour', () => {
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

  it('keeps a second thing of some size, and no dust and text', () => {
    const cup = drawMask(SIZE, (x, y) => Math.hypot(x - 130, y - 85) < 14);
    const text = drawMask(SIZE, (x, y) => y > 110 && y < 114 && x % 6 < 3 && x > 20 && x < 60);
    const photo = fillWith(fillWith(on([255, 255, 255], [60, 80, 120]), cup, [60, 80, 120]), text, [40, 40, 40]);
    const both = drawMask(SIZE, (x, y) => jug.data[y * 160 + x] === 1 || cup.data[y * 160 + x] === 1);
    expect(overlap(floodEvenBorder(photo)!.product, both)).toBeGreaterThan(0.98);
  });

  it('may be cut off by the frame where the ground is white, not where it is a wall', () => {
    const wide = drawMask(SIZE, (x, y) => y > 80 && x > 60 && x < 130);
    expect(floodEvenBorder(fillWith(ground([255, 255, 255]), wide, [90, 60, 40]))).toBeDefined();
    expect(floodEvenBorder(fillWith(ground([190, 180, 160]), wide, [90, 60, 40]))).toBeUndefined();
  });

  it('is told from a picture in a frame', () => {
    const inner = drawMask(SIZE, (x, y) => x >= 20 && x < 140 && y >= 15 && y < 105);
    const photo = drawRgb(SIZE, (x, y) => (inner.data[y * 160 + x] ? [60 + x, 90 + y / 2, 120] : [255, 255, 255]));
    expect(floodEvenBorder(photo)!.framed).toEqual({ left: 20, top: 15, width: 120, height: 90 });
  });

  it.each<[string, Rgb]>([
    ['a ground that changes', drawRgb(SIZE, (x) => [100 + x, 100 + x, 100 + x])],
    ['nothing on it', ground([255, 255, 255])],
    [
      'a speck on it',
      fillWith(
        ground([255, 255, 255]),
        drawMask(SIZE, (x, y) => x === 50 && y === 50),
        [0, 0, 0],
      ),
    ],
  ])('is none with %s', (_, photo) => expect(floodEvenBorder(photo)).toBeUndefined());
});

describe('the shade below a product', () => {
  const seen = drawPlane(SIZE, (x, y) => jug.data[y * 160 + x]!);
  const shaded = drawRgb(SIZE, (x, y): Colour => {
    if (jug.data[y * 160 + x]) return [150, 40, 30];
    const deep = 80 * Math.max(0, 1 - Math.hypot((x - 70) / 60, (y - 98) / 16));
    return [255 - deep, 255 - deep, 255 - deep];
  });

  it('goes where the network sees no product', () => {
    const { product } = floodEvenBorder(shaded)!;
    expect(overlap(product, jug)).toBeLessThan(0.9);
    expect(overlap(dropShade(shaded, product, seen), jug)).toBeGreaterThan(0.96);
  });

  it('takes nothing of a product that the network does not see, behind an edge', () => {
    const { product } = floodEvenBorder(shaded)!;
    const blind = drawPlane(SIZE, () => 0);
    expect(overlap(dropShade(shaded, product, blind), jug)).toBeGreaterThan(0.96);
  });
});
