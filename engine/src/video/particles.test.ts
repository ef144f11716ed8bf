import { describe, expect, it } from 'vitest';
import { makeFlatStage, makeGrey, makeStage, momentAt } from '../../test/stage.ts';
import { makeCanvas, type Canvas } from './canvas.ts';
import { particleKinds, type ParticleKind } from './particle-kinds.ts';
import { makeParticles } from './particles.ts';
import { boxAt, type StagePose } from './pose.ts';
import { drawSprite, shapes, type Sprite } from './sprites.ts';

const FRAME = { width: 192, height: 192 };
const UNIT = 192;
const stage = await makeStage(FRAME);
const flat = await makeFlatStage(FRAME);
type Name = keyof typeof particleKinds;
const kinds = Object.keys(particleKinds) as Name[];

type Layer = 'behind' | 'front';

/** One layer of particles on grey. */
function draw(name: Name, seconds: number, layer: Layer = 'front', pose: Partial<StagePose> = {}, seed = 5) {
  const canvas = makeGrey(80, FRAME);
  makeParticles(particleKinds[name], stage, seed)[layer]?.(canvas, momentAt(seconds, pose));
  return canvas;
}

const amountOf = ({ y }: Canvas) => y.reduce((sum, value) => sum + Math.abs(value - 80), 0);

/** The shift in pixels along one axis that best aligns the second picture with the first. */
function findShift(one: Canvas, other: Canvas, axis: 'x' | 'y', max: number): number {
  let best = { shift: 0, fault: Infinity };
  for (let shift = -max; shift <= max; shift += 1) {
    let fault = 0;
    for (let y = max; y < FRAME.height - max; y += 1) {
      for (let x = max; x < FRAME.width - max; x += 1) {
        const [dx, dy] = axis === 'x' ? [shift, 0] : [0, shift];
        fault += Math.abs(other.y[(y + dy) * FRAME.width + x + dx]! - one.y[y * FRAME.width + x]!);
      }
    }
    if (fault < best.fault) best = { shift, fault };
  }
  return best.shift;
}

