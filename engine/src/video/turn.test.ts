import { beforeAll, describe, expect, it } from 'vitest';
import type { Decoded } from '../pixels/decode.ts';
import { direct } from './director.ts';
import { makePainter } from './draw.ts';
import { readMotion } from '../words/motion.ts';
import { traceOutline, turnColumns } from './outline.ts';
import { buildStage, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';

const SIDE = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 160, 60, 190]; // of a can
const RADIUS = (RIGHT - LEFT) / 2;
const EIGHT_DEGREES = Math.sin((8 * Math.PI) / 180);

/** A can with a dark line at its centre, before a bright wall with thin lines. */
function makeCan(): { picture: Decoded; subject: Subject } {
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  const alpha = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < alpha.length; i += 1) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const isCan = x >= LEFT && x < RIGHT && y >= TOP && y < BOTTOM;
    alpha[i] = isCan ? 1 : 0;
    rgb.fill(isCan ? (Math.abs(x - 120) < 3 ? 20 : 130) : x % 40 < 2 ? 200 : 240, i * 3, i * 3 + 3);
  }
  const box = { left: LEFT, top: TOP, right: RIGHT, bottom: BOTTOM };
  return {
    picture: { width: SIDE, height: SIDE, data: rgb, alpha: Uint8Array.from(alpha, (a) => 255 * a) },
    subject: { alpha: { width: SIDE, height: SIDE, data: alpha }, colours: rgb, box, canMove: true, isCutBelow: false },
  };
}

let stage: Stage;
beforeAll(async () => {
  const { picture, subject } = makeCan();
  stage = await buildStage(
    picture,
    subject,
    { width: SIDE, height: SIDE, left: 0, top: 0 },
    { width: SIDE, height: SIDE },
  );
});

/**
 * Measures the last frame: the can's edges and line at half height in pixels, and its lowest row's outline.
 */
function filmLast(prompt: string) {
  const painter = makePainter(stage);
  const script = direct(stage, readMotion(prompt, 1), 60, 1);
  const last = script.poses.at(-1)!;
  painter.paint({ pose: last, t: 1, seconds: 2 }, script.effects);
  const { y: luma, alpha: alpha } = painter.canvas;
  const opaqueColumns = (row: number) =>
    [...alpha.subarray(row * SIDE, (row + 1) * SIDE).keys()].filter((x) => alpha[row * SIDE + x]! > 0.5);
  const middle = opaqueColumns(120);
  const dark = middle.filter((x) => luma[120 * SIDE + x]! < 60);
  const line = dark.reduce((sum, x) => sum + x, 0) / dark.length;
  return { left: middle[0]!, right: middle.at(-1)!, line, foot: opaqueColumns(185), push: last.push, pose: last };
}

describe('a slow turn', () => {
  it.each([
    ['Slow turn to the left', -1],
    ['the can rotates slowly to the right', 1],
  ])('is visible: %s moves the front by at least eight degrees', (prompt, side) => {
    const { left, right, line, push } = filmLast(prompt);
    const moved = (line - (left + right) / 2) / (RADIUS * (1 + push));
    expect(side * moved).toBeGreaterThan(EIGHT_DEGREES);
    expect(side * moved).toBeLessThan(2.2 * EIGHT_DEGREES);
    expect(right - left + 1).toBeCloseTo(2 * RADIUS * (1 + push), -0.5); // in place: its outline is unchanged
  });

  it('keeps the can on the floor', () => {
    const { foot, pose } = filmLast('Slow turn to the left');
    const middle = (foot[0]! + foot.at(-1)!) / 2;
    expect(middle - 119.5 - pose.x).toBeLessThan(1);
    expect(middle - 119.5 - pose.x).toBeGreaterThan(-1);
  });

  it('moves the wall in the opposite direction', () => {
    expect(Math.abs(filmLast('Slow turn to the left').pose.x)).toBeGreaterThan(0.01 * SIDE);
  });
});

describe('turned columns', () => {
  it('are continuous, and unchanged outside the body', () => {
    const { subject } = makeCan();
    const outline = traceOutline(subject.alpha, BOTTOM);
    for (const yaw of [-0.45, -0.2, 0.26, 0.45]) {
      const columns = Float64Array.from({ length: SIDE }, (_, x) => x);
      turnColumns(outline, 100, yaw, columns);
      for (let x = 1; x < SIDE; x += 1) expect(columns[x]!).toBeGreaterThan(columns[x - 1]!);
      expect([columns[40], columns[LEFT - 1], columns[RIGHT + 1]]).toEqual([40, LEFT - 1, RIGHT + 1]);
    }
  });

  it("include a handle above the body, by the body's width", () => {
    const data = new Float32Array(SIDE * SIDE);
    const paint = (left: number, right: number, top: number, bottom: number) => {
      for (let y = top; y < bottom; y += 1) data.fill(1, y * SIDE + left, y * SIDE + right);
    };
    paint(LEFT, RIGHT, 100, 200);
    paint(100, 104, 70, 100);
    paint(136, 140, 70, 100);
    paint(100, 140, 64, 70);
    const { middle, half } = traceOutline({ width: SIDE, height: SIDE, data }, 200);
    for (const y of [65, 85, 110]) {
      expect(middle[y]).toBeCloseTo(119.5, 1);
      expect(half[y]).toBeCloseTo(40, 1);
    }
  });
});
