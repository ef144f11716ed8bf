/** What is said of people and garments that no skill can use. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { expectRefusal, UNUSABLE } from '../quality/unusable-people.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-refused-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what cannot be used', () => {
  it.each(UNUSABLE)('$what is refused on its field, in a sentence that says what to do', (unusable) =>
    expectRefusal(unusable, folder),
  );
});
