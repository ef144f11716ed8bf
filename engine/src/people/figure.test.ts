import { expect, it } from 'vitest';
import { makeFace } from '../../test/face.ts';
import type { Joint } from './bodies.ts';
import { isBehindKnees, readPose } from './figure.ts';

const face = makeFace({ left: 70, top: 12, width: 40, height: 56 });
const joint = (x: number, y: number, score = 0.8) => ({ x, y, score });

it('uses the visible shoulders', () => {
  const joints = { leftShoulder: joint(140, 100), rightShoulder: joint(40, 100) };
  expect(readPose(face, joints)).toMatchObject({ joints, shoulderWidth: 100 });
});

it('estimates hidden shoulders in a portrait: below the chin, on either side of the face', () => {
  for (const joints of [undefined, {}, { leftShoulder: joint(170, 90) }]) {
    const pose = readPose(face, joints);
    const { leftShoulder, rightShoulder } = pose!.joints;
    expect(leftShoulder.x - 90).toBeCloseTo(90 - rightShoulder.x, 5);
    expect(rightShoulder.x).toBeLessThan(70);
    expect(leftShoulder.y).toBeGreaterThan(68);
    expect(pose!.shoulderWidth).toBeGreaterThan(80);
  }
});

it("is undefined without a face and certain shoulders, or with another person's shoulders", () => {
  expect(readPose(undefined)).toBeUndefined();
  expect(readPose(undefined, { leftShoulder: joint(140, 100, 0.3), rightShoulder: joint(40, 100) })).toBeUndefined();
  expect(readPose(face, { leftShoulder: joint(540, 100), rightShoulder: joint(440, 100) })).toBeUndefined();
});

const at = (x: number, y: number): Joint => ({ x, y, score: 0.6 });
const shoulders = { leftShoulder: at(150, 100), rightShoulder: at(50, 100) };
const poseWith = (joints: Record<string, Joint>) => ({
  face: undefined,
  joints: { ...shoulders, ...joints },
  shoulderWidth: 100,
});

it.each([
  ['a knee beside the hips', { rightHip: at(80, 200), rightKnee: at(0, 200) }, true],
  ['a knee drawn up before the chest', { leftHip: at(120, 210), leftKnee: at(120, 140) }, true],
  ['legs of somebody who stands', { leftHip: at(120, 220), leftKnee: at(118, 340) }, false],
  ['thighs of somebody on a chair', { leftHip: at(120, 220), leftKnee: at(140, 270) }, false],
  ['a knee without its hip', { rightKnee: at(40, 120) }, false],
])('detects knees before the clothes: %s', (_, joints, hides) => {
  expect(isBehindKnees(poseWith(joints))).toBe(hides);
});
