import { describe, expect, it } from 'vitest';
import { cutPerson, makeWearer, PERSON, readShirt, ROOM, SHIRT, SKIN, CLOTH } from '../../test/clothes.ts';
import { erode, threshold } from '../pixels/mask.ts';
import { fitGarment, type Fit, type Misfit } from './fit.ts';
import type { Garment } from './garment.ts';
import { eachSide, makeAxis, mix } from './sleeve.ts';
import { measureLight, paintGarment } from './wear.ts';
import type { Wearer } from './wearer.ts';

const wearer = makeWearer();
const shirt = readShirt({ neck: 14 });
const at = (plane: ArrayLike<number>, x: number, y: number) => plane[y * ROOM.width + x]!;

function mustFit(fit: Fit | Misfit): Fit {
  if (typeof fit === 'string') throw new Error(`does not fit: ${fit}`);
  return fit;
}

describe('a fitted shirt', () => {
  const fit = mustFit(fitGarment(wearer, shirt));

  it('covers all of the old shirt, but neither head nor trousers', () => {
    const inner = erode(threshold(wearer.top, 0.9), 1).data;
    for (const [i, isWorn] of inner.entries()) if (isWorn) expect(fit.alpha[i]).toBeGreaterThan(0.9);
    expect(at(fit.alpha, PERSON.middle, 25)).toBe(0);
    expect(at(fit.alpha, PERSON.middle, 205)).toBe(0);
  });

  it("aligns chest with chest: its sides meet the body's, and its axis stays centred", () => {
    const row = 130;
    expect(Math.abs(at(fit.x, PERSON.middle, row) - shirt.middle)).toBeLessThan(4);
    expect(Math.abs(at(fit.x, PERSON.middle - PERSON.half + 2, row) - (SHIRT.middle - SHIRT.half))).toBeLessThan(7);
    expect(Math.abs(at(fit.x, PERSON.middle + PERSON.half - 2, row) - (SHIRT.middle + SHIRT.half))).toBeLessThan(7);
  });

  it('maps rows monotonically from shoulder to hem, and every pixel into the cloth', () => {
    for (let y = 80; y < PERSON.hem - 4; y += 1) {
      expect(at(fit.y, PERSON.middle, y + 1)).toBeGreaterThanOrEqual(at(fit.y, PERSON.middle, y) - 0.01);
    }
    for (const [i, alpha] of fit.alpha.entries()) {
      if (alpha <= 0) continue;
      const place = Math.round(fit.y[i]!) * shirt.mask.width + Math.round(fit.x[i]!);
      expect(shirt.mask.data[place]).toBe(1);
    }
  });

  it('has the new colours, and leaves skin and head unchanged', () => {
    const painted = paintGarment(wearer.picture, wearer, shirt.picture, shirt.toOriginal, fit, measureLight(wearer));
    const colour = (x: number, y: number) => [
      ...painted.subarray(3 * (y * ROOM.width + x), 3 * (y * ROOM.width + x) + 3),
    ];
    for (const [c, value] of CLOTH.entries()) expect(Math.abs(colour(PERSON.middle, 130)[c]! - value)).toBeLessThan(12);
    expect(colour(PERSON.middle, 30)).toEqual([...SKIN]);
    expect(colour(PERSON.middle + 56, 144)).toEqual([...SKIN]);
  });
});

