import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { BLIND, makeRequest, savePicture } from '../../test/skill.ts';
import { FieldProblem } from '../problem.ts';
import { skills } from './skills.ts';

/** What every skill owes a sender whose picture cannot be used: a refusal that names the field, and no file. */

let folder: string;
const paths: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-refusals-'));
  const bad = {
    text: '<html>not a picture</html>',
    empty: '',
  };
  for (const [name, bytes] of Object.entries(bad)) await writeFile((paths[name] = join(folder, name)), bytes);
  const save = async (name: string, width: number, height: number) => {
    paths[name] = await savePicture(
      folder,
      name,
      drawRgb({ width, height }, (x, y) => [(x * 2) % 200, (y * 3) % 200, 90]),
    );
  };
  await save('small', 63, 200);
  await save('long', 640, 79);
  await save('plain', 128, 128);
  const whole = await readFile(paths['plain']!);
  await writeFile((paths['damaged'] = join(folder, 'damaged')), whole.subarray(0, whole.length / 2));
  paths['blank'] = await savePicture(
    folder,
    'blank',
    drawRgb({ width: 128, height: 128 }, () => [250, 250, 250]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const apps = Object.keys(skills);

/** Runs a skill on the same picture in all its fields. */
async function refusalOf(app: string, picture: string): Promise<{ field: unknown; type: string }> {
  const skill = skills[app]!;
  const { run } = await skill.load();
  const names = Object.keys(skill.fields).filter((name) => skill.fields[name]!.kind === 'picture');
  const pictures = Object.fromEntries(names.map((name) => [name, paths[picture]!]));
  const input = { prompt: 'pan left', aspect_ratio: '1:1', resolution: '480p', duration: '4' };
  try {
    await run(makeRequest(join(folder, 'out'), { pictures, input, matting: BLIND }));
  } catch (error) {
    if (error instanceof FieldProblem) return { field: error.entry.loc.at(-1), type: error.entry.type };
    throw error;
  }
  throw new Error('it was not refused');
}

describe.each(apps)('%s', (app) => {
  const [required] = Object.entries(skills[app]!.fields).find(
    ([, field]) => 'required' in field && field.kind === 'picture',
  )!;

  it.each([
    ['text', 'unsupported_image_format'],
    ['empty', 'image_load_error'],
    ['damaged', 'image_load_error'],
    ['small', 'image_too_small'],
    ['long', 'image_aspect_ratio'],
  ])('refuses what is %s by the field that it needs', async (picture, type) => {
    expect(await refusalOf(app, picture)).toEqual({ field: required, type });
  });
});

/** Where it is not the product that is missing. */
const MISSING: Record<string, string> = { 'easel-ai/advanced-face-swap': 'face_detection_error' };

describe('a picture without what a skill is about', () => {
  it.each(apps)('is refused when it is blank: %s', async (app) => {
    expect((await refusalOf(app, 'blank')).type).toBe(MISSING[app] ?? 'no_media_generated');
  });

  it.each(apps.filter((app) => skills[app]!.makes !== 'video'))('is refused, not guessed at: %s', async (app) => {
    expect((await refusalOf(app, 'plain')).type).toBe(MISSING[app] ?? 'no_media_generated');
  });
});
