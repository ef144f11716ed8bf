import { describe, expect, it } from 'vitest';
import { drawPerson, makeWearer, PERSON, ROOM, TROUSERS, WORN } from '../../test/clothes.ts';
import { countOnes, keepWhere, overlap, threshold } from '../pixels/mask.ts';
import { readWearer } from './wearer.ts';

const at = ({ data }: { data: ArrayLike<number> }, x: number, y: number) =>
  data[Math.round(y) * ROOM.width + Math.round(x)];

describe('a wearer seen from the front', () => {
  const wearer = makeWearer();

  it('has the shirt that the network detects, slightly extended', () => {
    const upper = threshold(drawPerson().worn.upper, 0.5);
    const top = threshold(wearer.top, 0.5);
    expect(overlap(top, upper)).toBeGreaterThan(0.9);
    expect(countOnes(keepWhere(upper, (i) => !top.data[i]))).toBeLessThan(0.01 * countOnes(upper));
  });

  it("has the shirt's sides, hem and chest without the arms", () => {
    const row = PERSON.pitRow + 20;
    expect(Math.abs(wearer.left[row]! - (PERSON.middle - PERSON.half))).toBeLessThan(3);
    expect(Math.abs(wearer.right[row]! - (PERSON.middle + PERSON.half))).toBeLessThan(3);
    expect(Math.abs(wearer.hem - PERSON.hem)).toBeLessThan(3);
    expect(wearer.isHemVisible).toBe(true);
    expect(Math.abs(wearer.chest - 2 * PERSON.half)).toBeLessThan(6);
  });

  it("has the sleeves' ends, and arms down to the wrists", () => {
    for (const side of [0, 1] as const) {
      expect(wearer.arms[side].length).toBeGreaterThan(70);
      expect(wearer.sleeves[side].end).toBeGreaterThan(12);
      expect(wearer.sleeves[side].end).toBeLessThan(36);
    }
  });

  it('has bare skin on neck and arms, but not on cloth or wall', () => {
    expect(at(wearer.bare, PERSON.middle, 50)).toBe(1);
    expect(at(wearer.bare, PERSON.middle + 55, 140)).toBe(1);
    expect(at(wearer.bare, PERSON.middle, 120)).toBe(0);
    expect(at(wearer.bare, 4, 4)).toBe(0);
    expect(countOnes(wearer.lower)).toBeGreaterThan(0);
  });
});

it('has a torso without the ends of short sleeves that touch it', () => {
  const { picture, pose, worn } = drawPerson();
  const [row, away] = [116, PERSON.half + 12];
  const isCuff = (i: number) => {
    const [x, y] = [(i % ROOM.width) - PERSON.middle, Math.floor(i / ROOM.width)];
    return x > 0 && x < away && Math.abs(y - row) < 5;
  };
  const upper = { ...worn.upper, data: worn.upper.data.map((value, i) => (isCuff(i) ? 1 : value)) };
  const data = picture.data.map((value, n) => (isCuff(Math.floor(n / 3)) ? WORN[n % 3]! : value));
  const wearer = readWearer({ ...picture, data }, pose, { ...worn, upper })!;
  expect(at(wearer.top, PERSON.middle + away - 4, row)).toBeGreaterThan(0.9);
  expect(Math.abs(wearer.right[row]! - (PERSON.middle + PERSON.half))).toBeLessThan(8);
});

it('shows no end of a sleeve if elbow and wrist are unseen: the hand of the other arm may be before it', () => {
  const { picture, pose, worn } = drawPerson();
  const { leftElbow: _elbow, leftWrist: _wrist, ...joints } = pose.joints;
  const seen = makeWearer().sleeves.map(({ isEndVisible }) => isEndVisible);
  const wearer = readWearer(picture, { ...pose, joints }, worn)!;
  expect(seen).toEqual([true, true]);
  expect(wearer.sleeves.map(({ isEndVisible }) => isEndVisible)).toEqual([true, false]);
});

it("ends at the photo's border if no hem is visible", () => {
  expect(makeWearer({ hem: ROOM.height })).toMatchObject({ hem: ROOM.height, isHemVisible: false });
});

it('is undefined if the network detects no clothes, or is uncertain', () => {
  const { picture, pose, worn } = drawPerson();
  const none = { ...worn.upper, data: new Float32Array(worn.upper.data.length) };
  expect(readWearer(picture, pose, { ...worn, upper: none })).toBeUndefined();
  const torn = worn.upper.data.map((value, i) => (i % ROOM.width > PERSON.middle ? 0.55 * value : value));
  expect(readWearer(picture, pose, { ...worn, upper: { ...worn.upper, data: torn } })).toBeUndefined();
});

it('ignores detections below the hem that are no sleeves, like trousers', () => {
  const { picture, pose, worn } = drawPerson();
  const spilled = worn.upper.data.map((value, i) => Math.max(value, i > 205 * ROOM.width ? worn.lower.data[i]! : 0));
  const wearer = readWearer(picture, pose, { ...worn, upper: { ...worn.upper, data: spilled } });
  const below = wearer!.top.data.subarray(208 * ROOM.width);
  expect(below.some((value) => value > 0.1)).toBe(false);
});

