import { beforeAll, describe, expect, it } from 'vitest';
import {
  buildSet,
  drawFrame,
  findParts,
  findShift,
  loopScript,
  meanStep,
  measureFirstFrame,
  measureFreeEdge,
  measureSteps,
  writeScript,
  type Set,
} from './video.ts';

const SQUARE = { width: 384, height: 384 };
const WIDE = { width: 512, height: 288 };
const TALL = { width: 288, height: 512 };
const FRAMES = 60;

let mug: Set;
let handbag: Set;
beforeAll(async () => {
  mug = await buildSet('mug', SQUARE);
  handbag = await buildSet('handbag', SQUARE);
});

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the basic video', () => {
  it('begins with the photo, goes around without a jump and ends where it began', () => {
    for (const set of [mug, handbag]) {
      const script = loopScript(set, 96);
      expect(measureFirstFrame(set, script)).toBeGreaterThan(40);
      const steps = measureSteps(set, script, true);
      expect(mean(steps)).toBeGreaterThan(0.05);
      expect(Math.max(...steps)).toBeLessThan(3 * mean(steps));
      expect(steps.at(-1)).toBeLessThan(1.5 * mean(steps));
    }
  });

  it('moves a photo without a product too, as one picture', async () => {
    const plain = await buildSet('mug', SQUARE, false);
    const script = loopScript(plain, 24);
    expect(measureFirstFrame(plain, script)).toBeGreaterThan(40);
    expect(mean(measureSteps(plain, script, true))).toBeGreaterThan(0.05);
  });

  it('would notice a jump and a picture that is not the photo', () => {
    const script = loopScript(mug, 24);
    const cut = { ...script, poses: script.poses.slice(0, 10) };
    const steps = measureSteps(mug, cut, true);
    expect(steps.at(-1)).toBeGreaterThan(1.5 * mean(steps));
    const late = { ...script, poses: script.poses.slice(6) };
    expect(measureFirstFrame(mug, late)).toBeLessThan(40);
  });
});

/** Prompt, and where the product goes while the backdrop goes less far: -1, 0 or 1 along x and y. */
const DIRECTIONS: [string, number, number][] = [
  ['truck left', 1, 0],
  ['truck to the right', -1, 0],
  ['crane up', 0, 1],
  ['crane down', 0, -1],
];

describe('camera moves', () => {
  it.each(DIRECTIONS)('%s shifts the product as commanded and the backdrop less', (prompt, x, y) => {
    const script = writeScript(mug, prompt, FRAMES);
    const { product, backdrop } = findParts(mug);
    const [first, last] = [drawFrame(mug, script, 0), drawFrame(mug, script, FRAMES - 1)];
    const near = findShift(first, last, product, SQUARE, 28);
    const far = findShift(first, last, backdrop, SQUARE, 28);
    const along = (shift: { x: number; y: number }) => shift.x * x + shift.y * y;
    expect(along(near)).toBeGreaterThan(6);
    expect(along(far)).toBeGreaterThan(0);
    expect(along(far) / along(near)).toBeLessThan(0.7);
  });

  it.each([
    ['pan left', 1, 0],
    ['pan right', -1, 0],
    ['tilt up', 0, 1],
    ['tilt down', 0, -1],
  ])('%s turns the whole view', (prompt, x, y) => {
    const script = writeScript(mug, prompt, FRAMES);
    const [first, last] = [drawFrame(mug, script, 0), drawFrame(mug, script, FRAMES - 1)];
    const far = findShift(first, last, findParts(mug).backdrop, SQUARE, 28);
    expect(far.x * x + far.y * y).toBeGreaterThan(7);
  });

  it('never lets the foot slide on the floor', () => {
    const { foot, floor } = findParts(mug);
    for (const prompt of ['truck left', 'orbit right', 'push in', 'crane up']) {
      const script = writeScript(mug, prompt, FRAMES);
      const [first, later] = [drawFrame(mug, script, 0), drawFrame(mug, script, 24)];
      const stands = findShift(first, later, foot, SQUARE, 16);
      const ground = findShift(first, later, floor, SQUARE, 16);
      expect(Math.abs(stands.x - ground.x), prompt).toBeLessThanOrEqual(1);
      expect(Math.abs(stands.y - ground.y), prompt).toBeLessThanOrEqual(1);
    }
  });

  it('would notice a foot that slides', () => {
    const { foot, floor } = findParts(mug);
    const script = writeScript(mug, 'truck left', FRAMES);
    const { depths } = mug.stage;
    const before = depths.slice();
    depths.fill(0.3); // a floor that is as far away as the wall
    const [first, later] = [drawFrame(mug, script, 0), drawFrame(mug, script, 30)];
    depths.set(before);
    const slip = findShift(first, later, foot, SQUARE, 16).x - findShift(first, later, floor, SQUARE, 16).x;
    expect(Math.abs(slip)).toBeGreaterThan(1);
  });
});

const MOVES = [
  'push in',
  'pull back',
  'orbit left',
  'orbit right',
  'pan left',
  'pan right',
  'tilt up',
  'crane down',
  'rotate',
  'float, static camera',
  'handheld',
  'parallax',
  'light sweep, static camera',
  'dust, static camera',
  'snow, static camera',
  'rain, static camera',
  'petals, static camera',
  'autumn leaves, static camera',
  'confetti, static camera',
  'steam, static camera',
  'fog, static camera',
  'water ripples, static camera',
  'focus pull, static camera',
  'bokeh, static camera',
  'sun rays, static camera',
  'bubbles, static camera',
  'sparkles, static camera',
];

describe('the premium video', () => {
  it('begins with the photo, keeps the product whole and moves evenly, whatever is asked for', () => {
    for (const prompt of MOVES) {
      const script = writeScript(handbag, prompt, FRAMES);
      if (prompt !== 'pull back') expect(measureFirstFrame(handbag, script), prompt).toBeGreaterThan(40);
      expect(measureFreeEdge(handbag, script, 20), prompt).toBeGreaterThan(0);
      const steps = measureSteps(handbag, script, false, 6);
      expect(mean(steps), prompt).toBeGreaterThan(0.02);
      expect(Math.max(...steps), prompt).toBeLessThan(3 * mean(steps));
    }
  });

  it('knows more than twelve moves and effects, no two alike', () => {
    const films = MOVES.map((prompt) => {
      const script = writeScript(mug, prompt, FRAMES);
      return [20, 38, 59].map((n) => drawFrame(mug, script, n));
    });
    for (const [n, film] of films.entries()) {
      for (const [m, other] of films.slice(0, n).entries()) {
        const apart = mean(film.map((frame, k) => meanStep(frame, other[k]!)));
        expect(apart, `${MOVES[n]} and ${MOVES[m]}`).toBeGreaterThan(0.15);
      }
    }
  });

  it.each([
    ['wide', WIDE],
    ['tall', TALL],
  ])('keeps tall and wide products whole in a %s frame and leaves no part of it empty', async (_, frame) => {
    for (const product of ['wineglass', 'teddy']) {
      const set = await buildSet(product, frame);
      for (const prompt of ['fast push in', 'orbit left', 'float', 'pan right']) {
        const script = writeScript(set, prompt, 40);
        expect(measureFreeEdge(set, script, 8), `${product}: ${prompt}`).toBeGreaterThan(0);
      }
      expect(set.painter.canvas.y.every((luma) => luma > 16)).toBe(true);
    }
  });
});
