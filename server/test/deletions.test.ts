import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { transaction } from '../src/platform/data/db.ts';
import { readDeletions, recordDeletion, writeDeletions } from '../src/platform/data/deletions.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import type { Storage } from '../src/platform/data/storage.ts';
import { makeDatabase } from './database.ts';

it('two sweeps that write the same day concurrently keep each other’s deletions', async () => {
  const [database, folder] = [await makeDatabase(), mkdtempSync(join(tmpdir(), 'plinth-deletions-'))];
  const { db } = database;
  const storage = await openStorage({ DATA_DIR: folder });
  const now = new Date();
  const note = (id: string) => transaction(db, (tx) => recordDeletion(tx, 'media', id, now));
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow: Storage = {
    ...storage,
    put: async (...file) => {
      begun.resolve();
      await go.promise;
      await storage.put(...file);
    },
  };
  try {
    await note('med_first');
    const first = writeDeletions(db, slow);
    await begun.promise;
    await note('med_second');
    const second = writeDeletions(db, storage);
    await Promise.race([second, sleep(300)]);
    go.resolve();
    await Promise.all([first, second]);
    expect((await readDeletions(storage, now)).media.toSorted()).toEqual(['med_first', 'med_second']);
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
