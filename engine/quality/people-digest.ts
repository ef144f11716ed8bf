// Prints, as JSON, the SHA-256 of a headshot and a try-on, and what they took: for the comparison of two processes.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownMatting } from '../src/cutout/own-matting.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { findSkill } from '../src/skills/skills.ts';
import { portraitPath, samplePath } from './people.ts';

const folder = await mkdtemp(join(tmpdir(), 'engine-people-'));
try {
  const headshot = await make('headshot', {
    face_image_0: samplePath('face-tom'),
    target_image: portraitPath(2),
  });
  const tryOn = await make('try-on', {
    model_image: samplePath('person-li'),
    garment_image: samplePath('garment-tshirt'),
  });
  console.log(JSON.stringify({ headshot, tryOn, peakRssBytes: process.resourceUsage().maxRSS * 1024 }));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function make(app: string, pictures: Record<string, string>): Promise<string> {
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  const result = await run({ input: {}, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} });
  const file = (result['image'] ?? (result['images'] as PictureFile[])[0]) as PictureFile;
  return createHash('sha256')
    .update(await readFile(file.local_path))
    .digest('hex');
}
