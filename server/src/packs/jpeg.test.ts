import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodeJpeg } from './jpeg.ts';

const SIDE = 256;
/** All colours beside pure white, in blocks. */
const drawn = { width: SIDE, height: SIDE, channels: 3, data: new Uint8Array(SIDE * SIDE * 3).fill(255) };
const isNoise = (x: number, y: number) => ((x >> 3) + (y >> 3)) % 2 === 0;
for (let at = 0; at < drawn.data.length; at += 1) {
  const [x, y] = [Math.floor(at / 3) % SIDE, Math.floor(at / 3 / SIDE)];
  if (isNoise(x, y)) drawn.data[at] = (at * 7919) % 251;
}

it('blocks of pure white stay pure at every quality', async () => {
  const sizes = new Set<number>();
  let maxBytes = Infinity;
  for (;;) {
    const content = await encodeJpeg(drawn, maxBytes, undefined).catch(() => undefined);
    if (content === undefined) break;
    const { data } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
    const greyed = data.findIndex(
      (value, at) => value < 255 && !isNoise(Math.floor(at / 3) % SIDE, Math.floor(at / 3 / SIDE)),
    );
    expect(greyed, `at ${content.byteLength} bytes`).toBe(-1);
    expect(content.byteLength).toBeLessThanOrEqual(maxBytes);
    sizes.add(content.byteLength);
    maxBytes = content.byteLength - 1;
  }
  expect(sizes.size).toBeGreaterThan(5);
});

it('rejects a picture that no quality fits into the byte limit', async () => {
  await expect(encodeJpeg(drawn, 1000, undefined)).rejects.toThrow(`no quality brings ${SIDE} x ${SIDE} pixels`);
});
