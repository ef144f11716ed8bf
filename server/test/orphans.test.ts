import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Library } from '../src/media/library.ts';
import { removeOrphans } from '../src/media/orphans.ts';
import { createLog } from '../src/platform/log.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { type Storage, StorageUnavailableError } from '../src/platform/data/storage.ts';
import { makeDatabase } from './database.ts';

const log = createLog('error');
const newUpload = () => `uploads/${randomBytes(32).toString('base64url')}.jpg`;

async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) if (!key.includes('installation')) keys.push(key);
  return keys.sort();
}

describe('the sweep of orphans', () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let folder: string;
  let library: Library;
  beforeAll(async () => {
    database = await makeDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-orphans-'));
    await sql`update installation set storage_claimed_at = null`.execute(database.db);
    library = openLibrary(await openStorage({ DATA_DIR: folder }));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** A day later, when every stored file is old. */
  const openLibrary = (storage: Storage): Library => ({
    db: database.db,
    storage,
    clock: { now: () => new Date(Date.now() + 86_400_000) },
    ttlSeconds: 172_800,
    maxStorageBytes: undefined,
  });
  const put = async (keys: string[], storage = library.storage) => {
    for (const key of keys) await storage.put(key, Buffer.from('x'), 'image/jpeg');
  };

  it('deletes what a crash left, and no file with a foreign name', async () => {
    const foreign = ['backup.tar', 'uploads/holiday.jpg', 'results/dress/me.png', 'other/uploads/x.jpg'];
    await put([...foreign, newUpload()]);
    expect(await removeOrphans(library, log)).toBe(1);
    expect(await keysOf(library.storage)).toEqual(foreign.sort());
  });

  it('takes a fifth of all files at most in one sweep', async () => {
    await put(Array.from({ length: 40 }, newUpload));
    expect(await removeOrphans(library, log)).toBe(40);
    expect(await keysOf(library.storage)).toHaveLength(32);
  });

  it('continues after undeletable files and counts them, but stops while the storage is unavailable', async () => {
    const keys = Array.from({ length: 8 }, newUpload).sort();
    await put(keys);
    const stuck = keys.slice(0, 6);
    const logged: string[] = [];
    const loud = createLog('info', 'all', { write: (line) => logged.push(line) });
    const breaking = (fault: Error): Library => ({
      ...library,
      storage: {
        ...library.storage,
        remove: (key) => (stuck.includes(key) ? Promise.reject(fault) : library.storage.remove(key)),
        async *list() {
          for (const key of keys) yield { key, changedAt: new Date(0) };
        },
      },
    });
    const away = new StorageUnavailableError('a test');
    await expect(removeOrphans(breaking(away), loud)).rejects.toBe(away);
    expect(await removeOrphans(breaking(new Error('in use')), loud)).toBe(8);
    expect(await keysOf(library.storage)).toEqual(stuck);
    expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ objects: 8, orphans: 8, removed: 2, stuck: 6 });
  });

  it('leaves files alone that are younger than an hour', async () => {
    const young = { ...library, clock: { now: () => new Date(Date.now() + 60_000) } };
    await put([newUpload()]);
    expect(await removeOrphans(young, log)).toBe(0);
    expect(await keysOf(library.storage)).toHaveLength(1);
  });

  it('touches nothing in a storage that is another installation’s, or lost its name', async () => {
    await put([newUpload()]);
    await library.storage.put('plinth-installation.txt', Buffer.from('ins_other'), 'text/plain');
    expect(await removeOrphans(library, log)).toBe(1);
    expect(await keysOf(library.storage)).toHaveLength(1);
    await library.storage.remove('plinth-installation.txt');
    await sql`update installation set storage_claimed_at = now()`.execute(database.db);
    expect(await removeOrphans(library, log)).toBe(1);
    expect(await keysOf(library.storage)).toHaveLength(1);
  });

  it('gives a new and empty storage our name', async () => {
    await sql`update installation set storage_claimed_at = now()`.execute(database.db);
    await removeOrphans(library, log);
    await put([newUpload()]);
    utimesSync(folder, 0, 0);
    await removeOrphans(library, log);
    expect(await keysOf(library.storage)).toEqual([]);
  });

  it('of one folder of a bucket spares the others', async () => {
    const server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(folder, 'bucket'),
      configureBuckets: [{ name: 'shared', configs: [] }],
    });
    const { port } = await server.run();
    const open = (S3_PREFIX?: string) =>
      openStorage({
        DATA_DIR: folder,
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        S3_BUCKET: 'shared',
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
        S3_REGION: 'eu-central-1',
        S3_PREFIX,
      });
    const [ours, whole, theirs] = [await open('ours/'), await open(), await open('theirs/')];
    await put([newUpload()], ours);
    await put([newUpload()], theirs);
    await put([newUpload()], whole);
    expect(await removeOrphans(openLibrary(ours), log)).toBe(1);
    expect((await keysOf(whole)).map((key) => key.split('/')[0])).toEqual(['theirs', 'uploads']);
    expect(await keysOf(ours)).toEqual([]);
    expect(await keysOf(theirs)).toHaveLength(1);
    await server.close();
  });
});
