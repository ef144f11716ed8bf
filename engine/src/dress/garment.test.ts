import { describe, expect, it } from 'vitest';
import { drawFlatShirt, FLAT, readShirt, SHIRT, TABLE } from '../../test/clothes.ts';
import { drawMask, drawPlane, drawRgb } from '../../test/draw.ts';
import { fillPolygon } from '../pixels/shapes.ts';
import { toPlane, type Point } from '../pixels/plane.ts';
import { guessCategory, readGarment } from './garment.ts';

const { middle, pitRow, half, hem } = SHIRT;

describe('a T-shirt laid flat', () => {
  const shirt = readShirt();

  it('has its axis, hem and chest where they were drawn', () => {
    expect(shirt.middle).toBeCloseTo(middle, 1);
    expect(Math.abs(shirt.bottom - hem)).toBeLessThanOrEqual(1);
    expect(Math.abs(shirt.chest - 2 * half)).toBeLessThanOrEqual(2);
    for (const y of [pitRow + 10, hem - 10]) {
      expect(Math.abs(shirt.left[y]! - (middle - half))).toBeLessThanOrEqual(1);
      expect(Math.abs(shirt.right[y]! - (middle + half))).toBeLessThanOrEqual(1);
    }
  });

  it('has two sleeves that begin at its armpits and point away from the body', () => {
    for (const [n, side] of [-1, 1].entries()) {
      const sleeve = shirt.sleeves[n];
      expect(Math.abs(sleeve!.pit.y - pitRow)).toBeLessThanOrEqual(2);
      expect(Math.abs(sleeve!.pit.x - (middle + side * half))).toBeLessThanOrEqual(1);
      const [seam, end] = sleeve!.strip.axis.points;
      expect((end!.x - seam!.x) * side).toBeGreaterThan(15);
      expect(end!.y).toBeGreaterThan(seam!.y);
    }
  });

  it('shows the inside of its back through the neck, and nowhere else', () => {
    const rows = [...shirt.opening.data.keys()]
      .filter((i) => shirt.opening.data[i])
      .map((i) => Math.floor(i / FLAT.width));
    expect(Math.min(...rows)).toBeLessThanOrEqual(21);
    expect(Math.abs(Math.max(...rows) - 44)).toBeLessThanOrEqual(3);
    for (const [n, side] of [-1, 1].entries()) {
      expect(Math.abs(shirt.neck[n]!.x - (middle + side * 17))).toBeLessThanOrEqual(3);
    }
  });

  it('is left and right alike, as it was drawn', () => {
    const [left, right] = shirt.sleeves;
    expect(left!.strip.axis.length).toBeCloseTo(right!.strip.axis.length, 0);
    for (let y = 30; y < hem; y += 10) expect(middle - shirt.left[y]!).toBeCloseTo(shirt.right[y]! - middle, 0);
  });

  it('has shoulders that are straight between the two ends of its neck', () => {
    const [one, other] = shirt.neck;
    expect(shirt.shoulderLine[middle]).toBeCloseTo((one.y + other.y) / 2, 1);
  });
});

it('reads a top without sleeves, and a neck in one colour as no opening', () => {
  expect(readShirt({ hasSleeves: false }).sleeves).toEqual([undefined, undefined]);
  expect(readShirt({ neck: 0 }).opening.data).not.toContain(1);
});

describe('what is no garment', () => {
  const table = drawRgb(FLAT, () => TABLE);
  it.each([
    ['nothing', () => false],
    ['a speck', (x: number, y: number) => Math.hypot(x - 80, y - 100) < 6],
    ['a strap that lies across', (_: number, y: number) => y > 90 && y < 110],
    ['a stick', (x: number, y: number) => Math.abs(x - 80) < 5 && y > 10],
  ])('gives nothing: %s', (_, isInside) => {
    expect(readGarment(table, toPlane(drawMask(FLAT, isInside)))).toBeUndefined();
  });

  it('gives nothing for a cover that is not a number, nor for a picture of one pixel', () => {
    expect(
      readGarment(
        table,
        drawPlane(FLAT, () => Number.NaN),
      ),
    ).toBeUndefined();
    const one = { width: 1, height: 1 };
    expect(
      readGarment(
        drawRgb(one, () => TABLE),
        drawPlane(one, () => 1),
      ),
    ).toBeUndefined();
  });

  it('throws nothing at a garment that fills the picture to its edges', () => {
    const cover = drawPlane(FLAT, () => 1);
    expect(readGarment(drawFlatShirt().picture, cover)?.bottom).toBe(FLAT.height - 1);
  });
});

