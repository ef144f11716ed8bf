/** What is said of people whom no skill can use, each sentence once; `npm run engine:quality` asks of more pictures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../quality/refusal.ts';
import { EACH_SENTENCE } from '../quality/unusable-people.ts';
import { refuseOtherTurn } from '../src/people/refusals.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-refused-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what cannot be used', () => {
  it.each(EACH_SENTENCE)('$what is refused on its field, in a sentence that says what to do', (unusable) =>
    expectRefusal(unusable, folder),
  );
});

describe('a head that looks another way', () => {
  const box = { left: 0, top: 0, width: 100, height: 130 };
  const ahead = { box, score: 1, points: [], depths: [], pitchDeg: 2, yawDeg: -3, rollDeg: 0 };

  it.each([{ yawDeg: 24 }, { yawDeg: -29 }, { pitchDeg: 30 }])('is refused beyond 25 degrees: %o', (turn) => {
    const msg = expect.stringMatching(/turned too far.*same way as the portrait/) as string;
    const entry = expect.objectContaining({
      loc: ['body', 'face_image_0'],
      type: 'face_detection_error',
      msg,
    }) as object;
    expect(() => refuseOtherTurn({ ...ahead, ...turn }, ahead, 'face_image_0')).toThrow(
      expect.objectContaining({ entry }) as Error,
    );
  });

  it('passes below 25 degrees, however it is tilted to the side', () => {
    expect(() => refuseOtherTurn({ ...ahead, yawDeg: 21, rollDeg: 40 }, ahead, 'face_image_0')).not.toThrow();
  });
});
