import { describe, expect, it } from 'vitest';
import { makeWearer, PERSON, ROOM, SKIN } from '../../test/clothes.ts';
import { drawMask, fillWith } from '../../test/draw.ts';
import type { Pose } from '../people/figure.ts';
import { keepWhere, overlap, threshold } from '../pixels/mask.ts';
import { readWearer, type Wearer } from './wearer.ts';

const drawn = makeWearer();
const { middle, half, hem, pitRow, shoulderRow, sleeveEnd } = PERSON;

async function read(picture = drawn.picture, pose: Pose = drawn.pose): Promise<Wearer> {
  const wearer = await readWearer(picture, pose);
  if (!wearer) throw new Error('no clothes were read');
  return wearer;
}

describe('what is read of a person from the front', async () => {
  const wearer = await read();

  it('is the figure and the shirt as they were drawn', () => {
    const aboveHem = ({ top, figure }: Wearer, part: 'top' | 'figure') =>
      keepWhere(threshold({ top, figure }[part], 0.5), (i) => i < hem * ROOM.width);
    for (const part of ['figure', 'top'] as const) {
      expect(wearer[part].data.every((share) => share >= 0 && share <= 1)).toBe(true);
      expect(overlap(aboveHem(wearer, part), aboveHem(drawn, part))).toBeGreaterThan(0.95);
    }
  });

  it('is no shirt outside of the figure, and neither skin nor trousers on it', () => {
    const isOwn = (cover: number, i: number) => cover <= 0.5 || !(wearer.skin.data[i] || wearer.lower.data[i]);
    expect(wearer.top.data.every((cover, i) => cover <= wearer.figure.data[i]! && isOwn(cover, i))).toBe(true);
  });

  it('are bare arms and a neck, and nothing above the hem is trousers', () => {
    expect(overlap(wearer.skin, drawn.skin)).toBeGreaterThan(0.85);
    expect(wearer.lower.data.subarray(0, (hem - 8) * ROOM.width)).not.toContain(1);
  });

  it('are its sides, its hem and its chest', () => {
    expect(wearer.middle).toBe(middle);
    expect(Math.abs(wearer.chest - 2 * half)).toBeLessThan(4);
    for (const y of [pitRow + 10, 130, hem - 15]) {
      expect(Math.abs(wearer.left[y]! - (middle - half))).toBeLessThan(3);
      expect(Math.abs(wearer.right[y]! - (middle + half))).toBeLessThan(3);
    }
    expect(Math.abs(wearer.hem - hem)).toBeLessThan(3);
  });

  it('are its shoulders, and armpits where the arms part from the body', () => {
    expect(wearer.hasFreeArms).toBe(true);
    for (const [n, side] of [-1, 1].entries()) {
      const [pit, shoulder] = [wearer.armpits[n]!, wearer.shoulders[n]!];
      expect(Math.abs(pit.x - (middle + side * half))).toBeLessThan(6);
      expect(pit.y).toBeGreaterThan(shoulderRow);
      expect(pit.y).toBeLessThan(sleeveEnd + 8);
      expect(Math.abs(shoulder.y - shoulderRow)).toBeLessThan(12);
      expect((shoulder.x - middle) * side).toBeGreaterThan(half - 4);
      expect((wearer.neck[n]!.x - middle) * side).toBeGreaterThanOrEqual(0);
    }
  });

  it('are its arms, from the armhole down to the wrist', () => {
    for (const [n, side] of [-1, 1].entries()) {
      const { points, length } = wearer.arms[n]!;
      expect(points.at(-1)!.y).toBeGreaterThan(150);
      expect((points.at(-1)!.x - points[0]!.x) * side).toBeGreaterThan(10);
      expect(length).toBeGreaterThan(70);
    }
  });

  it('is left and right alike, as it was drawn', () => {
    const [left, right] = wearer.armpits;
    expect(Math.abs(left.y - right.y)).toBeLessThan(4);
    expect(Math.abs(wearer.arms[0].length - wearer.arms[1].length)).toBeLessThan(6);
    for (let y = pitRow; y < hem - 10; y += 8) {
      expect(Math.abs(middle - wearer.left[y]! - (wearer.right[y]! - middle))).toBeLessThan(3);
    }
  });
});

it('names the sides by the picture, whichever shoulder of the pose is the left one', async () => {
  const { leftShoulder, rightShoulder, leftWrist, rightWrist } = drawn.pose.joints;
  const joints = {
    leftShoulder: rightShoulder,
    rightShoulder: leftShoulder,
    leftWrist: rightWrist!,
    rightWrist: leftWrist!,
  };
  const { arms, shoulders } = await read(drawn.picture, { ...drawn.pose, joints });
  expect(shoulders[0].x).toBeLessThan(shoulders[1].x);
  expect(arms[0].points.at(-1)!.x).toBeLessThan(arms[1].points.at(-1)!.x);
});

it('reads no clothes that end above the belly', async () => {
  const isLow = (x: number, y: number) => drawn.top.data[y * ROOM.width + x]! > 0.5 && y > shoulderRow + 14;
  const short = fillWith(drawn.picture, drawMask(ROOM, isLow), SKIN);
  expect(await readWearer(short, drawn.pose)).toBeUndefined();
});
