import { describe, expect, it } from 'vitest';
import { cameras, loopPoseAt, type Measures, poseAt } from './director.ts';
import { AT_REST } from './pose.ts';

const measures: Measures = { unit: 720, seed: 5 };
const names = Object.keys(cameras) as (keyof typeof cameras)[];
const apart = (one: typeof AT_REST, other: typeof AT_REST) =>
  Math.max(...Object.entries(one).map(([name, value]) => Math.abs(value - other[name as keyof typeof AT_REST])));

describe.each(names)('the camera move %s', (name) => {
  it(name === 'pull-out' ? 'ends at the photo' : 'starts at the photo', () => {
    expect(apart(poseAt(cameras[name], name === 'pull-out' ? 1 : 0, measures), AT_REST)).toBeLessThan(1e-9);
  });

  it('is continuous, and slow at both ends', () => {
    const poses = Array.from({ length: 121 }, (_, n) => poseAt(cameras[name], n / 120, measures));
    const steps = poses.slice(1).map((pose, n) => apart(pose, poses[n]!));
    expect(Math.max(...steps)).toBeLessThan(3);
    expect(steps[0]! + steps.at(-1)!).toBeLessThan(0.35 * Math.max(...steps) + 1e-9);
  });

  it('scales its lengths by the frame', () => {
    const [small, large] = [
      poseAt(cameras[name], 0.7, measures),
      poseAt(cameras[name], 0.7, { ...measures, unit: 1440 }),
    ];
    for (const length of ['x', 'y'] as const) {
      expect(large[length]).toBeCloseTo(2 * small[length], 6);
    }
    expect(large.push).toBeCloseTo(small.push, 9);
  });
});

describe('moves', () => {
  it('to the left and to the right are mirrored', () => {
    for (const name of ['orbit', 'pan', 'turn'] as const) {
      const [left, right] = [
        poseAt(cameras[`${name}-left`], 0.6, measures),
        poseAt(cameras[`${name}-right`], 0.6, measures),
      ];
      for (const key of ['x', 'yaw'] as const) expect(left[key]).toBeCloseTo(-right[key], 9);
      expect(left.push).toBeCloseTo(right.push, 9);
    }
  });

  it('choose a side by the seed', () => {
    const sides = Array.from({ length: 20 }, (_, seed) =>
      Math.sign(poseAt(cameras.parallax, 1, { ...measures, seed }).x),
    );
    expect(new Set(sides)).toEqual(new Set([-1, 1]));
  });

  it('of a loop return to their start', () => {
    expect(apart(loopPoseAt(1, measures), loopPoseAt(0, measures))).toBeLessThan(1e-9);
    expect(apart(loopPoseAt(0, measures), AT_REST)).toBe(0);
  });
});