describe.each(kinds)('%s', (name) => {
  it('fades in and then stays constant for the longest film', () => {
    const amounts = [0, 0.2, 2, 5, 8, 12].map(
      (seconds) => amountOf(draw(name, seconds)) + amountOf(draw(name, seconds, 'behind')),
    );
    const [none, few, ...later] = amounts;
    expect(none).toBe(0);
    expect(few).toBeLessThan(0.5 * Math.max(...later));
    expect(Math.min(...later)).toBeGreaterThan(0.35 * Math.max(...later));
  });

  it('differs by seed, and is deterministic per seed', () => {
    const [one, again, other] = [5, 5, 6].map((seed) => draw(name, 2, 'front', {}, seed).y);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('leaves most of the picture unchanged', () => {
    const touched = draw(name, 3).y.filter((value) => Math.abs(value - 80) > 8).length;
    expect(touched).toBeGreaterThan(5);
    expect(touched).toBeLessThan(0.4 * FRAME.width * FRAME.height);
  });

  it('only brightens if it is light, and has its own colour if it is an object', () => {
    const { y, u, v } = draw(name, 3);
    const isGrey = [...u, ...v].every((value) => value === 128);
    if (name === 'sparkle') expect(Math.min(...y)).toBe(80);
    else expect(isGrey).toBe(name === 'snow'); // only snow is white
  });
});

describe('falling particles', () => {
  it.each<[string, Name, number]>([
    ['falls', 'snow', 1],
    ['falls', 'petals', 1],
    ['falls', 'confetti', 1],
  ])('%s: %s', (_, name, side) => {
    const shift = findShift(draw(name, 2), draw(name, 2.1), 'y', 8);
    expect(Math.sign(shift)).toBe(side);
  });

  it('fall faster when near', () => {
    const [far, near] = (['behind', 'front'] as const).map((layer) =>
      findShift(draw('snow', 2, layer), draw('snow', 2.25, layer), 'y', 10),
    );
    expect(far).toBeGreaterThan(0);
    expect(near).toBeGreaterThan(far!);
  });
});

describe('sparkles', () => {
  const RADIUS = 1.2 * 0.055 * UNIT + 2;

  it.each<[string, Partial<StagePose>]>([
    ['at rest', {}],
    ['that moves', { x: 30, y: -10 }],
    ['that comes closer', { push: 0.3 }],
  ])('stay on the product %s', (_, pose) => {
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
    makeParticles(particleKinds.sparkle, flat, 5).front?.(canvas, momentAt(2));
    const columns = [...canvas.y.keys()].filter((i) => canvas.y[i] !== 80).map((i) => i % 192);
    expect(Math.max(...columns) - Math.min(...columns)).toBeGreaterThan(100);
  });

  it('twinkle: none is always lit', () => {
    const brightest = new Uint8ClampedArray(FRAME.width * FRAME.height).fill(255);
    for (let seconds = 1; seconds < 5; seconds += 0.25) {
      const { y } = draw('sparkle', seconds);
      for (const [i, value] of y.entries()) brightest[i] = Math.min(brightest[i]!, value);
    }
    expect(Math.max(...brightest)).toBeLessThan(100);
  });
});

describe('particles in a small frame', () => {
  it.each(kinds)('are drawn if they are smaller than a pixel: %s', (name) => {
    const canvas = makeGrey(80, { width: 8, height: 8 });
    const effect = makeParticles(particleKinds[name], { ...flat, frame: { width: 8, height: 8 } }, 1);
    effect.behind?.(canvas, momentAt(2));
    effect.front?.(canvas, momentAt(2));
    expect(canvas.bytes.every((value) => value >= 16 && value <= 240)).toBe(true);
  });
});

describe('a sprite', () => {
  const dot: Sprite = {
    x: 16,
    y: 16,
    radius: 5,
    angle: 0,
    tumble: 1,
    colour: [200, 100, 150],
    opacity: 1,
    softness: 1,
  };
  const draw = (changes: Partial<Sprite>, shape = shapes.disc) => {
    const canvas = makeCanvas(32, 32);
    drawSprite(canvas, { ...dot, ...changes }, shape);
    return canvas;
  };

  it('covers pixels with its colour', () => {
    const { y, u, v } = draw({});
    expect([y[16 * 32 + 16], u[8 * 16 + 8], v[8 * 16 + 8]]).toEqual([200, 100, 150]);
    const area = y.filter((value) => value > 100).length;
    expect(Math.abs(area - Math.PI * 25)).toBeLessThan(12);
  });

  it('is clipped to the frame', () => {
    for (const place of [{ x: -3 }, { y: 34 }, { x: 500, y: -500 }]) expect(() => draw(place)).not.toThrow();
    expect(draw({ opacity: 0 }).bytes.every((value) => value === 0)).toBe(true);
    expect(draw({ x: 500 }).bytes.every((value) => value === 0)).toBe(true);
  });

  it('is narrower while it tumbles', () => {
    const count = (tumble: number) => draw({ tumble }).y.filter((value) => value > 100).length;
    expect(count(0.4)).toBeLessThan(0.6 * count(1));
    expect(count(0)).toBeGreaterThan(0);
  });

  it.each(Object.keys(shapes) as (keyof typeof shapes)[])('of the shape %s has an inside and an edge', (name) => {
    const canvas = draw({ softness: 2 }, shapes[name]);
    expect(canvas.y.some((value) => value > 0)).toBe(true);
    const isFar = (i: number) => Math.hypot((i % 32) - 16, Math.floor(i / 32) - 16) > 9;
    expect(canvas.y.every((value, i) => value === 0 || !isFar(i))).toBe(true);
  });

  it('is drawn at its position, also between pixels', () => {
    for (const [x, y] of [
      [16, 16],
      [12.3, 17.8],
      [19.5, 11.1],
    ] as const) {
      const canvas = draw({ x, y });
      const sum = canvas.y.reduce((so, value) => so + value, 0);
      const mean = (place: (i: number) => number) => canvas.y.reduce((so, value, i) => so + value * place(i), 0) / sum;
      expect(Math.abs(mean((i) => i % 32) - x)).toBeLessThan(0.2);
      expect(Math.abs(mean((i) => Math.floor(i / 32)) - y)).toBeLessThan(0.2);
      const tint = canvas.u.reduce((so, value) => so + value, 0);
      const column = canvas.u.reduce((so, value, i) => so + value * (2 * (i % 16) + 0.5), 0) / tint;
      expect(Math.abs(column - x)).toBeLessThan(0.3);
    }
  });

  it('is rotated by its angle', () => {
    const extent = (angle: number) => {
      const { y } = draw({ radius: 10, angle }, shapes.paper);
      const lit = [...y.keys()].filter((i) => y[i]! > 100);
      const [columns, rows] = [lit.map((i) => i % 32), lit.map((i) => Math.floor(i / 32))];
      return [Math.max(...columns) - Math.min(...columns), Math.max(...rows) - Math.min(...rows)];
    };
    const [wide, tall] = [extent(0), extent(Math.PI / 2)];
    expect(wide[0]).toBeGreaterThan(wide[1]! + 5);
    expect(tall).toEqual([wide[1], wide[0]]);
  });

  it('of half opacity mixes half and half', () => {
    const canvas = makeCanvas(32, 32);
    canvas.y.fill(50);
    drawSprite(canvas, { ...dot, colour: [150, 128, 128], opacity: 0.5 }, shapes.disc);
    expect(canvas.y[16 * 32 + 16]).toBe(100);
  });
});

describe("a shape's edge", () => {
  const RADIUS = 20;
  const draw = (kind: ParticleKind) => {
    const canvas = makeCanvas(96, 96);
    const softness = Math.max(1, kind.appearance.softness * RADIUS);
    const colour = [235, 128, 128] as const;
    const sprite = { x: 48, y: 48, radius: RADIUS, angle: 0, tumble: 1, colour, opacity: 1, softness };
    drawSprite(canvas, sprite, kind.appearance.shape);
    return canvas.y;
  };
  const entries = Object.entries(particleKinds) as [string, ParticleKind][];

  it.each(entries)('is final: %s does not reappear farther out', (_, kind) => {
    const y = draw(kind);
    const max = RADIUS * (1 + Math.max(0.45, kind.appearance.softness / 2)) + 1;
    const lit = [...y.keys()].filter((i) => y[i]! > 0);
    expect(lit.length).toBeGreaterThan(20);
    expect(Math.max(...lit.map((i) => Math.hypot((i % 96) - 48, Math.floor(i / 96) - 48)))).toBeLessThan(max);
  });

  it.each(['petals', 'leaves'] as const)('is a tip without a spike: %s', (name) => {
    const y = draw(particleKinds[name]);
    const row = [...y.subarray(48 * 96, 49 * 96)];
    expect(row.slice(31, 66).some((value) => value === 235)).toBe(true);
    expect([...row.slice(0, 47 - RADIUS), ...row.slice(50 + RADIUS)].every((value) => value === 0)).toBe(true);
  });
});
