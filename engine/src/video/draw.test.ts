import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { BOX, makeFlatStage, makeStage, momentAt, paintFrame, STAGE, SUBJECT } from '../../test/stage.ts';
import type { Canvas, Effect } from './canvas.ts';
import { makePainter, mixRings } from './draw.ts';
import { boxAt, type StagePose } from './pose.ts';
import { buildStage } from './stage.ts';
import { toYuvColour } from './yuv.ts';

const stage = await makeStage();
const flat = await makeFlatStage();
const { width } = STAGE;

const show = (pose: Partial<StagePose>, effects: Effect[] = [], on = stage) =>
  paintFrame(on, momentAt(1, pose), effects);
const totalAlpha = ({ alpha: alpha }: Canvas) => alpha.reduce((sum, value) => sum + value, 0);

const between = (min: number, max: number) => fc.double({ min: min, max: max, noNaN: true });
const poses: fc.Arbitrary<Partial<StagePose>> = fc.record({
  x: between(-9, 9),
  y: between(-6, 6),
  push: between(-0.1, 0.2),
  yaw: between(-0.3, 0.3),
});

describe('the product in a frame', () => {
  const rest = show({});

  it('equals its pixels if it moves by whole pixels', () => {
    const moved = show({ x: 6, y: -4 });
    for (let y = BOX.top; y < BOX.bottom; y += 1) {
      const [from, to] = [y * width + BOX.left, (y - 4) * width + BOX.left + 6];
      expect(moved.y.slice(to, to + 24)).toEqual(rest.y.slice(from, from + 24));
      expect(moved.alpha.slice(to, to + 24).every((value) => value === 1)).toBe(true);
    }
    const chroma = (canvas: Canvas, x: number, y: number) => [canvas.u, canvas.v].map((plane) => plane[y * 48 + x]);
    expect(chroma(moved, 27, 23)).toEqual(chroma(rest, 24, 25));
  });

  it.each<[string, Partial<StagePose>, number]>([
    ['moved by a part of a pixel', { x: 1.7 }, 1],
    ['that turns in place', { yaw: 0.25 }, 1],
    ['that the camera comes closer to', { push: 0.15 }, 1.15 ** 2],
    ['that the camera goes away from', { push: -0.1 }, 0.9 ** 2],
  ])('%s covers an area by its scale', (_, pose, share) => {
    expect(Math.abs(totalAlpha(show(pose)) / totalAlpha(rest) - share)).toBeLessThan(0.01);
  });

  it("stays inside its pose's box, with alpha of at most 1", () => {
    fc.assert(
      fc.property(poses, (pose) => {
        const { alpha: alpha } = show(pose);
        const box = boxAt(stage, momentAt(1, pose).pose)!;
        const isRight = alpha.every((value, i) => {
          const [x, y] = [i % width, Math.floor(i / width)];
          const isNear = x > box.left - 3 && x < box.right + 2 && y > box.top - 3 && y < box.bottom + 2;
          return value === 0 || (isNear && value > 0 && value <= 1);
        });
        expect(isRight).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it('leaves no hole and no ghost behind: wall and table are filled in', () => {
    const moved = show({ x: 40 });
    const product = rest.y[50 * width + 48]!;
    const wall = rest.y[50 * width + 12]!;
    expect(Math.abs(product - wall)).toBeGreaterThan(60);
    for (let y = 45; y < 56; y += 1) expect(Math.abs(moved.y[y * width + 48]! - wall)).toBeLessThan(40);
  });

  it('takes its glow on the wall along when it moves', async () => {
    const isGlow = (x: number, y: number) => x >= 35 && x < 61 && y >= 29 && y < 77;
    const glowing = drawRgb(STAGE, (x, y) => {
      if (SUBJECT.alpha.data[y * width + x]) return [190, 60, 50];
      return isGlow(x, y) ? [130, 40, 40] : [225, 228, 232];
    });
    const frame = { width: 192, height: 192 }; // on smaller ones the rim is narrower than a pixel
    const own = await buildStage(glowing, { ...SUBJECT, colours: glowing.data }, { ...frame, left: 0, top: 0 }, frame);
    const [rest, gone] = [show({}, [], own), show({ y: -120 }, [], own)];
    const glow = 2 * BOX.left - 1 + 120 * 192;
    expect(rest.y[glow]).toBeLessThan(80);
    expect(gone.y[glow]).toBeGreaterThan(200);
  });

  it('moves chroma with luma', async () => {
    const isLine = (x: number) => x >= 46 && x < 50;
    const lined = drawRgb(STAGE, (x, y) => {
      if (!SUBJECT.alpha.data[y * width + x]) return [220, 220, 220];
      return isLine(x) ? [0, 60, 0] : [140, 140, 140];
    });
    const own = await buildStage(lined, { ...SUBJECT, colours: lined.data }, { ...STAGE, left: 0, top: 0 }, STAGE);
    const turned = show({ yaw: 0.3 }, [], own);
    const middle = (values: Uint8ClampedArray, row: number, size: number, weigh: (value: number) => number) => {
      const weights = [...values.subarray(row * size, (row + 1) * size)].map(weigh);
      return weights.reduce((sum, weight, x) => sum + weight * x, 0) / weights.reduce((sum, weight) => sum + weight, 0);
    };
    const line = middle(turned.y, 50, 96, (value) => Math.max(0, 100 - value));
    const tint = middle(turned.v, 25, 48, (value) => Math.max(0, 124 - value));
    expect(line - 47.5).toBeGreaterThan(2.5);
    expect(Math.abs(2 * tint + 0.5 - line)).toBeLessThan(0.7);
  });

  it('outside the frame is not drawn', () => {
    for (const away of [{ x: 200 }, { x: -200 }, { y: 200 }, { y: -200 }]) {
      expect(totalAlpha(show(away))).toBe(0);
    }
  });
});

describe('a picture of one colour', () => {
  const grey = drawRgb(STAGE, () => [120, 140, 90]);
  const soft = drawPlane(STAGE, (x, y) => Math.min(1, Math.max(0, 1.5 - Math.hypot((x - 48) / 14, (y - 52) / 24))));
  const subject = { ...SUBJECT, alpha: soft, colours: grey.data };

  it('stays uniform with any soft product and camera move', async () => {
    const even = await buildStage(grey, subject, { ...STAGE, left: 0, top: 0 }, STAGE);
    const [luma, u, v] = toYuvColour(120, 140, 90);
    fc.assert(
      fc.property(poses, (pose) => {
        const canvas = show(pose, [], even);
        for (const [plane, wanted] of [
          [canvas.y, luma],
          [canvas.u, u],
          [canvas.v, v],
        ] as const) {
          expect(plane.every((value) => Math.abs(value - wanted) < 2)).toBe(true);
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('a painter', () => {
  it('paints each moment independently of earlier ones', () => {
    const painter = makePainter(stage);
    const shine: Effect = {
      front: ({ y, alpha: alpha }) => {
        for (let i = 0; i < y.length; i += 1) y[i] = y[i]! + 20 * alpha[i]!;
      },
    };
    const moments = [
      momentAt(0),
      momentAt(1, { x: 7, push: 0.1 }),
      momentAt(2, { x: -3, yaw: 0.2 }),
      momentAt(0.5, { x: 40 }),
    ];
    const paint = (n: number) => {
      painter.paint(moments[n]!, [shine]);
      return painter.canvas.bytes.slice();
    };
    const first = moments.map((_, n) => paint(n));
    for (const n of [2, 0, 3, 1, 0, 2]) expect(Buffer.compare(paint(n), first[n]!)).toBe(0);
  });

  it('draws effects behind the product, the product, then effects in front', () => {
    const fill = (value: number) => (canvas: Canvas) => void canvas.y.fill(value);
    const behind = show({}, [{ behind: fill(200) }]);
    expect([behind.y[5], behind.y[50 * width + 48]]).toEqual([200, show({}).y[50 * width + 48]]);
    expect(show({}, [{ behind: fill(200) }, { front: fill(30) }]).y.every((value) => value === 30)).toBe(true);
  });

  it("passes the product's alpha to effects in front, zero without a product", () => {
    const totals: number[] = [];
    const probe: Effect = { front: (canvas) => void totals.push(totalAlpha(canvas)) };
    show({}, [probe]);
    show({ x: 200 }, [probe]);
    show({}, [probe], flat);
    expect(totals.map(Math.round)).toEqual([24 * 46, 0, 0]);
  });

  it('moves a picture without a product as one layer', () => {
    const [still, moved] = [show({}, [], flat), show({ x: 5, y: 5 }, [], flat)];
    for (let y = 10; y < 90; y += 1) {
      for (let x = 10; x < 90; x += 5) {
        expect(Math.abs(moved.y[y * width + x]! - still.y[(y - 3) * width + x - 3]!)).toBeLessThan(2);
      }
    }
  });
});

describe('the rim of the photo', () => {
  it('is removed when the product moves, and restored when it returns', async () => {
    const soft = drawPlane(STAGE, (x, y) => SUBJECT.alpha.data[y * 96 + x]! * (x === BOX.left ? 0.5 : 1));
    const own = await makeStage(STAGE, { ...SUBJECT, alpha: soft });
    mixRings(own, 0);
    const rest = own.backdrop.y.data.slice();
    mixRings(own, 9);
    const filled = own.backdrop.y.data.slice();
    expect(filled).not.toEqual(rest);
    mixRings(own, 0);
    expect(own.backdrop.y.data).toEqual(rest);
  });

  it.each(['y', 'u', 'v'] as const)('is replaced by its displacement, less for near rows: %s', async (name) => {
    const soft = drawPlane(STAGE, (x, y) => SUBJECT.alpha.data[y * 96 + x]! * (x === BOX.left ? 0.5 : 1));
    const own = await makeStage(STAGE, { ...SUBJECT, alpha: soft });
    const ring = own.product!.rings.find(({ plane }) => plane === name)!;
    const step = name === 'y' ? 1 : 2;
    const depthOf = (n: number) => own.depths[step * Math.floor((ring.at[n]! * step) / own.backdrop.y.width)]!;
    const totals = [...ring.at.keys()].filter((n) => Math.abs(ring.rest[n]! - ring.filled[n]!) > 1);
    const sharesOf = (isIn: (depth: number) => boolean) =>
      totals
        .filter((n) => isIn(depthOf(n)))
        .map((n) => (own.backdrop[name].data[ring.at[n]!]! - ring.filled[n]!) / (ring.rest[n]! - ring.filled[n]!));
    for (const [parallax, share] of [
      [0, 1],
      [0.5, 0.75],
      [1, 0.5],
      [2, 0],
      [90, 0],
    ] as const) {
      mixRings(own, parallax);
      for (const one of sharesOf((depth) => depth < 0.31)) expect(one).toBeCloseTo(share, 1);
    }
    mixRings(own, 1);
    const near = sharesOf((depth) => depth > 0.8);
    expect(near.length).toBeGreaterThan(0);
    expect(Math.min(...near)).toBeGreaterThan(0.84);
  });
});
