import { describe, expect, it } from 'vitest';
import type { Matting } from '../src/cutout/matting.ts';
import type { Size } from '../src/pixels/plane.ts';
import { judge, judgeMarked, readCase } from './judge.ts';

const BUSY_MS = 120_000;

describe('cut-outs of pictures with masks', { timeout: BUSY_MS }, () => {
  it.each(['handbag', 'mug', 'dropper', 'teddy', 'candle', 'headphones'])(
    'are there for the %s of the start page',
    async (name) => {
      const row = await judge(await readCase('samples', name));
      expect(row).toMatchObject({ wasAsked: false, isWrong: false });
      expect(row.iou).toBeGreaterThan(0.9);
    },
  );

  it('get good enough with a box and two dots where a person was asked', async () => {
    const one = await readCase('tune', 'tune-living-02');
    const { row, twoDots } = await judgeMarked({ ...one, truth: one.truth! });
    expect(row.wasAsked).toBe(true);
    expect(twoDots).toBeGreaterThan(0.8);
  });

  it('would be noticed if they were the whole picture', async () => {
    const fill = ({ width, height }: Size) => ({ width, height, data: new Float32Array(width * height).fill(1) });
    const whole: Matting = {
      name: 'whole',
      look: async (picture) => ({ alpha: fill(picture), grain: 1, isSure: true }),
      find: async (picture) => fill(picture),
    };
    expect((await judge(await readCase('real-tune', 'thing-02'), whole)).isWrong).toBe(true);
  });
});
