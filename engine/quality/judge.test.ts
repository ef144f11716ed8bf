import { describe, expect, it } from 'vitest';
import { judge, judgeMarked, judgeSamples, readCase, summarise } from './judge.ts';

const BUSY_MS = 120_000;
/** One of each class that comes out well: they tell when something breaks, not how good the cut-outs are. */
const PICTURES = [
  'plain-08',
  'texture-01',
  'clutter-03',
  'lowcontrast-10',
  'thin-08',
  'glass-09',
  'living-08',
  'fill-10',
];

describe('cut-outs of pictures with exact masks', { timeout: BUSY_MS }, () => {
  it('are good for one picture of each class', async () => {
    const rows = [];
    for (const name of PICTURES) rows.push(await judge(await readCase(`tune-${name}`)));
    const { iou, wrong, good, refused } = summarise(rows);
    expect({ wrong, refused }).toEqual({ wrong: 0, refused: 0 });
    expect(iou).toBeGreaterThan(0.95);
    expect(good).toBeGreaterThanOrEqual(0.8);
  });

  it('are there for the six products of the start page', async () => {
    for (const row of await judgeSamples(['handbag', 'mug', 'dropper', 'teddy', 'candle', 'headphones'])) {
      expect(row).toMatchObject({ wasRefused: false, isWrong: false });
      expect(row.iou, row.name).toBeGreaterThan(0.9);
    }
  });

  it('let the scene be seen through a ring', async () => {
    const [ring] = await judgeSamples(['ringvase']);
    expect(ring!.iou).toBeGreaterThan(0.98);
  });

  it('get good enough with two dots where the picture was refused', async () => {
    const { row, twoDots } = await judgeMarked(await readCase('tune-living-02'));
    expect(row.wasRefused).toBe(true);
    expect(twoDots).toBeGreaterThan(0.8);
  });

  it('would be noticed if they were the whole picture', async () => {
    const whole = {
      name: 'whole',
      find: async ({ width, height }: { width: number; height: number }) => ({
        width,
        height,
        data: new Float32Array(width * height).fill(1),
      }),
    };
    expect((await judge(await readCase('tune-plain-08'), whole)).isWrong).toBe(true);
  });
});
