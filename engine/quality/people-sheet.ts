// The sheet's people: every face on several portraits with both hair styles, every person in every garment.
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { classicalMatter } from '../src/matting/classical.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { findSkill } from '../src/skills/skills.ts';
import { GARMENTS, PEOPLE, portraitPath, samplePath } from './people.ts';

const HEADSHOT = 'easel-ai/advanced-face-swap';
const TRY_ON = 'fal-ai/fashn/tryon/v1.6';
const SHOWN_PORTRAITS = [1, 2, 3, 4, 5, 6, 7];

interface Shot {
  app: string;
  says: string;
  input: Record<string, unknown>;
  pictures: Record<string, string>;
}

/** One figure per result; files go into `folder`, addresses in the figures are relative to it. */
export async function showPeople(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const shots = [...listHeadshots(), ...listTryOns()];
  const cells: string[] = [];
  for (const [n, shot] of shots.entries()) cells.push(await show(folder, shot, `people-${n + 1}`));
  return cells;
}

function listHeadshots(): Shot[] {
  return PEOPLE.flatMap((person) =>
    SHOWN_PORTRAITS.flatMap((number) =>
      ['target_hair', 'user_hair'].map((hair) => ({
        app: HEADSHOT,
        says: `${person} on portrait ${number}, ${hair}`,
        input: { workflow_type: hair },
        pictures: { face_image_0: samplePath(`face-${person}`), target_image: portraitPath(number) },
      })),
    ),
  );
}

function listTryOns(): Shot[] {
  return PEOPLE.flatMap((person) =>
    GARMENTS.map((garment) => ({
      app: TRY_ON,
      says: `${person} in ${garment}`,
      input: {},
      pictures: { model_image: samplePath(`person-${person}`), garment_image: samplePath(`garment-${garment}`) },
    })),
  );
}

async function show(folder: string, { app, says, input, pictures }: Shot, name: string): Promise<string> {
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  const inputs = Object.values(pictures);
  for (const path of inputs) await copyFile(path, join(folder, basename(path)));
  const started = performance.now();
  const request = { input, pictures, folder: join(folder, 'full', name), seed: 7, matter: classicalMatter };
  const result = await run({ ...request, report: async () => {} });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const file = (result['image'] ?? (result['images'] as PictureFile[])[0]) as PictureFile;
  const small = sharp(file.local_path).resize({ width: 640 }).webp({ quality: 88 });
  await small.toFile(join(folder, `${name}.webp`));
  const thumbs = inputs.map((path) => `<img src="${basename(path)}">`).join('');
  const figures = `${says} · ${file.width}x${file.height} · ${seconds} s`;
  return `<figure><div>${thumbs}</div><img src="${name}.webp"><figcaption>${figures}</figcaption></figure>`;
}
