import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { cutCrop, pasteCrop } from './crops.ts';

const SIZE = { width: 61, height: 47 };
const picture = drawRgb(SIZE, (x, y) => [4 * x, 5 * y, 90]);

describe('a crop', () => {
  it('holds the pixels under its box, and pasted back changes nothing', async () => {
    const crop = await cutCrop(picture, { left: 10, top: 5, width: 20, height: 12 });
    expect(crop).toMatchObject({ box: { left: 10, top: 5 }, picture: { width: 20, height: 12 } });
    expect([...crop.picture.data.subarray(0, 3)]).toEqual([40, 25, 90]);
    expect(pasteCrop(picture, crop, crop.picture.data).data).toEqual(picture.data);
  });

  it('lies in the picture and has two pixels at least, whatever the box', async () => {
    const side = fc.double({ min: -100, max: 200, noNaN: true });
    const box = fc.record({ left: side, top: side, width: side, height: side });
    await fc.assert(
      fc.asyncProperty(box, async (asked) => {
        const { left, top, width, height } = (await cutCrop(picture, asked)).box;
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(2);
        expect(left + width).toBeLessThanOrEqual(SIZE.width);
        expect(top + height).toBeLessThanOrEqual(SIZE.height);
      }),
      { numRuns: 40 },
    );
  });

  it('names places of the whole picture in its own pixels, resized too', async () => {
    const crop = await cutCrop(picture, { left: 10.6, top: 5.2, width: 20, height: 12 }, 2.5);
    expect(crop.picture).toMatchObject({ width: 53, height: 33 });
    expect(crop.place({ x: crop.box.left, y: crop.box.top })).toEqual({ x: 0, y: 0 });
    const corner = crop.place({ x: crop.box.left + crop.box.width, y: crop.box.top + crop.box.height });
    expect(corner).toEqual({ x: 53, y: 33 });
  });

  it('changes only what lies under it when something else is pasted', async () => {
    const crop = await cutCrop(picture, { left: 50, top: 40, width: 50, height: 50 });
    const pasted = pasteCrop(picture, crop, new Uint8Array(crop.picture.data.length).fill(7));
    const changed = [...pasted.data.keys()].filter((n) => pasted.data[n] !== picture.data[n]);
    expect(changed.length).toBeGreaterThan(0);
    for (const n of changed) {
      expect(Math.floor(n / 3) % SIZE.width).toBeGreaterThanOrEqual(50);
      expect(Math.floor(n / 3 / SIZE.width)).toBeGreaterThanOrEqual(40);
    }
  });
});
