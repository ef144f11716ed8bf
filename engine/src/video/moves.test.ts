import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeStage, STAGE } from '../../test/stage.ts';
import { direct, directLoop } from './director.ts';
import { cameras, ease, joinPoses, loopMove, productMoves, type Measures, type Move } from './moves.ts';
import { readMotion } from './motion-words.ts';
import {
  AT_REST,
  boxAt,
  findRoom,
  makeRowMap,
  mapBackdrop,
  mapProduct,
  measureParallax,
  pointAt,
  scalePose,
} from './pose.ts';

const measures: Measures = { unit: 720, productHeight: 300, seed: 5 };
const names = Object.keys(cameras) as (keyof typeof cameras)[];
const poseOf = (move: Move, t: number, own = measures) => joinPoses([move(t, own)]);
const apart = (one: typeof AT_REST, other: typeof AT_REST) =>
  Math.max(...Object.entries(one).map(([name, value]) => Math.abs(value - other[name as keyof typeof AT_REST])));

describe.each(names)('the camera move %s', (name) => {
  it(name === 'pull-out' ? 'ends at the photo' : 'starts at the photo', () => {
    expect(apart(poseOf(cameras[name], name === 'pull-out' ? 1 : 0), AT_REST)).toBeLessThan(1e-9);
  });

  it('goes without a jump, slowly at both ends', () => {
    const poses = Array.from({ length: 121 }, (_, n) => poseOf(cameras[name], n / 120));
    const steps = poses.slice(1).map((pose, n) => apart(pose, poses[n]!));
    expect(Math.max(...steps)).toBeLessThan(3);
    if (name !== 'handheld') expect(steps[0]! + steps.at(-1)!).toBeLessThan(0.35 * Math.max(...steps) + 1e-9);
  });

  it('measures its lengths by the frame', () => {
    const [small, large] = [poseOf(cameras[name], 0.7), poseOf(cameras[name], 0.7, { ...measures, unit: 1440 })];
    for (const length of ['x', 'y', 'turnX', 'turnY', 'lift'] as const) {
      expect(large[length]).toBeCloseTo(2 * small[length], 6);
    }
    expect(large.push).toBeCloseTo(small.push, 9);
  });
});

describe('moves', () => {
  it('to the left and to the right mirror each other', () => {
    for (const name of ['orbit', 'pan', 'truck', 'turn'] as const) {
      const [left, right] = [poseOf(cameras[`${name}-left`], 0.6), poseOf(cameras[`${name}-right`], 0.6)];
      for (const key of ['x', 'turnX', 'yaw', 'lean'] as const) expect(left[key]).toBeCloseTo(-right[key], 9);
      expect(left.push).toBeCloseTo(right.push, 9);
    }
  });

  it('are the same for the same seed, and of seeds both sides are chosen', () => {
    expect(poseOf(cameras.handheld, 0.5)).toEqual(poseOf(cameras.handheld, 0.5));
    const sides = Array.from({ length: 20 }, (_, seed) =>
      Math.sign(poseOf(cameras.parallax, 1, { ...measures, seed }).x),
    );
    expect(new Set(sides)).toEqual(new Set([-1, 1]));
  });

  it('of a loop come back to where they began', () => {
    expect(apart(poseOf(loopMove, 1), poseOf(loopMove, 0))).toBeLessThan(1e-9);
    expect(apart(poseOf(loopMove, 0), AT_REST)).toBe(0);
  });

  it('of a product that floats only rise, and end on the floor', () => {
    for (let t = 0; t <= 1; t += 0.05) expect(poseOf(productMoves.float, t).lift).toBeGreaterThanOrEqual(0);
    expect(poseOf(productMoves.float, 1).lift).toBeCloseTo(0, 9);
  });

  it('add up where two meet', () => {
    expect(joinPoses([{ x: 3, push: 0.1 }, { x: -1, yaw: 0.2 }, {}])).toEqual({
      ...AT_REST,
      x: 2,
      push: 0.1,
      yaw: 0.2,
    });
  });

  it('ease in and out', () => {
    expect([ease(0), ease(0.5), ease(1)]).toEqual([0, 0.5, 1]);
  });
});

