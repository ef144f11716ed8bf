import { describe, expect, it } from 'vitest';
import { makeBodyPlan, makeWearer, PERSON, readShirt, ROOM } from '../../test/clothes.ts';
import { drawMask } from '../../test/draw.ts';
import { countOnes, dilate, threshold } from '../pixels/mask.ts';
import { makePlane, toPlane } from '../pixels/plane.ts';
import { softenShapes, type Fit } from './fit-parts.ts';
import { coverSleeve, planSleeves, type SleevePlan } from './fit-sleeves.ts';
import type { Garment } from './garment.ts';
import { makeAxis } from './sleeve.ts';

const wearer = makeWearer();
const shirt = readShirt();
const shapes = softenShapes(wearer, shirt);
const plan = (who = wearer, what: Garment = shirt) => planSleeves(who, what, makeBodyPlan(who, what));

/** The shirt with sleeves so many times as long. */
function stretch(times: number): Garment {
  const sleeves = shirt.sleeves.map((sleeve) => {
    const [seam, end] = sleeve!.strip.axis.points;
    const far = { x: seam!.x + times * (end!.x - seam!.x), y: seam!.y + times * (end!.y - seam!.y) };
    return { ...sleeve!, strip: { ...sleeve!.strip, axis: makeAxis([seam!, far]) } };
  });
  return { ...shirt, sleeves: [sleeves[0], sleeves[1]] };
}

/** The person with sleeves of the old shirt that end at this row, on one side or on both. */
function withSleeves(endRow: number, side?: 'left'): typeof wearer {
  const isArm = (x: number) => Math.abs(x - PERSON.middle) > PERSON.half + 2;
  const isChanged = (x: number) => isArm(x) && (side === undefined || x < PERSON.middle);
  const arms = drawMask(ROOM, (x, y) => {
    const i = y * ROOM.width + x;
    return isArm(x) && (wearer.top.data[i]! > 0.5 || wearer.skin.data[i] === 1);
  });
  const top = drawMask(ROOM, (x, y) => {
    const i = y * ROOM.width + x;
    return isChanged(x) ? arms.data[i] === 1 && y <= endRow : wearer.top.data[i]! > 0.5;
  });
  const skin = drawMask(ROOM, (x, y) => {
    const i = y * ROOM.width + x;
    return isChanged(x) ? arms.data[i] === 1 && y > endRow : wearer.skin.data[i] === 1;
  });
  return { ...wearer, top: toPlane(top), skin };
}

describe('the plan of the sleeves', () => {
  it('is as long as the old ones, where the garment’s are not much longer', () => {
    const [left, right] = plan()!;
    for (const { coversArm, end, oldEnd } of [left, right]) {
      expect(coversArm).toBe(false);
      expect(end).toBe(oldEnd);
    }
    expect(Math.abs(left.end - right.end)).toBeLessThan(3);
  });

  it('goes down the arm with a much longer sleeve, and never beyond the wrist', () => {
    const [half, whole, endless] = [2.5, 3.2, 9].map((times) => plan(wearer, stretch(times))![0]) as [
      SleevePlan,
      SleevePlan,
      SleevePlan,
    ];
    for (const { coversArm } of [half, whole, endless]) expect(coversArm).toBe(true);
    expect(half.end).toBeLessThan(whole.end);
    expect(endless.end).toBeLessThan(wearer.arms[0].length);
  });

  it('narrows down the arm, without the step at which a wider old sleeve ends', () => {
    const cloth = threshold(wearer.top, 0.5);
    const around = dilate(cloth, 5).data;
    const isWide = (x: number, y: number) => Math.abs(x - PERSON.middle) > PERSON.half + 2 && y <= PERSON.sleeveEnd;
    const top = drawMask(ROOM, (x, y) => (isWide(x, y) ? around : cloth.data)[y * ROOM.width + x] === 1);
    const { arm } = plan({ ...wearer, top: toPlane(top) }, stretch(3))![1];
    const widths = Array.from(arm.to, (to, step) => to - arm.from[step]!);
    for (const [step, width] of widths.entries()) {
      expect(width).toBeGreaterThan(8);
      if (step > 0) expect(Math.abs(width - widths[step - 1]!)).toBeLessThan(1);
    }
  });

  it.each([
    ['the old sleeves are long and the new ones short: nobody knows the arms', withSleeves(160), shirt],
    ['one old sleeve is long', withSleeves(160, 'left'), stretch(3)],
    ['one old sleeve is missing', withSleeves(66, 'left'), stretch(3)],
    ['the garment has no sleeves, and the old one has', wearer, readShirt({ hasSleeves: false })],
  ])('is none where %s', (_, who, what) => {
    expect(plan(who, what)).toBeUndefined();
  });

  it('is there for long sleeves over long ones', () => {
    expect(plan(withSleeves(150), stretch(3))).toBeDefined();
  });
});