describe('a garment that would bare more than the old clothes', () => {
  it('is refused without sleeves or with much shorter ones', () => {
    expect(fitGarment(makeWearer({ sleeveEnd: 160 }), shirt)).toBe('sleeves');
    expect(fitGarment(makeWearer({ sleeveEnd: 130 }), { ...shirt, sleeves: [undefined, undefined] })).toBe('sleeves');
  });

  it('is refused with straps over the sleeves of a T-shirt, but not with whole shoulders', () => {
    const { mask, middle, pits } = shirt;
    const isBare = (i: number) =>
      Math.floor(i / mask.width) < pits[0].y && Math.abs(Math.abs((i % mask.width) - middle) - 14) > 3;
    const straps = { ...mask, data: mask.data.map((cloth, i) => (isBare(i) ? 0 : cloth)) };
    const sleeveless: Garment = { ...shirt, sleeves: [undefined, undefined] };
    const short = makeWearer({ sleeveEnd: 92 });
    expect(fitGarment(short, sleeveless)).toBeTypeOf('object');
    expect(fitGarment(short, { ...sleeveless, mask: straps })).toBe('sleeves');
  });

  it('is accepted with nearly long sleeves if the arm is estimated too long', () => {
    const whole = readShirt({ neck: 14, isLong: true });
    const sleeves = eachSide((n) => {
      const { axis, ...strip } = whole.sleeves[n]!;
      return { ...strip, axis: makeAxis([axis.points[0]!, mix(axis.points[0]!, axis.points.at(-1)!, 0.65)]) };
    });
    const fitOn = (longer: number) => {
      const arms = eachSide((n) => {
        const [seam, elbow, wrist] = wearer.arms[n].points;
        return makeAxis([seam!, elbow!, { x: wrist!.x, y: wrist!.y + longer }]);
      });
      const worn = eachSide((n) => ({ end: arms[n].length, isEndVisible: true }));
      return fitGarment({ ...wearer, arms, sleeves: worn }, { ...whole, sleeves });
    };
    for (const longer of [0, 20]) expect(fitOn(longer)).toBeTypeOf('object');
  });

  it('is refused if it is much shorter', () => {
    expect(fitGarment(wearer, { ...shirt, bottom: 80 })).toBe('length');
  });

  it('is refused with a much lower neckline, unless it is a jacket worn open', () => {
    const deep = readShirt({ neck: 46 });
    expect(fitGarment(wearer, { ...deep, opening: { ...deep.opening, depth: 0.55 } })).toBe('neckline');
    const open = mustFit(fitGarment(wearer, { ...deep, opening: { ...deep.opening, depth: 0.68 } }));
    expect(at(open.alpha, PERSON.middle, PERSON.shoulderRow + 8)).toBeLessThan(0.3);
  });
});

describe('a slightly lower neckline', () => {
  const deep = readShirt({ neck: 28 });
  const fit = mustFit(fitGarment(wearer, deep));
  const bared = (PERSON.shoulderRow + 8) * ROOM.width + PERSON.middle;

  it('bares what the old one hid, and no more of the chest', () => {
    expect(fit.skin[bared]).toBeGreaterThan(0.9);
    expect(at(fit.skin, PERSON.middle, 120)).toBe(0);
    expect(at(fit.skin, PERSON.middle - PERSON.half + 4, PERSON.shoulderRow + 8)).toBeLessThan(0.1);
  });

  it('bares the old collar that reaches higher than the garment', () => {
    const collar = { x: PERSON.middle, y: PERSON.shoulderRow - 12 };
    const isCollar = (i: number) =>
      Math.abs((i % ROOM.width) - collar.x) < 9 && Math.abs(Math.floor(i / ROOM.width) - collar.y) < 12;
    const top = { ...wearer.top, data: wearer.top.data.map((worn, i) => (isCollar(i) ? 1 : worn)) };
    expect(at(mustFit(fitGarment({ ...wearer, top }, deep)).skin, collar.x, collar.y)).toBeGreaterThan(0.9);
  });

  it('does not fit over a tall collar beside the neck, which would look like one of its own', () => {
    const withCollar = (tall: number) => {
      const isCollar = (i: number) => {
        const [away, above] = [Math.abs((i % ROOM.width) - PERSON.middle), PERSON.shoulderRow - i / ROOM.width];
        return away > 14 && away < 25 && above > 0 && above < tall;
      };
      return { ...wearer, top: { ...wearer.top, data: wearer.top.data.map((worn, i) => (isCollar(i) ? 1 : worn)) } };
    };
    expect(fitGarment(withCollar(4), deep)).toBeTypeOf('object');
    expect(fitGarment(withCollar(24), deep)).toBe('neckline');
  });

  it('is filled with skin', () => {
    const painted = paintGarment(wearer.picture, wearer, deep.picture, deep.toOriginal, fit, measureLight(wearer));
    for (const [c, value] of SKIN.entries()) expect(Math.abs(painted[3 * bared + c]! - value)).toBeLessThan(12);
  });

  it('is pulled up nearly to the old one if a hanger bent it, so that collars keep both leaves', () => {
    const lowestBared = (skin: Float32Array) => Math.floor(skin.findLastIndex((share) => share > 0.5) / ROOM.width);
    const old = wearer.contour[PERSON.middle]!;
    const lying = lowestBared(fit.skin);
    const hung = lowestBared(mustFit(fitGarment(wearer, { ...deep, cut: 'hanging' })).skin);
    expect(hung).toBeLessThan(lying - 2);
    expect(Math.abs(hung - old - 0.12 * wearer.pose.shoulderWidth)).toBeLessThan(3);
    const fitAs = (cut: Garment['cut'], depth: number) =>
      fitGarment(wearer, { ...deep, cut, opening: { ...deep.opening, depth } });
    expect(fitAs('plain', 0.46)).toBe('neckline');
    expect(fitAs('hanging', 0.46)).toBeTypeOf('object');
    expect(fitAs('hanging', 0.58)).toBe('neckline');
  });
});

