import sharp from 'sharp';
import { expect, it } from 'vitest';
import { listChunks } from './png.ts';

it('rejects a PNG with too many chunks before each takes memory', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const insert = (chunks: number) =>
    Buffer.concat([
      png.subarray(0, 33),
      Buffer.alloc(12 * chunks, '0000000070727674b1c5d2c5', 'hex'),
      png.subarray(33),
    ]);
  expect(listChunks(insert(90_000))).toHaveLength(listChunks(png).length + 90_000);
  expect(() => listChunks(insert(100_000))).toThrow('too many chunks');
});