/** What the sleeve of the picture's left hides at one place. */
function coverAt(x: number, y: number, own: SleevePlan, who = wearer): { cover: number; gone: number } {
  const plane = () => makePlane(ROOM).data;
  const fit: Fit = { x: plane(), y: plane(), cover: plane(), bare: plane(), keep: plane(), gone: plane() };
  const i = Math.round(y) * ROOM.width + Math.round(x);
  const body = makeBodyPlan(who, shirt);
  const fitting = { fit, wearer: who, garment: shirt, body, shapes: softenShapes(who, shirt) };
  coverSleeve(fitting, Math.round(x), Math.round(y), own, 0);
  return { cover: fit.cover[i]!, gone: fit.gone[i]! };
}

describe('a sleeve', () => {
  const along = (share: number) => {
    const [start, end] = wearer.arms[0].points as [{ x: number; y: number }, { x: number; y: number }];
    return { x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y) };
  };

  it('of the old length hides what the old one hid, and nothing else', () => {
    const [own] = plan()!;
    for (const share of [0.1, 0.2, 0.6, 0.9]) {
      const { x, y } = along(share);
      const i = Math.round(y) * ROOM.width + Math.round(x);
      expect(coverAt(x, y, own).cover).toBe(wearer.top.data[i]);
    }
  });

  it('that is longer hides the arm down to its end, and not the hand', () => {
    const [own] = plan(wearer, stretch(2.5))!;
    const share = own.end / wearer.arms[0].length;
    for (const part of [0.3, 0.6, 0.9]) {
      const { x, y } = along(part * share);
      expect(coverAt(x, y, own).cover).toBe(1);
    }
    const { x, y } = along(share + 0.06);
    expect(coverAt(x, y, own)).toEqual({ cover: 0, gone: 0 });
  });

  it('takes the wider old one away beside it, and shows what is behind', () => {
    const wide = drawMask(ROOM, (x, y) => x < PERSON.middle - PERSON.half && x > 20 && y > 64 && y < 104);
    const cloth = { ...wearer.top, data: wearer.top.data.map((share, i) => Math.max(share, wide.data[i]!)) };
    const who = { ...wearer, top: cloth, figure: toPlane(dilate(wide, 1)) };
    const [own] = plan(wearer, stretch(2.5))!;
    const { cover, gone } = coverAt(25, 90, own, who);
    expect(cover).toBe(0);
    expect(gone).toBeGreaterThan(0.9);
  });
});

describe('soft shapes', () => {
  it('are shares, as large as the pictures that they belong to', () => {
    for (const [name, size] of [
      ['solid', shirt.mask],
      ['open', shirt.mask],
      ['oldTop', ROOM],
      ['figure', ROOM],
      ['hands', ROOM],
    ] as const) {
      expect(shapes[name]).toHaveLength(size.width * size.height);
      expect(shapes[name].every((share) => share >= 0 && share <= 1.0001)).toBe(true);
    }
  });

  it('hide the old clothes with the rim that their edge has coloured, and the hands with theirs', () => {
    expect(shapes.oldTop.every((share, i) => share > 0.9 || wearer.top.data[i]! <= 0.5)).toBe(true);
    const rim = 120 * ROOM.width + PERSON.middle + PERSON.half + 2;
    expect(wearer.top.data[rim]).toBe(0);
    expect(shapes.oldTop[rim]).toBeGreaterThan(0.3);
    expect(shapes.hands.filter(Boolean).length).toBeGreaterThan(1.1 * countOnes(wearer.skin));
    expect(shapes.hands.every((value, i) => value === 1 || wearer.skin.data[i] === 0)).toBe(true);
  });

  it('part the fabric from the opening at the neck: no place is wholly both', () => {
    expect(shapes.solid.every((share, i) => share + shapes.open[i]! < 1.01)).toBe(true);
    expect(shapes.open[30 * shirt.mask.width + 80]).toBeGreaterThan(0.9);
    expect(shapes.solid[130 * shirt.mask.width + 80]).toBeGreaterThan(0.99);
  });
});
