import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeStage, PHOTO, SUBJECT } from '../../test/stage.ts';
import { makePainter } from './draw.ts';
import type { Effect, Moment } from './canvas.ts';
import type { EffectName } from '../words/motion.ts';
import { makeEffect } from './director.ts';
import { particleKinds } from './particle-kinds.ts';
import { AT_REST } from './pose.ts';
import { findSubject } from './subject.ts';
import { toRgb } from './yuv.ts';

const FIRST: Moment = { pose: AT_REST, t: 0, seconds: 0 };
const LATER: Moment = { pose: AT_REST, t: 0.5, seconds: 1.5 };
const effects = [...Object.keys(particleKinds), 'sweep'] as EffectName[];

const stage = await makeStage();
const flat = await makeFlatStage();

function paint(moment: Moment, some: Effect[], on = stage): Uint8Array {
  const painter = makePainter(on);
  painter.paint(moment, some);
  return painter.canvas.bytes;
}
const meanStep = (one: Uint8Array, other: Uint8Array) =>
  one.reduce((sum, value, n) => sum + Math.abs(value - other[n]!), 0) / one.length;

const bare = paint(FIRST, []);

describe('the stage at rest', () => {
  it('equals the photo', () => {
    const painter = makePainter(stage);
    painter.paint(FIRST, []);
    const shown = toRgb(painter.canvas);
    // chroma has half the resolution: at edges a pixel may differ much
    expect(meanStep(shown, PHOTO.data)).toBeLessThan(3);
    const light = (rgb: Uint8Array, i: number) =>
      0.2126 * rgb[3 * i]! + 0.7152 * rgb[3 * i + 1]! + 0.0722 * rgb[3 * i + 2]!;
    for (let i = 0; i < 96 * 96; i += 1) expect(Math.abs(light(shown, i) - light(PHOTO.data, i))).toBeLessThan(3);
  });

  it("states the product's alpha per pixel", () => {
    const painter = makePainter(stage);
    painter.paint(FIRST, []);
    const sum = painter.canvas.alpha.reduce((so, value) => so + value, 0);
    expect(sum).toBeCloseTo((BOX.right - BOX.left) * (BOX.bottom - BOX.top), 0);
  });

  it('has no product in its backdrop', () => {
    const { backdrop, margin } = stage;
    for (let y = BOX.top + 4; y < BOX.bottom - 4; y += 3) {
      const luma = backdrop.y.data[(y + margin.y) * backdrop.y.width + 48 + margin.x]!;
      expect(luma).toBeGreaterThan(100); // the box has 88 and less, wall and table 125 and more
    }
  });
});

describe.each(effects)('%s', (name) => {
  it('is absent in the first frame, which equals the photo', () => {
    expect(meanStep(paint(FIRST, [makeEffect(name, stage, 3)]), bare)).toBeLessThan(0.01);
  });

  it("becomes visible, is deterministic per seed, and stays in the encoder's range", () => {
    const [one, again] = [paint(LATER, [makeEffect(name, stage, 3)]), paint(LATER, [makeEffect(name, stage, 3)])];
    expect(meanStep(one, paint(LATER, []))).toBeGreaterThan(0.01);
    expect(one).toEqual(again);
    expect(one.every((value) => value >= 10 && value <= 245)).toBe(true);
  });

  it('needs no product', () => {
    expect(() => paint(LATER, [makeEffect(name, flat, 3)], flat)).not.toThrow();
  });
});

describe('the product of a picture', () => {
  const alpha = Uint8Array.from(SUBJECT.alpha.data, (value) => 255 * value);
  const find = (mask: Uint8Array) =>
    findSubject({ ...PHOTO, alpha: mask }, { find: () => Promise.reject(new Error('asked')) }, async () => {});
  const keep = (isKept: (x: number, y: number) => boolean) =>
    alpha.map((_, i) => (isKept(i % 96, Math.floor(i / 96)) ? 255 : 0));

  it('is given by its own alpha', async () => {
    expect(await find(alpha)).toMatchObject({ box: BOX, isCutBelow: false });
  });

  it('has no foot if it is cut off below', async () => {
    expect(await find(keep((x, y) => x > 30 && x < 60 && y > 50))).toMatchObject({ isCutBelow: true });
  });

  it.each([
    ['nothing', () => false],
    ['a crumb', (x: number, y: number) => x === 50 && y === 50],
  ])('is undefined: %s', async (_, isKept) => {
    expect(await find(keep(isKept))).toBeUndefined();
  });

  it.each([
    ['left', (x: number) => x < 40],
    ['upper', (x: number, y: number) => x > 30 && x < 60 && y < 40],
  ])('does not move if it reaches the %s edge', async (_, isKept) => {
    expect(await find(keep(isKept))).toMatchObject({ canMove: false });
  });
});
