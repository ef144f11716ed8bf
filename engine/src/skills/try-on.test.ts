import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runSkill } from '../../quality/run-skill.ts';
import { hideHead } from '../../test/hide-head.ts';
import { findDressFaults, realPath, samplePath } from '../../quality/people.ts';
import { Refusal } from '../refusal.ts';

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

it('ignores pixels hidden by transparency', async () => {
  const result = dress(await hideHead(realPath('person-10'), folder), samplePath('garment-striped'));
  await expect(result).rejects.toThrow(Refusal);
});
