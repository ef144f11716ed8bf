// The sheet's people: every face on several portraits with both hair styles, every person in every garment.
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { ownMatting } from '../src/cutout/own-matting.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { FieldProblem } from '../src/problem.ts';
import { findSkill } from '../src/skills/skills.ts';
import { GARMENTS, PEOPLE, portraitPath, samplePath } from './people.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

const HEADSHOT = 'headshot';
const TRY_ON = 'try-on';
const PORTRAITS = [1, 2, 3, 4, 5, 6, 7];

type PersonShot = {
  app: string;
  tool: 'tryon' | 'headshot';
  says: string;
  input: Record<string, unknown>;
  pictures: Record<string, string>;
};

export const PEOPLE_SHOTS: PersonShot[] = [...listTryOns(), ...listHeadshots()];

/** Every person on every other portrait, hair in turns: all portraits with both kinds of hair in fourteen pictures. */
function listHeadshots(): PersonShot[] {
  return PORTRAITS.flatMap((number) =>
    ['target_hair', 'user_hair'].map((hair, n) => {
      const person = PEOPLE[(number + n) % PEOPLE.length]!;
      return {
        app: HEADSHOT,
        tool: 'headshot' as const,
        says: `${person} on portrait ${number}, ${n === 0 ? "the portrait's hair" : 'own hair'}`,
        input: { workflow_type: hair },
        pictures: { face_image_0: samplePath(`face-${person}`), target_image: portraitPath(number) },
      };
    }),
  );
}

function listTryOns(): PersonShot[] {
  return PEOPLE.flatMap((person) =>
    GARMENTS.map((garment) => ({
      app: TRY_ON,
      tool: 'tryon' as const,
      says: `${person} in ${garment}`,
      input: {},
      pictures: { model_image: samplePath(`person-${person}`), garment_image: samplePath(`garment-${garment}`) },
    })),
  );
}

/** Files go into `folder`, addresses in the sample are relative to it. */
export async function showPerson(folder: string, shot: PersonShot, name: string): Promise<Sample> {
  const { app, tool, says, input, pictures } = shot;
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  const inputs = Object.values(pictures);
  for (const path of inputs) await copyFile(path, join(folder, basename(path)));
  const started = performance.now();
  const request = { input, pictures, folder: join(folder, 'full', name), seed: 7, matting: ownMatting };
  const sample: Sample = { tool, says, inputs: inputs.map((path) => basename(path)), shown: [], figures: '' };
  let result;
  try {
    result = await run({ ...request, report: async () => {} });
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    return { ...sample, refusal: error.entry.msg, figures: `refused · ${secondsSince(started)}` };
  }
  const time = secondsSince(started);
  const picture = (result['image'] ?? (result['images'] as PictureFile[])[0]) as PictureFile;
  const small = sharp(picture.local_path).resize({ width: 640 }).webp({ quality: 88 });
  await small.toFile(join(folder, `${name}.webp`));
  return {
    ...sample,
    shown: [{ file: `${name}.webp`, kind: 'picture' }],
    figures: `${picture.width}x${picture.height} · ${time}`,
  };
}
