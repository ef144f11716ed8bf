import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runSkill } from '../../quality/run-skill.ts';
import { hideHead } from '../../test/hide-head.ts';
import { portraitPath, realPath } from '../../quality/people.ts';
import { findFaces } from '../people/faces.ts';
import { readPicture } from '../pixels/decode.ts';
import { Refusal } from '../refusal.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy
const HEADSHOT = 'headshot';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-headshot-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PHOTO = realPath('person-18');
const make = async (portrait: number) =>
  (await runSkill(HEADSHOT, { face_image_0: PHOTO, target_image: portraitPath(portrait) }, folder)).file;

it("shows the user's upright face before the portrait's wall, in its shape, enlarged at most twice", async () => {
  const picture = await readPicture(await make(2));
  expect(picture.width).toBeGreaterThan(500);
  expect(picture.width).toBeLessThanOrEqual(2 * (await readPicture(PHOTO)).width);
  expect(picture.width / picture.height).toBeCloseTo(768 / 960, 2);
  const [face, ...others] = await findFaces(picture);
  expect(others).toEqual([]);
  expect(face!.box.height / picture.height).toBeGreaterThan(0.24);
  const wall = await readPicture(portraitPath(2));
  const corner = (rgb: Uint8Array) => [...rgb.subarray(3 * 20, 3 * 20 + 3)];
  for (const [c, value] of corner(wall.data).entries())
    expect(Math.abs(corner(picture.data)[c]! - value)).toBeLessThan(16);
});

it("keeps the photo's face colours, and is deterministic", { tags: ['slow'] }, async () => {
  const photo = await readPicture(PHOTO);
  const path = await make(6);
  const bytes = await readFile(path);
  const shot = await readPicture(path);
  const [own, shown] = await Promise.all(
    [photo, shot].map(async (picture) => {
      const [face] = await findFaces(picture);
      const { left, top, width, height } = face!.box;
      const inner = { left: left + 0.3 * width, top: top + 0.45 * height, width: 0.4 * width, height: 0.3 * height };
      const whole = Object.fromEntries(Object.entries(inner).map(([side, value]) => [side, Math.round(value)]));
      const raw = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
      const { channels } = await sharp(
        await sharp(picture.data, raw)
          .extract(whole as never)
          .png()
          .toBuffer(),
      ).stats();
      return channels.slice(0, 3).map(({ mean }) => mean);
    }),
  );
  for (const [c, mean] of own!.entries()) expect(Math.abs(shown![c]! - mean)).toBeLessThan(9);
  expect(Buffer.compare(bytes, await readFile(await make(6)))).toBe(0);
});

it('is refused if hair hides the face in the result', async () => {
  const result = runSkill(HEADSHOT, { face_image_0: realPath('person-14'), target_image: portraitPath(7) }, folder);
  await expect(result).rejects.toThrow(/partly hidden/);
});

it('ignores pixels hidden by transparency', async () => {
  const result = runSkill(
    HEADSHOT,
    { face_image_0: await hideHead(PHOTO, folder), target_image: portraitPath(2) },
    folder,
  );
  await expect(result).rejects.toThrow(Refusal);
});
