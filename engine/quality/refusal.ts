/** A photo that no skill can use: how it is made, and how its refusal is judged. */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { askSkill } from './ask-skill.ts';
import { portraitPath, readPerson, samplePath } from './people.ts';
import { placeSideBySide } from './try-on.ts';

export const TRY_ON = 'try-on';
export const HEADSHOT = 'headshot';

export type Unusable = {
  what: string;
  app: string;
  field: string;
  /** The problem's stable key, where it matters. */
  type?: string;
  sentence: RegExp;
  /** Writes what it needs into the folder. */
  make: (folder: string) => Promise<Record<string, string>>;
};

export async function writeJpeg(folder: string, name: string, picture: Sharp): Promise<string> {
  const path = join(folder, `${name}.jpg`);
  await picture.jpeg({ quality: 90 }).withMetadata().toFile(path);
  return path;
}

export type Edge = 'left' | 'top' | 'bottom';

/** `share` of the face's box lies beyond the edge. */
export async function cutFace(folder: string, edge: Edge, share: number, path = portraitPath(1)): Promise<string> {
  const { picture, face } = await readPerson(path);
  const { box } = face;
  const left = edge === 'left' ? Math.round(box.left + share * box.width) : 0;
  const top = edge === 'top' ? Math.round(box.top + share * box.height) : 0;
  const bottom = edge === 'bottom' ? Math.round(box.top + (1 - share) * box.height) : picture.height;
  const seen = { left, top, width: picture.width - left, height: bottom - top };
  return writeJpeg(folder, `cut-${edge}`, sharp(path).extract(seen));
}

export async function makeCrowd(folder: string): Promise<string> {
  const path = join(folder, 'crowd.jpg');
  await placeSideBySide(samplePath('face-li'), samplePath('face-tom'), path);
  return path;
}

/** Fails unless the skill refuses the photo on its field, in one sentence that says what to do. */
export async function expectRefusal({ app, field, type, sentence, make }: Unusable, folder: string): Promise<void> {
  const refusal: unknown = await askSkill(app, await make(folder), folder).catch((error: unknown) => error);
  const msg = expect.stringMatching(sentence) as string;
  expect(refusal).toMatchObject({ entry: { loc: ['body', field], msg, ...(type !== undefined && { type }) } });
  expect((refusal as Error).message.length).toBeLessThanOrEqual(200);
}
