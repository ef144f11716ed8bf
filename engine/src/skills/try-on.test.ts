import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runSkill } from '../../quality/run-skill.ts';
import { hideHead } from '../../test/hide-head.ts';
import { findDressFaults, realPath, samplePath } from '../../quality/people.ts';
import { UnclearProduct } from '../cutout/matting.ts';
import type { Rgb } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import { findSkill } from './skills.ts';

vi.setConfig({ testTimeout: 240_000 }); // the machine may be busy
const TRY_ON = 'try-on';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-try-on-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const dress = async (person: string, garment: string, input = {}) =>
  (await runSkill(TRY_ON, { model_image: person, garment_image: garment }, folder, input)).file;

it.each([
  [realPath('person-10'), samplePath('garment-striped')],
  [realPath('person-18'), realPath('garment-20')],
])(
  'puts the garment on %s, keeps face and surroundings, and leaves nothing of the old clothes',
  async (person, garment) => {
    expect(await findDressFaults(await dress(person, garment), person, garment)).toEqual([]);
  },
);

it('takes a marked garment from a photo of a person, and is deterministic', { tags: ['slow'] }, async () => {
  const [person, garment] = [samplePath('person-nora'), samplePath('garment-dress')];
  const marks = { garment_marks: { box: [0.1, 0.05, 0.9, 0.95] } };
  const made = await dress(person, garment, marks);
  const bytes = await readFile(made);
  expect(await findDressFaults(made, person, garment)).toEqual([]);
  expect(Buffer.compare(bytes, await readFile(await dress(person, garment, marks)))).toBe(0);
});

it("keeps a garment's own alpha except where a mark changes it", { tags: ['slow'] }, async () => {
  const [person, photo, garment] = [realPath('person-10'), realPath('garment-20'), join(folder, 'cut.png')];
  const mask = await sharp(photo.replace('.jpg', '.mask.png')).extractChannel(0).toBuffer();
  await sharp(photo).joinChannel(mask).png().toFile(garment);
  const bytes = await readFile(await dress(person, garment));
  const marked = await dress(person, garment, { garment_marks: { drop: [[0.01, 0.01, 0.005]] } });
  expect(Buffer.compare(bytes, await readFile(marked))).toBe(0);
});

it('looks for a garment in the picture in which it was asked about, so that it is detected once', async () => {
  const large = join(folder, 'large.png');
  await sharp(realPath('garment-20')).resize(1000).png().toFile(large);
  const seen: Rgb[] = [];
  const note = (picture: Rgb) => {
    seen.push(picture);
    return Promise.reject(new UnclearProduct('seen'));
  };
  const matting = { detect: note, find: note };
  const ask = async (name: string, pictures: Record<string, string>) =>
    findSkill(name)!
      .load()
      .then(({ run }) => run({ input: {}, pictures, folder, seed: 1, matting, report: async () => {} }));
  await expect(ask('find-subject', { image_url: large })).rejects.toThrow(UnclearProduct);
  const both = { model_image: realPath('person-10'), garment_image: large };
  await expect(ask(TRY_ON, both)).rejects.toThrow(Refusal);
  expect(seen[1]!.width).toBe(seen[0]!.width);
  expect(Buffer.compare(seen[1]!.data, seen[0]!.data)).toBe(0);
});

it('ignores pixels hidden by transparency', async () => {
  const result = dress(await hideHead(realPath('person-10'), folder), samplePath('garment-striped'));
  await expect(result).rejects.toThrow(Refusal);
});

const TIMES = 8; // of the garment's photo: as large as a phone takes it
const CHECK = 8; // pixels: side of one check of the weave

/** The garment's photo as a phone takes it, with every other check of a fine weave darker by these levels of 255. */
async function weave(garment: string, darker: number): Promise<string> {
  const { width: wide, height: tall } = await sharp(garment).metadata();
  const size = { width: TIMES * wide, height: TIMES * tall };
  const large = sharp(garment).resize(size).removeAlpha().raw();
  const isDark = (x: number, y: number) => ((x / CHECK) ^ (y / CHECK)) & 1;
  const data = (await large.toBuffer()).map((byte, n) => {
    const i = Math.floor(n / 3);
    return byte - Math.min(byte, isDark(i % size.width, Math.floor(i / size.width)) * darker);
  });
  const path = join(folder, `woven-${darker}.png`);
  await sharp(data, { raw: { ...size, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toFile(path);
  return path;
}

it('shows no moiré where a weave is finer than a pixel', { tags: ['slow'] }, async () => {
  const [person, garment] = [realPath('person-10'), realPath('garment-06')];
  const readChest = async (path: string) => {
    const picture = sharp(path).extract({ left: 190, top: 400, width: 100, height: 160 });
    return picture.greyscale().raw().toBuffer();
  };
  const plain = await readChest(await dress(person, await weave(garment, 0)));
  const woven = await readChest(await dress(person, await weave(garment, 60)));
  const darker = Array.from(plain, (level, i) => level - woven[i]!);
  const mean = darker.reduce((sum, by) => sum + by, 0) / darker.length;
  const spread = Math.sqrt(darker.reduce((sum, by) => sum + (by - mean) ** 2, 0) / darker.length);
  expect(mean).toBeGreaterThan(10);
  expect(spread).toBeLessThan(10); // levels; 29 if the full photo is sampled
});
