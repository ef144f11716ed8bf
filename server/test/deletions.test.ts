import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../src/platform/data/db.ts';
import { endDeletions, readDeletions, recordDeletion, writeDeletions } from '../src/platform/data/deletions.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import type { Storage } from '../src/platform/data/storage.ts';
import { makeDatabase } from './database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;
let folder: string;
let storage: Storage;
beforeAll(async () => {
  [database, folder] = [await makeDatabase(), mkdtempSync(join(tmpdir(), 'plinth-deletions-'))];
  storage = await openStorage({ DATA_DIR: folder });
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const note = (id: string, at = now) => transaction(database.db, (tx) => recordDeletion(tx, 'media', id, at));
const readWritten = async (since: Date) => (await readDeletions(storage, since)).media.toSorted();
async function listRows(): Promise<string[]> {
  const found = await sql<{ subject: string }>`select subject from deletions order by subject`.execute(database.db);
  return found.rows.map(({ subject }) => subject);
}

/** The storage, but a write waits until it is let go. */
function makeSlowStorage() {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const put: Storage['put'] = async (...file) => {
    begun.resolve();
    await go.promise;
    await storage.put(...file);
  };
  return { slow: { ...storage, put }, begun: begun.promise, go: go.resolve };
}

it('two sweeps that write the same day concurrently keep each other’s deletions', async () => {
  const { slow, begun, go } = makeSlowStorage();
  await note('med_first');
  const first = writeDeletions(database.db, slow);
  await begun;
  await note('med_second');
  const second = writeDeletions(database.db, storage);
  await Promise.race([second, sleep(300)]);
  go();
  await Promise.all([first, second]);
  expect(await readWritten(now)).toEqual(['med_first', 'med_second']);
});

it('rows end days after the storage has their whole day, and the storage keeps it', async () => {
  await sql`delete from deletions`.execute(database.db);
  await note('med_old', daysAgo(5));
  await note('med_late', daysAgo(4));
  await note('med_new', now);
  await writeDeletions(database.db, storage);
  // Written only after an outage of the storage: the day's file is made from all its rows.
  await note('med_later', daysAgo(4));
  await endDeletions(database.db, now);
  expect(await listRows()).toEqual(['med_late', 'med_later', 'med_new']);
  await writeDeletions(database.db, storage);
  await endDeletions(database.db, now);
  expect(await listRows()).toEqual(['med_new']);
  expect(await readWritten(daysAgo(6))).toEqual(expect.arrayContaining(['med_old', 'med_late', 'med_later']));
});

it('a sweep that writes a day while another ends its rows keeps its file', async () => {
  const { slow, begun, go } = makeSlowStorage();
  await note('med_raced', daysAgo(8));
  const first = writeDeletions(database.db, slow);
  await begun;
  await writeDeletions(database.db, storage);
  await endDeletions(database.db, now);
  go();
  await first;
  expect(await readWritten(daysAgo(9))).toContain('med_raced');
});
