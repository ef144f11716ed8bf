import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askSkill } from './ask-skill.ts';
import { portraitPath, samplePath } from './people.ts';
import { findTryOnFaults, measureTryOn, placeSideBySide, type TryOnRow } from './try-on.ts';

const TRY_ON = 'fal-ai/fashn/tryon/v1.6';
const HEADSHOT = 'easel-ai/advanced-face-swap';
const LONG_MS = 150_000; // everything at once on two shared cores
vi.setConfig({ testTimeout: LONG_MS });
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-try-on-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (app: string, pictures: Record<string, string>, input = {}) => askSkill(app, pictures, folder, input);

const GOOD: TryOnRow = {
  name: 'good',
  sameColours: 0.9,
  changedOnPerson: 0,
  changedBeside: 0,
  dressed: 1,
  stripes: 1,
  cpuMs: 4000,
};

describe('try-on', () => {
  const rows: TryOnRow[] = [];

  it('puts dress, striped top and printed shirt on people in their own colours, and touches nothing else', async () => {
    for (const [person, garment] of [
      ['nora', 'dress'],
      ['li', 'striped'],
      ['tom', 'tshirt'],
    ] as const) {
      rows.push(await measureTryOn(person, garment, folder));
    }
    console.table(rows);
    expect(findTryOnFaults(rows)).toEqual([]);
  });

  it('would notice smeared colours, a touched face and stretched stripes', () => {
    expect(findTryOnFaults([{ ...GOOD, sameColours: 0.5 }])).toHaveLength(1);
    expect(findTryOnFaults([{ ...GOOD, changedOnPerson: 0.01 }])).toHaveLength(1);
    expect(findTryOnFaults([{ ...GOOD, stripes: 1.3 }])).toHaveLength(1);
  });
});

describe('what is refused', () => {
  const person = samplePath('person-tom');
  const garment = samplePath('garment-tshirt');

  it.each([
    ['no person', TRY_ON, { model_image: samplePath('mug'), garment_image: garment }, 'model_image', /No person/],
    [
      'no garment but a portrait',
      TRY_ON,
      { model_image: person, garment_image: portraitPath(1) },
      'garment_image',
      /./,
    ],
    [
      'no face',
      HEADSHOT,
      { face_image_0: samplePath('mug'), target_image: portraitPath(1) },
      'face_image_0',
      /No face/,
    ],
    [
      'no face',
      HEADSHOT,
      { face_image_0: samplePath('face-li'), target_image: samplePath('mug') },
      'target_image',
      /No face/,
    ],
  ])('%s: %s', async (_, app, pictures, field, sentence) => {
    const refusal: unknown = await ask(app, pictures).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ entry: { loc: ['body', field], msg: expect.stringMatching(sentence) as string } });
    expect((refusal as Error).message.length).toBeLessThanOrEqual(200);
  });

  it('several people, on the field that shows them', async () => {
    const crowd = join(folder, 'crowd.jpg');
    await placeSideBySide(samplePath('face-li'), samplePath('face-tom'), crowd);
    await expect(ask(HEADSHOT, { face_image_0: crowd, target_image: portraitPath(1) })).rejects.toMatchObject({
      entry: { loc: ['body', 'face_image_0'], type: 'face_detection_error' },
    });
    await expect(ask(TRY_ON, { model_image: crowd, garment_image: garment })).rejects.toMatchObject({
      entry: { loc: ['body', 'model_image'] },
    });
  });
});

describe('the same request', () => {
  it('gives the same bytes in two processes, within the memory of a worker', async () => {
    const script = fileURLToPath(new URL('people-digest.ts', import.meta.url));
    const digest = async () => (await promisify(execFile)(process.execPath, [script])).stdout.split('\n').at(-2) ?? '';
    const [one, other] = [await digest(), await digest()].map(
      (line) => JSON.parse(line) as { headshot: string; tryOn: string; peakRssBytes: number },
    );
    expect(other?.headshot).toBe(one?.headshot);
    expect(other?.tryOn).toBe(one?.tryOn);
    expect(one?.peakRssBytes).toBeLessThan(900e6);
  });
});
