import { describe, expect, it } from 'vitest';
import { drawMask, drawRgb } from '../../test/draw.ts';
import { drawFace, makeFace, PLAIN_FACE } from '../../test/face.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { countOnes } from '../pixels/mask.ts';
import { makeMask, type Point } from '../pixels/plane.ts';
import { fillPolygon } from '../pixels/shapes.ts';
import { LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_EYE } from './landmarks.ts';
import { findBareFace, measureUnlikeness, paintFeatures, paintInnerFace, paintSkin, pick } from './skin.ts';

const SIZE = { width: 120, height: 150 };
const face = makeFace({ left: 30, top: 35, width: 60, height: 80 });
const { points } = face;

const isSet = ({ data }: { data: Uint8Array }, { x, y }: Point) =>
  data[Math.round(y) * SIZE.width + Math.round(x)] === 1;
const middleOf = (landmarks: readonly number[]) => {
  const some = pick(points, landmarks);
  return {
    x: some.reduce((sum, { x }) => sum + x, 0) / some.length,
    y: some.reduce((sum, { y }) => sum + y, 0) / some.length,
  };
};
const FEATURES = [LEFT_EYE, RIGHT_EYE, LEFT_BROW, LIPS];

describe('painted parts of a face', () => {
  it('are eyes, brows and lips with a little round them', () => {
    const features = paintFeatures(points, SIZE);
    for (const part of FEATURES) expect(isSet(features, middleOf(part))).toBe(true);
    expect(isSet(features, middleOf(OVAL))).toBe(false);
    const [corner] = pick(points, LEFT_EYE);
    expect(isSet(features, { x: corner!.x + 0.5, y: corner!.y })).toBe(true);
    expect(isSet(features, { x: corner!.x + 3, y: corner!.y })).toBe(false);
  });

  it('are skin without them, inside the inner face', () => {
    const skin = paintSkin(points, SIZE);
    const inner = paintInnerFace(points, SIZE);
    for (const part of FEATURES) expect(isSet(skin, middleOf(part))).toBe(false);
    for (const [i, value] of skin.data.entries()) if (value) expect(inner.data[i]).toBe(1);
    expect(countOnes(skin)).toBeGreaterThan(800);
  });

  it('are cut at the edge of the picture', () => {
    const aside = points.map(({ x, y }) => ({ x: x - 60, y: y - 90 }));
    expect(countOnes(paintInnerFace(aside, SIZE))).toBeLessThan(countOnes(paintInnerFace(points, SIZE)));
    const away = points.map(({ x, y }) => ({ x: x + 500, y }));
    for (const paint of [paintSkin, paintFeatures, paintInnerFace]) expect(countOnes(paint(away, SIZE))).toBe(0);
  });

  it('are refused for a mesh that lacks them', () => {
    expect(() => paintSkin(points.slice(0, 100), SIZE)).toThrow('no landmark');
  });
});

describe('unlikeness', () => {
  const picture = drawFace(SIZE, face);
  const unlike = measureUnlikeness(toLabPlanes(picture), paintSkin(points, SIZE));
  const at = (x: number, y: number) => unlike.data[y * SIZE.width + x]!;

  it('is nothing on skin and much on the wall, the brows and the lips', () => {
    expect(at(60, 80)).toBeLessThan(0.5);
    for (const place of [{ x: 5, y: 5 }, middleOf(LIPS), middleOf(LEFT_BROW)]) {
      expect(at(Math.round(place.x), Math.round(place.y))).toBeGreaterThan(3);
    }
  });

  it('counts shade for less than another hue', () => {
    const size = { width: 4, height: 1 };
    const colours = [
      [205, 150, 125],
      [205, 150, 125],
      [160, 117, 97],
      [125, 205, 150],
    ] as const;
    const lab = toLabPlanes(drawRgb(size, (x) => colours[x]!));
    const [, , shade, hue] = measureUnlikeness(
      lab,
      drawMask(size, (x) => x < 2),
    ).data;
    expect(shade).toBeGreaterThan(0.5);
    expect(hue! / shade!).toBeGreaterThan(3);
  });

  it('is a number where no skin is known', () => {
    expect(measureUnlikeness(toLabPlanes(picture), makeMask(SIZE)).data.every(Number.isFinite)).toBe(true);
  });
});

describe('the bare face', () => {
  it('is the whole oval where nothing hides it, and nothing of the wall', async () => {
    const bare = await findBareFace(drawFace(SIZE, face), points);
    const oval = fillPolygon(pick(points, OVAL), SIZE);
    const isWrong = [...oval.data.keys()].filter((i) => Math.abs(bare.data[i]! - oval.data[i]!) > 0.5);
    expect(isWrong.length).toBeLessThan(0.06 * countOnes(oval));
    expect(bare.data[5 * SIZE.width + 5]).toBe(0);
  });

  it('ends where a fringe begins', async () => {
    const plain = drawFace(SIZE, face);
    const hair = drawRgb(SIZE, (x, y) => {
      const i = 3 * (y * SIZE.width + x);
      return y < 52 ? [40, 28, 22] : [plain.data[i]!, plain.data[i + 1]!, plain.data[i + 2]!];
    });
    const bare = await findBareFace(hair, points);
    expect(bare.data[44 * SIZE.width + 60]).toBeLessThan(0.2);
    expect(bare.data[58 * SIZE.width + 60]).toBeGreaterThan(0.8);
  });

  it('is certain of brows, eyes and lips, whatever their colour', async () => {
    const painted = drawFace(SIZE, face, { eyes: [0, 255, 0], brows: [0, 0, 255], lips: PLAIN_FACE.wall });
    const bare = await findBareFace(painted, points);
    for (const part of FEATURES) {
      const { x, y } = middleOf(part);
      expect(bare.data[Math.round(y) * SIZE.width + Math.round(x)]).toBe(1);
    }
  });
});