it('has a round neckline if a hanger drew the collar to a box', () => {
  const { opening, mask } = readShirt({ neck: 26 });
  const [top, bottom] = [opening.line[0]!.y, Math.max(...opening.line.map(({ y }) => y))];
  const line = opening.line.map(({ x }, n) => ({ x, y: n % (opening.line.length - 1) === 0 ? top : bottom }));
  const isInBox = (x: number, y: number) => x > line[0]!.x && x < line.at(-1)!.x && y < bottom;
  const box = { ...mask, data: mask.data.map((_, i) => Number(isInBox(i % mask.width, Math.floor(i / mask.width)))) };
  const bared = (cut: Garment['cut']) => {
    const { skin } = mustFit(fitGarment(wearer, { ...shirt, cut, opening: { ...opening, line, mask: box } }));
    const row = PERSON.shoulderRow + 5;
    return skin.subarray(row * ROOM.width, (row + 1) * ROOM.width).filter((share) => share > 0.5).length;
  };
  expect(bared('hanging')).toBeGreaterThan(2);
  expect(bared('hanging')).toBeLessThan(bared('plain') - 3);
});

/** The wearer with bare skin where the function is true. */
function bareWhere(isBare: (x: number, y: number) => boolean): Wearer {
  const isOpen = (i: number) => isBare(i % ROOM.width, Math.floor(i / ROOM.width));
  return {
    ...wearer,
    top: { ...wearer.top, data: wearer.top.data.map((worn, i) => (isOpen(i) ? 0 : worn)) },
    bare: { ...wearer.bare, data: wearer.bare.data.map((bare, i) => (isOpen(i) ? 1 : bare)) },
    contour: wearer.contour.map((row, x) => {
      let y = row;
      while (y >= 0 && isBare(x, y)) y += 1;
      return y;
    }),
    isSkin: (i) => isOpen(i) || wearer.isSkin(i),
  };
}

it('covers a chest that was bare, but not a hand before it', () => {
  const [x, y] = [PERSON.middle + 4, PERSON.shoulderRow + 8];
  const scooped = bareWhere((column, row) => Math.hypot(column - x, row - y) < 6);
  const high = readShirt({ neck: 4 });
  expect(at(mustFit(fitGarment(scooped, high)).alpha, x, y)).toBeGreaterThan(0.9);
  const pose = { ...wearer.pose, joints: { ...wearer.pose.joints, leftWrist: { x, y, score: 1 } } };
  expect(at(mustFit(fitGarment({ ...scooped, pose }, high)).alpha, x, y)).toBeLessThan(0.1);
});

it('covers even skin beside the neck, but no hair of its colour', () => {
  const [x, y] = [PERSON.middle + 22, PERSON.shoulderRow + 8];
  const beside = bareWhere((column, row) => Math.abs(column - x) < 8 && Math.abs(row - y) < 8);
  const high = readShirt({ neck: 4 });
  expect(
    at(
      mustFit(
        fitGarment(
          paint(beside, () => SKIN),
          high,
        ),
      ).alpha,
      x,
      y,
    ),
  ).toBeGreaterThan(0.9);
  const strands = paint(beside, (column) => (column % 4 < 2 ? SKIN : [150, 100, 75]));
  expect(at(mustFit(fitGarment(strands, high)).alpha, x, y)).toBeLessThan(0.1);
});

/** Paints the wearer's bare parts. */
function paint(on: Wearer, colourAt: (x: number) => readonly number[]): Wearer {
  const { width, data } = on.picture;
  const painted = data.map((byte, n) => {
    const i = Math.floor(n / 3);
    return on.bare.data[i] ? colourAt(i % width)[n % 3]! : byte;
  });
  return { ...on, picture: { ...on.picture, data: painted } };
}

it('keeps its own neckline over a V-neck', () => {
  const depth = 34;
  const isV = (x: number, y: number) => Math.abs(x - PERSON.middle) < 10 * (1 - (y - PERSON.shoulderRow) / depth);
  const inV = bareWhere((x, y) => y >= PERSON.shoulderRow && y < PERSON.shoulderRow + depth && isV(x, y));
  const { alpha, skin } = mustFit(fitGarment(inV, readShirt({ neck: 4 })));
  for (const below of [10, 14, 20]) {
    expect(at(alpha, PERSON.middle, PERSON.shoulderRow + below)).toBeGreaterThan(0.9);
    expect(at(skin, PERSON.middle, PERSON.shoulderRow + below)).toBeLessThan(0.05);
  }
});

