import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { continueEdges } from './edges.ts';

/** Red down to 60 pixels from each side, but green on the right; blue in between. */
const SIZE = { width: 400, height: 400 };
const INNER = { width: 280, height: 280 };
const picture = sharp({ create: { ...SIZE, channels: 3, background: '#c02020' } }).composite([
  { input: { create: { ...INNER, channels: 3, background: '#2020c0' } }, left: 60, top: 60 },
  { input: { create: { width: 60, height: 400, channels: 3, background: '#20c020' } }, left: 340, top: 0 },
]);
const open = async () => sharp(await picture.png().toBuffer());
const RED = [0xc0, 0x20, 0x20].map((value) => expect.closeTo(value, -1) as number);
const GREEN = [0x20, 0xc0, 0x20].map((value) => expect.closeTo(value, -1) as number);
const BLUE = [0x20, 0x20, 0xc0].map((value) => expect.closeTo(value, -1) as number);

describe('a picture in a frame that it does not fill', () => {
  it('is continued beyond its edges by what is next to them, and stays unchanged itself', async () => {
    const { data, width } = await continueEdges(await open(), SIZE, { width: 640, height: 400 });
    const at = (x: number) => [...data.subarray((200 * width + x) * 3, (200 * width + x) * 3 + 3)];
    // 120 pixels on both sides. Nothing from farther inside appears a second time.
    expect([at(125), at(175), at(200)]).toEqual([RED, RED, BLUE]);
    expect([at(115), at(90), at(30), at(5)]).toEqual([RED, RED, RED, RED]);
    expect([at(640 - 115), at(640 - 30), at(640 - 5)]).toEqual([GREEN, GREEN, GREEN]);
  });

  it('is continued above and below as well', async () => {
    const { data, width, height } = await continueEdges(await open(), SIZE, { width: 400, height: 600 });
    const at = (y: number) => [...data.subarray((y * width + 200) * 3, (y * width + 200) * 3 + 3)];
    expect([at(75), at(15), at(height - 75), at(height - 15)]).toEqual([RED, RED, RED, RED]);
  });

  it('stays unchanged if it fills the frame', async () => {
    const { data } = await continueEdges(await open(), SIZE, SIZE);
    expect(Buffer.from(data).equals(await (await open()).removeAlpha().raw().toBuffer())).toBe(true);
  });
});
