import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMatting } from '../../test/skill.ts';
import { findBox } from '../pixels/mask.ts';
import { cutOut, type CutOutOptions } from './cut-out.ts';

const BACKGROUND = [244, 240, 232] as const;
const THING = 1200; // px

let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'cut-out-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A dark red box at the centre of a sheet twice as wide. */
async function photograph(scale: number, isBare = false): Promise<string> {
  const side = Math.round(THING * scale);
  const background = { r: BACKGROUND[0], g: BACKGROUND[1], b: BACKGROUND[2], alpha: isBare ? 0 : 1 };
  const box = sharp({ create: { width: side, height: side, channels: 4, background: '#7c1f24' } }).png();
  const path = join(folder, `${side}-${isBare}.png`);
  const sheet = sharp({ create: { width: 2 * side, height: 2 * side, channels: 4, background } });
  const whole = sheet.composite([{ input: await box.toBuffer() }]);
  await (isBare ? whole : whole.removeAlpha()).png().toFile(path);
  return path;
}

const isMiddle = (share: number) => share > 0.25 && share < 0.75;
const cut = async (path: string, options?: CutOutOptions) =>
  cutOut(
    path,
    makeMatting((x, y) => isMiddle(x) && isMiddle(y)),
    async () => {},
    options,
  );

/** Long side of the opaque part in pixels. */
function measure({ width, height, alpha }: Awaited<ReturnType<typeof cut>>): number {
  const box = findBox({ width, height, data: alpha }, 0, 127);
  return Math.max(box?.width ?? 0, box?.height ?? 0);
}

describe('a cut-out', () => {
  it('has every pixel of the photo, or as many of the product as are enough', { tags: ['slow'] }, async () => {
    const path = await photograph(1);
    const [whole, small, large] = [
      await cut(path),
      await cut(path, { enough: 900 }),
      await cut(path, { enough: 9000 }),
    ];
    expect(whole.width).toBe(2 * THING);
    expect(Math.abs(measure(small) - 900)).toBeLessThan(12);
    expect(small.width).toBeLessThan(whole.width);
    expect(large.width).toBe(2 * THING);
  });

  it('stores the background only in the small copy, at any photo size', async () => {
    for (const scale of [0.25, 1]) {
      const { small, data: rgb, hasBackground } = await cut(await photograph(scale));
      expect([...small.data.subarray(0, 3)]).toEqual([...BACKGROUND]);
      expect([...rgb.subarray(0, 3)]).not.toEqual([...BACKGROUND]);
      expect(hasBackground).toBe(true);
    }
  });

  it('of a transparent upload keeps its own colours, without those of hidden pixels', async () => {
    const side = 1600;
    const sheet = Buffer.alloc(4 * side * side);
    for (let i = 0; i < side * side; i += 1) {
      const away = Math.hypot((i % side) - 800, Math.floor(i / side) - 800);
      const cover = Math.round(255 * Math.min(1, Math.max(0, (500 - away) / 20)));
      sheet.set(cover === 0 ? [0, 255, 0, 0] : [200, 60, 30, cover], 4 * i);
    }
    const path = join(folder, 'hidden.png');
    await sharp(sheet, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toFile(path);
    const { data: rgb, alpha, small, smallAlpha } = await cut(path);
    const isOwn = (data: Uint8Array, i: number) =>
      Math.abs(data[3 * i]! - 200) < 8 && Math.abs(data[3 * i + 1]! - 60) < 8;
    expect(alpha.every((value, i) => value === sheet[4 * i + 3])).toBe(true);
    for (let y = 270; y < 1330; y += 1)
      for (const x of [800, y]) if (!isOwn(rgb, y * side + x)) throw new Error(`${x} ${y}`);
    expect(smallAlpha.data.every((value, i) => value < 0.3 || isOwn(small.data, i))).toBe(true);
  });

  it('of a transparent upload has no background', async () => {
    expect((await cut(await photograph(0.25, true))).hasBackground).toBe(false);
  });
});