it('stays below the chin if the photo ends above the armpits', () => {
  const cut = cutPerson(PERSON.pitRow - 10);
  const { alpha } = mustFit(fitGarment(cut, shirt));
  for (let i = 0; i < (PERSON.shoulderRow - 12) * ROOM.width; i += 1) expect(alpha[i]).toBe(0);
  const beside = (PERSON.shoulderRow - 8) * ROOM.width + PERSON.middle + 20;
  expect(alpha[beside]).toBe(0);
});

describe('a hem', () => {
  /** Rows below the old hem that the garment covers at the wearer's centre. */
  const hangs = (change: Partial<Garment>, x = PERSON.middle) => {
    const { alpha } = mustFit(fitGarment(wearer, { ...shirt, ...change }));
    let y = PERSON.hem;
    while (y < ROOM.height && at(alpha, x, y) > 0.5) y += 1;
    return y - PERSON.hem;
  };

  it('lies on the old one if the garment is about as long', () => {
    for (const bottom of [130, 150]) expect(hangs({ bottom })).toBeLessThan(4);
    expect(hangs({ cut: 'hanging' })).toBeLessThan(4); // long for its width, which folds hide
    expect(hangs({ cut: 'hanging', bottom: 105 })).toBeLessThan(4); // laid flat, with its sleeves beside the body
  });

  it('hangs lower if the garment is longer, complete and slightly compressed', () => {
    const long = hangs({});
    expect(long).toBeGreaterThan(4);
    expect(long).toBeLessThan(SHIRT.hem - 150);
  });

  it('has the shape of its own, like the tails of a shirt', () => {
    const { mask, middle } = shirt;
    const isCut = (i: number) => Math.floor(i / mask.width) > SHIRT.hem - 12 && (i % mask.width) - middle > 20;
    const round = { ...mask, data: mask.data.map((cloth, i) => (isCut(i) ? 0 : cloth)) };
    const [side, other] = [PERSON.middle + 26, PERSON.middle - 26];
    expect(hangs({ mask: round }, side)).toBeLessThan(hangs({}, side) - 3);
    expect(hangs({ mask: round }, other)).toBe(hangs({}, other));
  });
});

describe('longer sleeves than the old ones', () => {
  const long = readShirt({ neck: 14, isLong: true });

  it('cover the arms', () => {
    const fit = mustFit(fitGarment(wearer, long));
    expect(at(fit.alpha, PERSON.middle + 52, 126)).toBeGreaterThan(0.9);
  });

  it('reach the hands if they hang low beside the garment, however short they appear', () => {
    const sleeves = long.sleeves.map((sleeve) => {
      const [seam, end] = sleeve!.axis.points;
      return { ...sleeve!, axis: makeAxis([seam!, { x: end!.x, y: 150 }]) };
    });
    const hung = { ...long, chest: 130, sleeves: [sleeves[0]!, sleeves[1]!] as Garment['sleeves'] };
    expect(at(mustFit(fitGarment(wearer, hung)).alpha, PERSON.middle + 58, 150)).toBeGreaterThan(0.9);
  });

  it('equal the old ones if the photo cuts those off', () => {
    const cut = cutPerson(102);
    const fit = mustFit(fitGarment(cut, long));
    const i = 98 * ROOM.width + PERSON.middle + 46;
    expect(cut.top.data[i]).toBeGreaterThan(0.9);
    expect(fit.x[i]! - SHIRT.middle).toBeGreaterThan(SHIRT.half);
  });
});

it('covers a necklace between the old neckline and a higher new one', () => {
  const { width } = ROOM;
  const bare = { ...wearer.bare, data: wearer.bare.data.slice() };
  const top = { ...wearer.top, data: wearer.top.data.slice() };
  const contour = wearer.contour.slice();
  for (let x = PERSON.middle - 10; x <= PERSON.middle + 10; x += 1) {
    contour[x] = 84;
    for (let y = PERSON.shoulderRow; y < 84; y += 1) {
      top.data[y * width + x] = 0;
      bare.data[y * width + x] = 1;
    }
  }
  const necklace = 78 * width;
  const isSkin = (i: number) => i < necklace || i >= necklace + width;
  const fit = mustFit(fitGarment({ ...wearer, bare, top, contour, isSkin }, shirt));
  expect(fit.alpha[necklace + PERSON.middle]).toBeGreaterThan(0.9);
});
