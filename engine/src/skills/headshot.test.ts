import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { askSkill } from '../../quality/ask-skill.ts';
import { portraitPath, realPath, samplePath } from '../../quality/people.ts';
import { findFaces } from '../people/faces.ts';
import { readPicture } from '../pixels/decode.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy
const HEADSHOT = 'headshot';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-headshot-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const make = (photo: string, portrait: number) =>
  askSkill(HEADSHOT, { face_image_0: photo, target_image: portraitPath(portrait) }, folder);

it('is the own face, head up, before the wall of the portrait and in its shape', async () => {
  const file = await make(realPath('person-18'), 2);
  expect(file.width / file.height).toBeCloseTo(768 / 960, 2);
  const picture = await readPicture(file.path, 'x');
  const [face, ...others] = await findFaces(picture);
  expect(others).toEqual([]);
  expect(face!.box.height / picture.height).toBeGreaterThan(0.24);
  const wall = await readPicture(portraitPath(2), 'x');
  const corner = (rgb: Uint8Array) => [...rgb.subarray(3 * 20, 3 * 20 + 3)];
  for (const [c, value] of corner(wall.data).entries())
    expect(Math.abs(corner(picture.data)[c]! - value)).toBeLessThan(16);
});

it('leaves the colours of the face as the photo has them', async () => {
  const photo = await readPicture(realPath('person-18'), 'x');
  const shot = await readPicture((await make(realPath('person-18'), 6)).path, 'x');
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
});

it('is the same to the byte again', async () => {
  const one = await readFile((await make(samplePath('face-tom'), 3)).path);
  const other = await readFile((await make(samplePath('face-tom'), 3)).path);
  expect(Buffer.compare(one, other)).toBe(0);
});

it('is not enlarged beyond twice the pixels of the photo', async () => {
  const photo = await readPicture(realPath('person-18'), 'x');
  const { width } = await make(realPath('person-18'), 1);
  expect(width).toBeGreaterThan(500);
  expect(width).toBeLessThanOrEqual(2 * photo.width);
});
