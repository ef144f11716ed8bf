import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ownMatting } from './own-matting.ts';
import { cutOut } from './cut-out.ts';

it('refuses a picture of one colour before inference', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'engine-blank-'));
  const path = join(folder, 'blank.png');
  await sharp({ create: { width: 800, height: 600, channels: 3, background: '#d0d0d0' } })
    .png()
    .toFile(path);
  const reported: number[] = [];
  const cut = cutOut(path, ownMatting, async (percent) => void reported.push(percent));
  await expect(cut).rejects.toMatchObject({ name: 'UnclearProduct', candidate: { box: null } });
  expect(reported).toEqual([5]);
  await rm(folder, { recursive: true, force: true });
});
