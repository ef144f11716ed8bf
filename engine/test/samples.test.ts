/**
 * One or two pictures of each skill by the measures and limits of `npm run engine:quality`: they detect when something
 * breaks, not how good the pictures are.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { judge, readCase, summarise } from '../quality/judge.ts';
import { findSceneShortcomings, measureScene, SCENE_CASES } from '../quality/scenes.ts';
import type { Matting } from '../src/cutout/matting.ts';
import type { Size } from '../src/pixels/plane.ts';
import { buildSet, findFilmShortcomings, measureFilm } from '../quality/films.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-samples-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('cuts photographs out well, and asks about a shelf', async () => {
  const rows = [];
  for (const name of ['thing-02', 'thing-18', 'thing-30', 'shelf-02']) {
    rows.push((await judge(await readCase(name))).row);
  }
  expect(summarise(rows)).toMatchObject({ wrong: 0, good: 1, asked: 0.25 });
});

it('judges a cut-out of the whole picture as wrong', async () => {
  const fill = ({ width, height }: Size) => ({ width, height, data: new Float32Array(width * height).fill(1) });
  const whole: Matting = {
    detect: async (picture) => ({ alpha: fill(picture), scale: 1, isSure: true }),
    find: async (picture) => fill(picture),
  };
  expect((await judge(await readCase('thing-02'), whole)).row.isWrong).toBe(true);
});

describe('a scene', () => {
  it('is the requested one, with the product untouched and standing, and deterministic', async () => {
    const [sceneCase] = SCENE_CASES;
    const [one, again] = [await measureScene(sceneCase!), await measureScene(sceneCase!)];
    expect(findSceneShortcomings([one])).toEqual([]);
    expect(again.thumbnail).toEqual(one.thumbnail);
  });
});

describe('a film', () => {
  it('starts with the photo, moves evenly and keeps the product whole: the loop, and a move around it', async () => {
    const set = await buildSet('mug', { width: 384, height: 384 });
    expect(findFilmShortcomings([measureFilm(set, 96), measureFilm(set, 60, 'orbit left')])).toEqual([]);
  });

  it('is the same to the byte in two processes', { tags: ['slow'] }, async () => {
    const script = fileURLToPath(new URL('film-digest.ts', import.meta.url));
    const run = promisify(execFile);
    const digests = await Promise.all([1, 2].map(async () => (await run(process.execPath, [script])).stdout));
    expect(digests[0]).toMatch(/^[0-9a-f]{64}\n$/);
    expect(digests[1]).toBe(digests[0]);
    expect(createHash('sha256').update('').digest('hex')).not.toBe(digests[0]?.trim());
  });
});
