import { describe, expect, it } from 'vitest';
import { makeFlatStage, makeGrey, makeStage, momentAt } from '../../test/stage.ts';
import type { Canvas } from './canvas.ts';
import { particleKinds, type ParticleName } from './particle-kinds.ts';
import { makeParticles } from './particles.ts';
import { boxAt, type StagePose } from './pose.ts';

const FRAME = { width: 192, height: 192 };
const UNIT = 192;
const stage = await makeStage(FRAME);
const flat = await makeFlatStage(FRAME);
const kinds = Object.keys(particleKinds) as ParticleName[];

type Layer = 'behind' | 'front';

/** One layer of particles alone on grey. */
function draw(name: ParticleName, seconds: number, layer: Layer = 'front', pose: Partial<StagePose> = {}, seed = 5) {
  const canvas = makeGrey(80, FRAME);
  makeParticles(name, stage, UNIT, seed)[layer]?.(canvas, momentAt(seconds, pose));
  return canvas;
}

const amountOf = ({ y }: Canvas) => y.reduce((sum, value) => sum + Math.abs(value - 80), 0);

/** The shift of the picture along one axis, in pixels, that brings the second one nearest to the first. */
function findShift(one: Canvas, other: Canvas, axis: 'x' | 'y', most: number): number {
  let best = { shift: 0, fault: Infinity };
  for (let shift = -most; shift <= most; shift += 1) {
    let fault = 0;
    for (let y = most; y < FRAME.height - most; y += 1) {
      for (let x = most; x < FRAME.width - most; x += 1) {
        const [dx, dy] = axis === 'x' ? [shift, 0] : [0, shift];
        fault += Math.abs(other.y[(y + dy) * FRAME.width + x + dx]! - one.y[y * FRAME.width + x]!);
      }
    }
    if (fault < best.fault) best = { shift, fault };
  }
  return best.shift;
}

