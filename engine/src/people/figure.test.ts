import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import { boxAround } from './faces.ts';
import { outlineTorso, readPose } from './figure.ts';
import { cleanColours, hasLongHair } from './head.ts';
import { isCutOff } from './whole-face.ts';

const SIZE = { width: 200, height: 260 };
const face = makeFace({ left: 70, top: 40, width: 60, height: 80 });
const joint = (x: number, y: number) => ({ x, y, score: 1 });
const shoulders = { leftShoulder: joint(160, 170), rightShoulder: joint(40, 170) };

describe('a pose', () => {
  it('measures the shoulders', () => {
    expect(readPose(face, shoulders)?.shoulderWidth).toBe(120);
  });

  it.each([
    ['there is no body', undefined],
    ['a shoulder is not seen', { leftShoulder: joint(160, 170) }],
    ['the shoulders are narrower than the face', { leftShoulder: joint(110, 170), rightShoulder: joint(80, 170) }],
  ])('is none where %s', (_, joints) => {
    expect(readPose(face, joints)).toBeUndefined();
  });
});

describe('an outline', () => {
  it('of the torso goes down to hips that are not seen, but not out of the picture', () => {
    const pose = { face, joints: shoulders, shoulderWidth: 120 };
    const outline = outlineTorso(pose, SIZE.height);
    expect(boxAround(outline)).toEqual({ left: 40, top: 170, width: 120, height: 90 });
    const [leftHip, rightHip] = [joint(140, 240), joint(60, 240)];
    expect(outlineTorso({ ...pose, joints: { ...shoulders, leftHip, rightHip } }, 260).slice(2)).toEqual([
      leftHip,
      rightHip,
    ]);
  });
});

describe('a face at the edge', () => {
  it.each([
    ['in the middle', 70, 40, false],
    ['with an ear outside', -4, 40, false],
    ['half outside at the left', -30, 40, true],
    ['with its chin outside', 70, 210, true],
    ['with its forehead outside', 70, -40, true],
    ['all outside', 400, 40, true],
  ])('is cut off or not: %s', (_, left, top, isCut) => {
    expect(isCutOff(makeFace({ left, top, width: 60, height: 80 }), SIZE)).toBe(isCut);
  });
});

describe('long hair', () => {
  const cover = (beside: number) => drawPlane(SIZE, (x) => (x > 70 - beside && x < 130 + beside ? 1 : 0));

  it('is what there is beside the jaw', () => {
    expect(hasLongHair(cover(20), face.points)).toBe(true);
    expect(hasLongHair(cover(2), face.points)).toBe(false);
  });

  it('is none where nobody is', () => {
    expect(
      hasLongHair(
        drawPlane(SIZE, () => 0),
        face.points,
      ),
    ).toBe(false);
  });
});

it('cleans the colours of a soft edge and leaves the rest to the byte', async () => {
  const share = (x: number) => Math.min(1, Math.max(0, (120 - x) / 40));
  const figure = drawPlane(SIZE, share);
  const mixed = drawRgb(SIZE, (x) => [60 * share(x) + 220 * (1 - share(x)), 40, 30]);
  const clean = await cleanColours(mixed, figure);
  const red = (x: number) => clean[3 * (100 * SIZE.width + x)]!;
  expect(red(30)).toBe(60);
  expect(red(170)).toBe(220);
  expect(Math.abs(red(95) - 60)).toBeLessThan(Math.abs(mixed.data[3 * (100 * SIZE.width + 95)]! - 60) / 2);
});