it('ignores uncertain detections below the hem, like a waistband', () => {
  const { picture, pose, worn } = drawPerson();
  const isBand = (i: number) => i > (PERSON.hem + 1) * ROOM.width && i < (PERSON.hem + 7) * ROOM.width;
  const upper = worn.upper.data.map((value, i) => (isBand(i) ? 0.6 * worn.lower.data[i]! : value));
  const isMixed = (i: number) => isBand(Math.floor(i / 3)) && worn.lower.data[Math.floor(i / 3)] === 1;
  const data = picture.data.map((value, i) => (isMixed(i) ? (WORN[i % 3]! + TROUSERS[i % 3]!) / 2 : value));
  const wearer = readWearer({ ...picture, data }, pose, { ...worn, upper: { ...worn.upper, data: upper } });
  const band = wearer!.top.data.filter((_, i) => isBand(i));
  expect(Math.max(...band)).toBeLessThan(0.2);
});

it('includes a collar of another colour, without the skin beside it', () => {
  const { picture, pose, worn } = drawPerson();
  const isCollar = (i: number) => {
    const [x, y] = [i % ROOM.width, Math.floor(i / ROOM.width)];
    return y >= PERSON.shoulderRow - 1 && y < PERSON.shoulderRow && Math.abs(x - PERSON.middle) < 20;
  };
  const data = picture.data.map((value, n) => (isCollar(Math.floor(n / 3)) ? 250 : value));
  const person = worn.person.data.map((value, i) => (isCollar(i) ? 1 : value));
  const wearer = readWearer({ ...picture, data }, pose, { ...worn, person: { ...worn.person, data: person } });
  const row = (PERSON.shoulderRow - 1) * ROOM.width + PERSON.middle;
  expect(wearer!.top.data[row + 17]).toBeGreaterThan(0.5);
  expect(wearer!.top.data[row - 8 * ROOM.width]).toBe(0);
});

it("includes all of a light collar beside a bald head's neck", () => {
  const { picture, pose, worn } = drawPerson();
  const isCollar = (i: number) => {
    const [away, y] = [Math.abs((i % ROOM.width) - PERSON.middle), Math.floor(i / ROOM.width)];
    return y >= PERSON.shoulderRow - 8 && y < PERSON.shoulderRow && away > 11 && away < 17;
  };
  const data = picture.data.map((value, n) => (isCollar(Math.floor(n / 3)) ? 245 : value));
  const person = worn.person.data.map((value, i) => (isCollar(i) ? 1 : value));
  const wearer = readWearer({ ...picture, data }, pose, { ...worn, person: { ...worn.person, data: person } });
  expect(at(wearer!.top, PERSON.middle + 14, PERSON.shoulderRow - 5)).toBeGreaterThan(0.9);
  expect(at(wearer!.top, PERSON.middle, PERSON.shoulderRow - 5)).toBe(0);
});

it.each([
  ['a tie along the middle', 0, true],
  ['a strap beside it', 26, false],
  ['what a hand holds there', 0, false],
])('includes %s in the clothes or not', (name, aside, isWorn) => {
  const { picture, pose, worn } = drawPerson();
  const isTie = (i: number) => {
    const [x, y] = [i % ROOM.width, Math.floor(i / ROOM.width)];
    return y >= PERSON.shoulderRow + 20 && y < PERSON.hem - 30 && Math.abs(x - PERSON.middle - aside) < 5;
  };
  const data = picture.data.map((value, n) => (isTie(Math.floor(n / 3)) ? [200, 160, 20][n % 3]! : value));
  const upper = { ...worn.upper, data: worn.upper.data.map((value, i) => (isTie(i) ? 0 : value)) };
  const middle = { x: PERSON.middle, y: (PERSON.shoulderRow + PERSON.hem) / 2 };
  const joints = name.includes('hand') ? { ...pose.joints, leftWrist: { ...middle, score: 1 } } : pose.joints;
  const wearer = readWearer({ ...picture, data }, { ...pose, joints }, { ...worn, upper });
  expect(at(wearer!.top, middle.x + aside, middle.y)! > 0.5).toBe(isWorn);
});

it.each([
  ['a small thing', 0.3, true],
  ['a bag as wide as most of it', 0.7, false],
])('is detected or not behind %s on the chest', (_, share, isDetected) => {
  const { picture, pose, worn } = drawPerson();
  const isBag = (i: number) => {
    const [x, y] = [i % ROOM.width, Math.floor(i / ROOM.width)];
    return y > PERSON.shoulderRow + 4 && y < PERSON.hem - 20 && Math.abs(x - PERSON.middle) < share * PERSON.half;
  };
  const data = picture.data.map((value, n) => (isBag(Math.floor(n / 3)) ? [200, 160, 30][n % 3]! : value));
  const upper = { ...worn.upper, data: worn.upper.data.map((value, i) => (isBag(i) ? 0 : value)) };
  expect(readWearer({ ...picture, data }, pose, { ...worn, upper }) !== undefined).toBe(isDetected);
});