describe.each(kinds)('%s', (name) => {
  it('comes in from nothing and then stays about as much, for as long as a film may be', () => {
    const amounts = [0, 0.2, 2, 5, 8, 12].map(
      (seconds) => amountOf(draw(name, seconds)) + amountOf(draw(name, seconds, 'behind')),
    );
    const [none, few, ...later] = amounts;
    expect(none).toBe(0);
    expect(few).toBeLessThan(0.5 * Math.max(...later));
    expect(Math.min(...later)).toBeGreaterThan(0.35 * Math.max(...later));
  });

  it('is another crowd for another seed, and the same for the same', () => {
    const [one, again, other] = [5, 5, 6].map((seed) => draw(name, 2, 'front', {}, seed).y);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('leaves most of the picture as it is', () => {
    const touched = draw(name, 3).y.filter((value) => Math.abs(value - 80) > 8).length;
    expect(touched).toBeGreaterThan(5);
    expect(touched).toBeLessThan(0.4 * FRAME.width * FRAME.height);
  });

  it('only brightens where it is light, and has its own colour where it is a thing', () => {
    const { y, u, v } = draw(name, 3);
    const isGrey = [...u, ...v].every((value) => value === 128);
    if ('isLight' in particleKinds[name]) expect(Math.min(...y)).toBe(80);
    else expect(isGrey).toBe(name === 'snow'); // of all things snow alone is white
  });
});

describe('what is in the air', () => {
  it.each<[string, ParticleName, number]>([
    ['falls', 'snow', 1],
    ['falls', 'petals', 1],
    ['falls', 'confetti', 1],
    ['rises', 'bubbles', -1],
  ])('%s: %s', (_, name, side) => {
    const shift = findShift(draw(name, 2), draw(name, 2.1), 'y', 8);
    expect(Math.sign(shift)).toBe(side);
  });

  it('falls faster near than far', () => {
    const [far, near] = (['behind', 'front'] as const).map((layer) =>
      findShift(draw('snow', 2, layer), draw('snow', 2.25, layer), 'y', 10),
    );
    expect(far).toBeGreaterThan(0);
    expect(near).toBeGreaterThan(far!);
  });

  it.each<[ParticleName, Layer]>([
    ['snow', 'front'],
    ['confetti', 'behind'],
    ['bokeh', 'front'],
  ])('goes with the picture when the camera turns: %s', (name, layer) => {
    const [still, turned] = [draw(name, 3, layer), draw(name, 3, layer, { turnX: 8, turnY: 4 })];
    for (let y = 20; y < 170; y += 1) {
      const [from, to] = [y * 192 + 20, (y + 4) * 192 + 28];
      expect(turned.y.slice(to, to + 140)).toEqual(still.y.slice(from, from + 140));
    }
  });

  it('moves more near than far when the camera travels', () => {
    const shiftOf = (layer: Layer) => findShift(draw('snow', 3, layer), draw('snow', 3, layer, { x: 10 }), 'x', 14);
    const [far, near] = [shiftOf('behind'), shiftOf('front')];
    expect(far).toBeGreaterThan(2);
    expect(far).toBeLessThan(9);
    expect(near).toBeGreaterThan(far);
  });

  it('comes in elsewhere on every lap', () => {
    const touched = new Set<number>();
    for (let seconds = 1; seconds < 60; seconds += 0.5) {
      const { y } = draw('bubbles', seconds, 'behind');
      for (const [i, value] of y.entries()) if (value > 84) touched.add(i % 192);
    }
    expect(touched.size).toBeGreaterThan(150); // of 192 columns, by nine bubbles
  });
});

describe('sparkles', () => {
  const RADIUS = 1.2 * 0.055 * UNIT + 2;

  it.each<[string, Partial<StagePose>]>([
    ['at rest', {}],
    ['that moves', { x: 30, y: -10 }],
    ['that comes closer', { push: 0.3 }],
    ['that rises', { lift: 25 }],
  ])('sit on the product %s, wherever that is, and nowhere else', (_, pose) => {
    const box = boxAt(stage, momentAt(2, pose).pose)!;
    const { y } = draw('sparkle', 2, 'front', pose);
    const lit = [...y.keys()].filter((i) => y[i] !== 80).map((i) => ({ x: i % 192, y: Math.floor(i / 192) }));
    expect(lit.length).toBeGreaterThan(10);
    const isOn = ({ x, y: row }: { x: number; y: number }) =>
      x > box.left - RADIUS && x < box.right + RADIUS && row > box.top - RADIUS && row < box.bottom + RADIUS;
    expect(lit.every(isOn)).toBe(true);
  });

  it('are anywhere in a picture without a product', () => {
    const canvas = makeGrey(80, FRAME);
    makeParticles('sparkle', flat, UNIT, 5).front?.(canvas, momentAt(2));
    const columns = [...canvas.y.keys()].filter((i) => canvas.y[i] !== 80).map((i) => i % 192);
    expect(Math.max(...columns) - Math.min(...columns)).toBeGreaterThan(100);
  });

  it('twinkle: none shines all the time', () => {
    const brightest = new Uint8ClampedArray(FRAME.width * FRAME.height).fill(255);
    for (let seconds = 1; seconds < 5; seconds += 0.25) {
      const { y } = draw('sparkle', seconds);
      for (const [i, value] of y.entries()) brightest[i] = Math.min(brightest[i]!, value);
    }
    expect(Math.max(...brightest)).toBeLessThan(100);
  });
});

describe('particles of a small frame', () => {
  it.each(kinds)('are drawn where one is smaller than a pixel: %s', (name) => {
    const canvas = makeGrey(80, { width: 8, height: 8 });
    const effect = makeParticles(name, { ...flat, frame: { width: 8, height: 8 } }, 8, 1);
    effect.behind?.(canvas, momentAt(2));
    effect.front?.(canvas, momentAt(2));
    expect(canvas.bytes.every((value) => value >= 16 && value <= 240)).toBe(true);
  });
});
