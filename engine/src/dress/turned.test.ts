import { expect, it } from 'vitest';
import type { Joint } from '../people/bodies.ts';
import { isBehindKnees } from './turned.ts';

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
])('%s: hides the clothes or does not', (_, joints, hides) => {
  expect(isBehindKnees(poseWith(joints))).toBe(hides);
});
