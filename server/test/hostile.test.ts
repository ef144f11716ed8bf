/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRandom } from '../chaos/random.ts';
import {
  HOSTILE_SETTINGS,
  sendBrokenPictures,
  sendBrokenRequests,
  sendHostileFiles,
  type Target,
} from '../chaos/hostile.ts';
import { makeDatabase } from './database.ts';
import { makeUser } from './makers.ts';
import { startProduct } from './product.ts';
import { type ScriptedProvider, startScriptedProvider } from './provider-script.ts';

/** A part of `npm run chaos -- hostile`: another one each day; the test's name contains the seed. */

const SEED = Math.floor(Date.now() / 86_400_000);

let database: Awaited<ReturnType<typeof makeDatabase>>;
let provider: ScriptedProvider;
let target: Target;
let dataDir: string;
beforeAll(async () => {
  database = await makeDatabase();
  provider = await startScriptedProvider();
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-hostile-'));
  const product = await startProduct({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    FAL_KEY: 'key:of-the-test',
    FAL_QUEUE_URL: provider.url,
    FAL_REST_URL: provider.url,
    FAL_RUN_URL: provider.url,
    RESULT_HOSTS: provider.host,
    ...HOSTILE_SETTINGS,
  });
  target = { product, user: () => makeUser({ url: product.url, db: database.db }, { credits: 100_000 }) };
});
afterAll(async () => {
  await target.product.stop();
  await provider.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('every class of hostile file is refused or made safe', { timeout: 120_000 }, async () => {
  expect(await sendHostileFiles(target)).toEqual([]);
});

it(`120 broken pictures do no harm (seed ${SEED})`, { timeout: 120_000 }, async () => {
  expect(await sendBrokenPictures(target, makeRandom(SEED), 120)).toEqual([]);
});

it(`400 broken requests do no harm (seed ${SEED})`, { timeout: 120_000 }, async () => {
  expect(await sendBrokenRequests(target, makeRandom(SEED), 400)).toEqual([]);
});
