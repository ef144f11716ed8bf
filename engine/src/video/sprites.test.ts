import { describe, expect, it } from 'vitest';
import { makeCanvas } from './canvas.ts';
import { particleKinds, type ParticleKind } from './particle-kinds.ts';
import { drawSprite, shapes, type Sprite } from './sprites.ts';

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
    isLight: false,
  };
  const draw = (changes: Partial<Sprite>, shape = shapes.disc) => {
    const canvas = makeCanvas(32, 32);
    drawSprite(canvas, { ...dot, ...changes }, shape);
    return canvas;
  };

  it('covers what lies under it with its colour', () => {
    const { y, u, v } = draw({});
    expect([y[16 * 32 + 16], u[8 * 16 + 8], v[8 * 16 + 8]]).toEqual([200, 100, 150]);
    const area = y.filter((value) => value > 100).length;
    expect(Math.abs(area - Math.PI * 25)).toBeLessThan(12);
  });

  it('is left out where it leaves the frame, and whole where it does not show', () => {
    for (const place of [{ x: -3 }, { y: 34 }, { x: 500, y: -500 }]) expect(() => draw(place)).not.toThrow();
    expect(draw({ opacity: 0 }).bytes.every((value) => value === 0)).toBe(true);
    expect(draw({ x: 500 }).bytes.every((value) => value === 0)).toBe(true);
  });

  it('is narrower while it tumbles', () => {
    const count = (tumble: number) => draw({ tumble }).y.filter((value) => value > 100).length;
    expect(count(0.4)).toBeLessThan(0.6 * count(1));
    expect(count(0)).toBeGreaterThan(0);
  });

  it.each(Object.keys(shapes) as (keyof typeof shapes)[])('of the shape %s has an inside and an end', (name) => {
    const canvas = draw({ softness: 2 }, shapes[name]);
    expect(canvas.y.some((value) => value > 0)).toBe(true);
    const isFar = (i: number) => Math.hypot((i % 32) - 16, Math.floor(i / 32) - 16) > 9;
    expect(canvas.y.every((value, i) => value === 0 || !isFar(i))).toBe(true);
  });

  it('lies where it is told to, between the pixels too', () => {
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

  it('points where its angle says', () => {
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

  it('of light adds to what is there and never reaches beyond white', () => {
    const add = (luma: number) => {
      const canvas = makeCanvas(32, 32);
      canvas.y.fill(luma);
      drawSprite(canvas, { ...dot, colour: [235, 128, 128], opacity: 0.5, isLight: true }, shapes.disc);
      return canvas.y[16 * 32 + 16]! - luma;
    };
    expect([add(35), add(135), add(235)]).toEqual([100, 50, 0]);
  });

  it('half opaque is half of it and half of what is there', () => {
    const canvas = makeCanvas(32, 32);
    canvas.y.fill(50);
    drawSprite(canvas, { ...dot, colour: [150, 128, 128], opacity: 0.5 }, shapes.disc);
    expect(canvas.y[16 * 32 + 16]).toBe(100);
  });
});

describe('the end of a shape', () => {
  const RADIUS = 20;
  const draw = (kind: ParticleKind) => {
    const canvas = makeCanvas(96, 96);
    const softness = Math.max(1, kind.softness * RADIUS);
    const colour = [235, 128, 128] as const;
    const sprite = { x: 48, y: 48, radius: RADIUS, angle: 0, tumble: 1, colour, opacity: 1, softness, isLight: false };
    drawSprite(canvas, sprite, kind.shape);
    return canvas.y;
  };
  const kinds = Object.entries(particleKinds) as [string, ParticleKind][];

  it.each(kinds)('is an end: %s does not begin again farther out', (_, kind) => {
    const y = draw(kind);
    const most = RADIUS * (1 + Math.max(0.45, kind.softness / 2)) + 1;
    const lit = [...y.keys()].filter((i) => y[i]! > 0);
    expect(lit.length).toBeGreaterThan(20);
    expect(Math.max(...lit.map((i) => Math.hypot((i % 96) - 48, Math.floor(i / 96) - 48)))).toBeLessThan(most);
  });

  it.each(['petals', 'leaves'] as const)('is a tip without a thorn: %s', (name) => {
    const y = draw(particleKinds[name]);
    const row = [...y.subarray(48 * 96, 49 * 96)];
    expect(row.slice(31, 66).some((value) => value === 235)).toBe(true);
    expect([...row.slice(0, 47 - RADIUS), ...row.slice(50 + RADIUS)].every((value) => value === 0)).toBe(true);
  });
});
