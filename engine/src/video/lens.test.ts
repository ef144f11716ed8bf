import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { BOX, makeStage, STAGE, SUBJECT } from '../../test/stage.ts';
import { makeLens } from './lens.ts';

const stage = await makeStage();

describe('the lens', () => {
  it('shows the backdrop as it is, and softens what is far from the product', () => {
    const lens = makeLens(stage);
    const [sharp] = lens.focus(0);
    const before = sharp.plane.data.slice();
    const [soft] = lens.focus(1);
    const { width } = soft.plane;
    const rough = (data: Float32Array, row: number) => {
      let sum = 0;
      for (let x = 1; x < width; x += 1) sum += Math.abs(data[row * width + x]! - data[row * width + x - 1]!);
      return sum;
    };
    const [wall, foot] = [stage.margin.y + 8, stage.margin.y + BOX.bottom - 1];
    expect(rough(soft.plane.data, wall)).toBeLessThan(0.7 * rough(before, wall));
    expect(rough(soft.plane.data, foot)).toBeCloseTo(rough(before, foot), 3);
    expect(lens.focus(0)[0].plane.data).toEqual(before);
  });

  it('takes the photo’s own rim away when the product has moved, and gives it back', async () => {
    const soft = drawPlane(STAGE, (x, y) => SUBJECT.alpha.data[y * 96 + x]! * (x === BOX.left ? 0.5 : 1));
    const own = await makeStage(STAGE, { ...SUBJECT, alpha: soft });
    const lens = makeLens(own);
    lens.parallax(0, 0);
    const rest = own.backdrop.y.slice();
    lens.parallax(0, 9);
    const filled = own.backdrop.y.slice();
    expect(filled).not.toEqual(rest);
    lens.parallax(0, 0);
    expect(own.backdrop.y).toEqual(rest);
  });

  it.each(['y', 'u', 'v'] as const)(
    'gives up as much of the rim as it has moved, and less of what is near: %s',
    async (name) => {
      const soft = drawPlane(STAGE, (x, y) => SUBJECT.alpha.data[y * 96 + x]! * (x === BOX.left ? 0.5 : 1));
      const own = await makeStage(STAGE, { ...SUBJECT, alpha: soft });
      const lens = makeLens(own);
      const { ring } = own.product!.rings.find(({ plane }) => plane === name)!;
      const step = name === 'y' ? 1 : 2;
      const depthOf = (n: number) => own.depths[step * Math.floor((ring.at[n]! * step) / own.backdrop.width)]!;
      const seen = [...ring.at.keys()].filter((n) => Math.abs(ring.rest[n]! - ring.filled[n]!) > 1);
      const sharesOf = (isIn: (depth: number) => boolean) =>
        seen
          .filter((n) => isIn(depthOf(n)))
          .map((n) => (own.backdrop[name][ring.at[n]!]! - ring.filled[n]!) / (ring.rest[n]! - ring.filled[n]!));
      for (const [parallax, lift, share] of [
        [0, 0, 1],
        [1, 0, 0.5],
        [2, 0, 0],
        [0, 0.5, 0.75],
        [0.5, 0.5, 0.5],
        [90, 0, 0],
      ] as const) {
        lens.parallax(parallax, lift);
        for (const one of sharesOf((depth) => depth < 0.31)) expect(one).toBeCloseTo(share, 1);
      }
      lens.parallax(1, 0);
      const near = sharesOf((depth) => depth > 0.8);
      expect(near.length).toBeGreaterThan(0);
      expect(Math.min(...near)).toBeGreaterThan(0.84);
    },
  );

  it('goes out of focus gradually, and keeps the light', () => {
    const lens = makeLens(stage);
    const { width, height } = stage.backdrop;
    const row = (stage.margin.y + 8) * width;
    const look = (blur: number) => lens.focus(blur)[0].plane.data.slice();
    const [sharp, some, more, most] = [0, 0.25, 0.5, 1].map(look) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const range = (data: Float32Array) => {
      const part = data.subarray(row + 20, row + width - 20);
      return Math.max(...part) - Math.min(...part);
    };
    expect(range(some)).toBeLessThan(range(sharp) + 0.01);
    expect(range(more)).toBeLessThan(range(some) + 0.01);
    expect(range(most)).toBeLessThan(0.9 * range(more));
    const mean = (data: Float32Array) => data.reduce((sum, value) => sum + value, 0) / (width * height);
    for (const data of [some, more, most]) expect(Math.abs(mean(data) - mean(sharp))).toBeLessThan(0.3);
  });

  it('blurs colours as it does brightness', async () => {
    const { backdrop, ...own } = await makeStage({ width: 192, height: 192 });
    const lens = makeLens({ ...own, backdrop });
    const sharp = lens.focus(0).map(({ plane }) => plane.data.slice());
    const soft = lens.focus(1);
    for (const [n, { plane }] of soft.entries()) {
      expect(plane.data.some((value, i) => Math.abs(value - sharp[n]![i]!) > 0.1)).toBe(true);
    }
    expect(soft.map(({ plane }) => plane.width)).toEqual([backdrop.width, backdrop.width / 2, backdrop.width / 2]);
  });
});