describe('a pose', async () => {
  const stage = await makeStage();
  const pose = { ...AT_REST, x: 5, y: -3, turnX: 2, turnY: 1, push: 0.1, lean: 0.02 };

  it('at rest leaves every point and row where it is', () => {
    expect(pointAt(stage, AT_REST, 40, 50)).toEqual({ x: 40, y: 50 });
    expect(boxAt(stage, AT_REST)).toEqual(BOX);
    const map = makeRowMap(STAGE.height);
    for (const fill of [mapBackdrop, mapProduct]) {
      fill(stage, AT_REST, map);
      for (const [row, value] of map.row.entries()) expect(value).toBeCloseTo(row + stage.margin.y, 6);
      for (const offset of map.offset) expect(offset).toBeCloseTo(stage.margin.x, 6);
      expect(map.scale.every((scale) => scale === 1)).toBe(true);
    }
  });

  it('tells of a point what its map of rows shows there', () => {
    const map = makeRowMap(STAGE.height);
    mapProduct(stage, pose, map);
    for (const [x, y] of [
      [40, 40],
      [58, 70],
    ] as const) {
      const at = pointAt(stage, pose, x, y);
      const row = Math.round(at.y);
      const column = map.scale[row]! * at.x + map.offset[row]!;
      expect(Math.abs(map.row[row]! - stage.margin.y - y)).toBeLessThan(0.6);
      expect(Math.abs(column - stage.margin.x - x)).toBeLessThan(0.6);
    }
  });

  it('moves the foot as the floor under it', () => {
    const [product, backdrop] = [makeRowMap(STAGE.height), makeRowMap(STAGE.height)];
    mapProduct(stage, { ...pose, lean: 0 }, product);
    mapBackdrop(stage, { ...pose, lean: 0 }, backdrop);
    const row = Math.round(pointAt(stage, pose, 48, BOX.bottom - 1).y);
    expect(Math.abs(product.row[row]! - backdrop.row[row]!)).toBeLessThan(0.2);
    expect(Math.abs(product.offset[row]! - backdrop.offset[row]!)).toBeLessThan(0.5);
  });

  it('moves far things less than near ones', () => {
    const map = makeRowMap(STAGE.height);
    mapBackdrop(stage, { ...AT_REST, x: 10 }, map);
    const shifts = [5, BOX.bottom - 1, STAGE.height - 1].map((row) => stage.margin.x - map.offset[row]!);
    expect(shifts[0]).toBeCloseTo(3, 1);
    expect(shifts[1]).toBeCloseTo(10, 1);
    expect(shifts[2]).toBeGreaterThan(10);
  });

  it('measures how far the product moves against what is behind it; turning the camera is nothing', () => {
    expect(measureParallax(stage, { ...AT_REST, turnX: 50, turnY: 50, lift: 9 })).toBe(0);
    expect(measureParallax(stage, { ...AT_REST, x: 3, y: 4 })).toBe(5);
    expect(measureParallax(stage, { ...AT_REST, push: 0.1 })).toBeCloseTo(0.1 * 46, 5);
  });

  it('is as much smaller as there is room for', () => {
    const wide = { ...AT_REST, x: 60 };
    const room = findRoom(stage, [wide]);
    expect(room).toBeGreaterThan(0.4);
    expect(room).toBeLessThan(0.7);
    const box = boxAt(stage, scalePose(wide, room))!;
    expect(box.right).toBeLessThanOrEqual(STAGE.width);
    expect(box.right).toBeGreaterThan(STAGE.width - 4);
    expect(findRoom(stage, [AT_REST])).toBe(1);
  });

  it('of a picture without a product has all room', async () => {
    const flat = await makeFlatStage();
    expect(findRoom(flat, [{ ...AT_REST, x: 500 }])).toBe(1);
    expect(boxAt(flat, pose)).toBeUndefined();
    expect(measureParallax(flat, pose)).toBe(0);
  });
});

describe('a script', async () => {
  const stage = await makeStage();

  it.each(['truck left', 'push in', 'pull back', 'float', 'orbit right'])('keeps the product whole: %s', (prompt) => {
    const { poses } = direct(stage, readMotion(prompt, 1, false), 30, 1);
    expect(poses).toHaveLength(30);
    for (const pose of poses) {
      const box = boxAt(stage, pose)!;
      expect(Math.min(box.left, box.top, STAGE.width - box.right, STAGE.height - box.bottom)).toBeGreaterThan(0);
    }
  });

  it('of a loop ends one step before its beginning', () => {
    const { poses, effects } = directLoop(stage, 48, 1);
    expect(effects).toEqual([]);
    const steps = poses.map((pose, n) => apart(pose, poses[(n + 1) % 48]!));
    expect(steps.at(-1)!).toBeLessThan(1.2 * Math.max(...steps.slice(0, -1)));
  });
});
