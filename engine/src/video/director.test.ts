import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { makeFlatStage, makeStage, momentAt, paintFrame, STAGE, SUBJECT } from '../../test/stage.ts';
import { cameras, direct, directLoop } from './director.ts';
import { type CameraName, readMotion } from '../words/motion.ts';
import { AT_REST, boxAt, scalePose, type StagePose } from './pose.ts';
import type { Stage } from './stage.ts';

const stage = await makeStage();
const flat = await makeFlatStage();
const FRAMES = 16;
const names = Object.keys(cameras) as CameraName[];

const plan = (prompt: string) => readMotion(prompt, 1);
const posesOf = (prompt: string, own = stage, seed = 1) => direct(own, plan(prompt), FRAMES, seed).poses;

/** A product with this many free pixels on every side of the frame. */
async function makeTight(free: number): Promise<Stage> {
  const edge = STAGE.width - free;
  const alpha = drawPlane(STAGE, (x, y) => (x >= free && x < edge && y >= free && y < edge ? 1 : 0));
  return makeStage(STAGE, { ...SUBJECT, alpha, box: { left: free, top: free, right: edge, bottom: edge } });
}

const [roomy, tight, full] = await Promise.all([makeTight(20), makeTight(8), makeTight(2)]);

const isWhole = (own: Stage, pose: StagePose, slack = 0) => {
  const { left, top, right, bottom } = boxAt(own, pose)!;
  return left >= -slack && top >= -slack && right <= STAGE.width + slack && bottom <= STAGE.height + slack;
};

describe('a film by the director', () => {
  it.each(names)('by %s keeps the product whole, even if it fills the frame', async (camera) => {
    for (const own of [roomy, tight, full]) {
      const { poses } = direct(own, { ...plan('zoom in'), camera }, FRAMES, 1);
      for (const pose of poses) expect(isWhole(own, pose, 0.6)).toBe(true);
    }
  });

  it('has as many poses as frames, the first at rest', () => {
    for (const frames of [2, 7, 120]) expect(direct(stage, plan('pan left'), frames, 1).poses).toHaveLength(frames);
    expect(posesOf('pan left')[0]).toEqual(AT_REST);
  });

  it('moves farther with lively words, and less with gentle ones', () => {
    const [gentle, normal, lively] = ['gentle crane up', 'crane up', 'fast crane up'].map((words) =>
      posesOf(words).at(-1)!,
    );
    expect(normal!.y).toBeGreaterThan(0);
    expect(gentle!.y).toBeCloseTo(0.6 * normal!.y, 9);
    expect(lively!.y).toBeCloseTo(1.5 * normal!.y, 9);
  });

  it('keeps all sizes if a zoom is excluded', () => {
    expect(posesOf('orbit left').at(-1)!.push).toBeGreaterThan(0);
    for (const words of ['no zoom', 'orbit left, no zoom', 'no zoom, crane up'])
      for (const photo of [roomy, tight, full])
        expect(posesOf(words, photo).map(({ push }) => push + 0)).toEqual(Array(FRAMES).fill(0));
  });

  it('turns by the same angle at any pace', () => {
    expect(posesOf('gentle turn left').at(-1)!.yaw).toBe(posesOf('turn left').at(-1)!.yaw);
  });

  it('steps back if there is no room for a move', () => {
    const last = posesOf('pan left', full).at(-1)!;
    expect(last.push).toBeLessThan(0);
    expect(last.x).toBeGreaterThan(0);
    expect(posesOf('pan left').at(-1)!.push).toBe(0);
  });

  it('reduces a move instead of replacing it if there is some room', () => {
    const [wide, narrow] = [posesOf('zoom in').at(-1)!, posesOf('zoom in', tight).at(-1)!];
    expect(narrow.push).toBeGreaterThan(0);
    expect(narrow.push).toBeLessThan(wide.push);
  });

  it('is deterministic per seed', () => {
    expect(posesOf('parallax', stage, 4)).toEqual(posesOf('parallax', stage, 4));
  });

  it("has the plan's effects in order, and each draws", () => {
    const { effects, poses } = direct(stage, plan('snow and rain, confetti, still camera'), FRAMES, 1);
    expect(plan('snow and rain, confetti, still camera').effects).toEqual(['snow', 'rain', 'confetti']);
    const frames = [[], ...effects.map((_, n) => effects.slice(0, n + 1))].map((some) =>
      Buffer.from(paintFrame(stage, momentAt(2, poses[10]), some).bytes),
    );
    for (let n = 1; n < frames.length; n += 1) expect(Buffer.compare(frames[n]!, frames[n - 1]!)).not.toBe(0);
  });
});

describe('a loop', () => {
  it.each([24, 48, 96])('of %i frames continues with its beginning without a jump', (frames) => {
    const { poses } = directLoop(stage, frames, 3);
    expect(poses).toHaveLength(frames);
    const step = (n: number) => {
      const [pose, next] = [poses[n]!, poses[(n + 1) % frames]!];
      return Math.abs(next.x - pose.x) + 96 * Math.abs(next.push - pose.push);
    };
    const within = Array.from({ length: frames - 1 }, (_, n) => step(n));
    expect(step(frames - 1)).toBeLessThanOrEqual(Math.max(...within) + 1e-9);
  });

  it('moves even if the product fills its photo', () => {
    const reach = ({ poses }: { poses: StagePose[] }) => Math.max(...poses.map(({ x }) => Math.abs(x)));
    const [wide, narrow] = [reach(directLoop(stage, 48, 3)), reach(directLoop(full, 48, 3))];
    expect(narrow).toBeGreaterThan(0.35 * wide);
    expect(narrow).toBeLessThan(wide);
  });

  it('of a picture without a product moves all of it', () => {
    const { poses } = directLoop(flat, 24, 3);
    expect(Math.max(...poses.map(({ push }) => push))).toBeCloseTo(0.044, 3);
    expect(poses.every((pose) => pose.yaw === 0)).toBe(true);
  });

  it('starts to either side, by the seed', () => {
    const sides = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => Math.sign(directLoop(stage, 24, seed).poses[6]!.x));
    expect(new Set(sides)).toEqual(new Set([-1, 1]));
  });

  it('is a reduced move if there is less room', () => {
    const [wide, narrow] = [directLoop(stage, 24, 3).poses, directLoop(full, 24, 3).poses];
    const share = narrow[6]!.x / wide[6]!.x;
    for (const [n, pose] of narrow.entries()) expect(pose.x).toBeCloseTo(scalePose(wide[n]!, share).x, 9);
  });
});