/** One colour, drawn as a polygon on the table. */
function readOutline(points: Point[], size = FLAT) {
  const shape = fillPolygon(points, size);
  const picture = drawRgb(size, (x, y) => (shape.data[y * size.width + x] ? [40, 60, 110] : TABLE));
  const garment = readGarment(picture, toPlane(shape));
  if (!garment) throw new Error('the outline is no garment');
  return garment;
}

describe('the category', () => {
  it('of a shirt is tops', () => {
    expect(guessCategory(readShirt())).toBe('tops');
  });

  it('of what is nearly three times as long as its chest is wide is one-pieces', () => {
    const slim = [
      [70, 10],
      [75, 16],
      [85, 16],
      [90, 10],
      [112, 30],
      [100, 40],
      [100, 190],
      [60, 190],
      [60, 40],
      [48, 30],
    ].map(([x, y]) => ({ x: x!, y: y! }));
    expect(guessCategory(readOutline(slim))).toBe('one-pieces');
  });

  it('of two legs, and of a straight waist, is bottoms', () => {
    const legs = [
      [45, 20],
      [115, 20],
      [120, 190],
      [86, 190],
      [80, 90],
      [74, 190],
      [40, 190],
    ].map(([x, y]) => ({ x: x!, y: y! }));
    const skirt = [
      [55, 30],
      [105, 30],
      [125, 150],
      [35, 150],
    ].map(([x, y]) => ({ x: x!, y: y! }));
    for (const points of [legs, skirt]) expect(guessCategory(readOutline(points))).toBe('bottoms');
  });
});

describe('a shirt that lies elsewhere', () => {
  const { picture, cover } = drawFlatShirt();
  const shirt = readShirt();
  const place = (width: number, height: number, left: number, top: number, scale = 1) => {
    const at = (x: number, y: number) => {
      const [px, py] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)];
      return px >= 0 && py >= 0 && px < FLAT.width && py < FLAT.height ? py * FLAT.width + px : -1;
    };
    const size = { width, height };
    const moved = drawRgb(size, (x, y) => {
      const i = at(x, y);
      return i < 0 ? TABLE : [picture.data[3 * i]!, picture.data[3 * i + 1]!, picture.data[3 * i + 2]!];
    });
    return readGarment(
      moved,
      drawPlane(size, (x, y) => (at(x, y) < 0 ? 0 : cover.data[at(x, y)]!)),
    )!;
  };

  it('is read there, as large as before', () => {
    const moved = place(260, 240, 60, 25);
    expect(moved.middle).toBeCloseTo(shirt.middle + 60, 0);
    expect([moved.top, moved.bottom]).toEqual([shirt.top + 25, shirt.bottom + 25]);
    expect(Math.abs(moved.chest - shirt.chest)).toBeLessThan(2);
    for (const [n, sleeve] of moved.sleeves.entries()) {
      expect(Math.abs(sleeve!.pit.x - shirt.sleeves[n]!.pit.x - 60)).toBeLessThan(3);
      expect(Math.abs(sleeve!.pit.y - shirt.sleeves[n]!.pit.y - 25)).toBeLessThan(3);
    }
  });

  it('is read twice as large in a picture of twice the size', () => {
    const large = place(2 * FLAT.width, 2 * FLAT.height, 0, 0, 2);
    expect(Math.abs(large.chest / shirt.chest - 2)).toBeLessThan(0.06);
    expect(Math.abs(large.bottom - large.top - 2 * (shirt.bottom - shirt.top))).toBeLessThan(6);
    expect(large.sleeves.every((sleeve) => sleeve !== undefined)).toBe(true);
    expect(guessCategory(large)).toBe(guessCategory(shirt));
  });

  it('has its sides in order in every row, and its neck within them', () => {
    for (let y = shirt.top; y <= shirt.bottom; y += 1) expect(shirt.left[y]!).toBeLessThan(shirt.right[y]!);
    const [one, other] = shirt.neck;
    expect(one.x).toBeLessThan(shirt.middle);
    expect(other.x).toBeGreaterThan(shirt.middle);
    expect(shirt.opening.data.every((value, i) => !value || shirt.mask.data[i] === 1)).toBe(true);
  });
});
