/** The sheet's people: the evaluation's results with their faults. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { judgePerson, type PersonShot } from './people-judge.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

/** Writes files into `folder`; paths in the sample are relative to it. */
export async function showPerson(folder: string, shot: PersonShot, name: string): Promise<Sample> {
  for (const path of shot.pictures) await copyFile(path, join(folder, basename(path)));
  const started = performance.now();
  const { made, refusal, faults } = await judgePerson(shot, join(folder, 'full', name));
  const { tool, says, pictures } = shot;
  const sample = { tool, says, inputs: pictures.map((path) => basename(path)), shown: [] };
  if (!made) return { ...sample, refusal, figures: `refused · ${secondsSince(started)}` };
  await sharp(made)
    .resize({ width: 640 })
    .webp({ quality: 88 })
    .toFile(join(folder, `${name}.webp`));
  const { width, height } = await sharp(made).metadata();
  const figures = [`${width}x${height}`, secondsSince(started), ...faults].join(' · ');
  return { ...sample, shown: [{ file: `${name}.webp`, kind: 'picture' }], figures };
}
