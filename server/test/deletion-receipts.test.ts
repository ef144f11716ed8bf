import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Generation } from '@plinth/contract/generations';
import { type DeletionReceipt, deletionReceiptSchema } from '@plinth/contract/media';
import { type Page, pageSchema } from '@plinth/contract/paging';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../src/commands/check.ts';
import type { Library } from '../src/media/library.ts';
import { deleteExpiredMedia, deleteExpiredUploads, deleteUnusedUploads } from '../src/media/retention.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makeRedo,
  makeUser,
  redo,
  returnResult,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { expectProblem, filesBelow, makeManualClock, type ManualClock, unzip } from './wire.ts';

const RECEIPTS = '/api/v1/media/receipts';
const clock: ManualClock = makeManualClock();
let app: TestApp;
let library: Library;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({}, clock, 'built-in');
  const storage = await openStorage({ DATA_DIR: app.dataDir });
  library = { db: app.db, storage, clock, ttlSeconds: 172_800, maxStorageBytes: undefined };
});
afterAll(() => app.close());
beforeEach(async () => {
  app.provider.behave({ polls: 0 });
  user = await makeUser(app, { credits: 20 });
});

const succeed = async () => waitForEnd(user, (await makeGeneration(user)).id);
const mediaOf = ({ result }: Generation) => `/api/v1/media/${result?.mediaId}`;
const remove = async (made: Generation) => {
  expect((await user.fetch(mediaOf(made), { method: 'DELETE' })).status).toBe(204);
};
const list = async (query = '?limit=100'): Promise<DeletionReceipt[]> =>
  pageSchema(deletionReceiptSchema).parse(await user.get(RECEIPTS + query)).items;
const kinds = async () => (await list()).map(({ kind, cause }) => `${kind} ${cause}`).sort();
const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** The digests of a generation's stored files, and its upload's id. */
async function readStored(made: Generation): Promise<{ uploadId: string; upload: string; result: string }> {
  const found = await sql<{ uploadId: string; path: string }>`
    select id as "uploadId", object_key as path from uploads where generation_id = ${made.id}`.execute(app.db);
  const { uploadId, path } = found.rows[0] ?? { uploadId: '', path: '' };
  const result = await (await user.fetch(`${mediaOf(made)}/content`)).arrayBuffer();
  return {
    uploadId,
    upload: digest(readFileSync(join(app.dataDir, 'files', path))),
    result: digest(new Uint8Array(result)),
  };
}

it('a file that cannot be removed keeps no other from going', async () => {
  const [stuck, other] = [await succeed(), await succeed()];
  const found = await sql<{ path: string }>`
    select object_key as path from uploads where generation_id = ${stuck.id}`.execute(app.db);
  const path = join(app.dataDir, 'files', found.rows[0]?.path ?? '');
  rmSync(path);
  mkdirSync(path);
  clock.move(library.ttlSeconds + 1);
  const left = async () =>
    (
      await sql<{ id: string }>`
        select generation_id as id from uploads where deleted_at is null and user_id = ${user.id}`.execute(app.db)
    ).rows;
  await expect(deleteExpiredUploads(library)).rejects.toThrow('files that could not be removed: 1');
  expect(await left()).toEqual([{ id: stuck.id }]);
  rmSync(path, { recursive: true });
  await deleteExpiredUploads(library);
  expect(await left()).toEqual([]);
  expect(other.status).toBe('succeeded');
});

describe('a receipt', () => {
  it('is left of a result that its owner deletes, and of the upload that goes with it', async () => {
    const made = await succeed();
    const stored = await readStored(made);
    expect(await list()).toEqual([]);
    const files = filesBelow(app.dataDir).length;
    clock.move(60);
    const deletedAt = clock.now();
    await remove(made);
    expect(filesBelow(app.dataDir).length).toBe(files - 2);
    const receipts = await list();
    expect(receipts).toHaveLength(2);
    for (const { createdAt, deletedAt: at, cause } of receipts) {
      expect(cause).toBe('by you');
      expect(Math.abs(Date.parse(at) - deletedAt.getTime())).toBeLessThan(30_000);
      expect(Date.parse(at) - Date.parse(createdAt)).toBeGreaterThanOrEqual(59_000);
    }
    expect(receipts).toContainEqual(
      expect.objectContaining({ kind: 'result', id: made.result?.mediaId, sha256: stored.result }),
    );
    expect(receipts).toContainEqual(
      expect.objectContaining({ kind: 'upload', id: stored.uploadId, sha256: stored.upload }),
    );
    expect(stored.uploadId).toMatch(/^upl_/);
    await expectProblem(await user.fetch(mediaOf(made), { method: 'DELETE' }), 'not_found');
    expect(await list()).toEqual(receipts);
    expect(await findViolations(library)).toEqual([]);
  });

  it('is left of everything that is past its time, results or none', async () => {
    await succeed();
    app.provider.behave({ polls: 0, result: () => ({ body: {} }) });
    expect((await succeed()).status).toBe('failed');
    clock.move(49 * 3600);
    await deleteExpiredUploads(library);
    await deleteExpiredMedia(library);
    expect(await kinds()).toEqual(['result expired', 'upload expired', 'upload expired']);
  });

  it('is left of a result that is returned, of its redos, and of their upload', async () => {
    const first = await succeed();
    await makeRedo(user, first.id);
    expect((await returnResult(user, first.id)).status).toBe(200);
    expect(await kinds()).toEqual(['result by you', 'result by you', 'upload by you']);
    expect(await findViolations(library)).toEqual([]);
  });

  it('is shown to nobody else, and there is none of what was stored before receipts were', async () => {
    const [old, older] = [await succeed(), await succeed()];
    await sql`update uploads set sha256 = null where generation_id = ${old.id}`.execute(app.db);
    await remove(old);
    await remove(older);
    await sql`update generated_media set deletion_cause = null where generation_id = ${older.id}`.execute(app.db);
    expect(await kinds()).toEqual(['result by you', 'upload by you']);
    const other = await makeUser(app);
    expect((await other.get<Page<DeletionReceipt>>(RECEIPTS)).items).toEqual([]);
    await expectProblem(await fetch(app.url + RECEIPTS), 'authentication_required');
  });
});

describe('an upload', () => {
  it('stays as long as one of the results that were made from it', async () => {
    const first = await succeed();
    const second = await makeRedo(user, first.id);
    await remove(first);
    expect(await kinds()).toEqual(['result by you']);
    const third = await makeRedo(user, second.id);
    expect(third.status).toBe('succeeded');
    await remove(third);
    await remove(second);
    expect(await kinds()).toEqual([...Array.from({ length: 3 }, () => 'result by you'), 'upload by you']);
    await expectProblem(await redo(user, second.id), 'redo_not_possible');
  });

  it('waits for the redo that needs it, and goes when nothing comes of that', async () => {
    const first = await succeed();
    app.provider.behave({ polls: 1_000_000 });
    const { id } = (await (await redo(user, first.id)).json()) as Generation;
    await waitUntil(
      () => user.get<Generation>(`/api/v1/generations/${id}`),
      ({ status }) => status === 'running',
    );
    await remove(first);
    await deleteUnusedUploads(library);
    expect(await kinds()).toEqual(['result by you']);
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    await waitForEnd(user, id);
    await deleteUnusedUploads(library);
    expect(await kinds()).toEqual(['result by you', 'upload by you']);
    expect(await findViolations(library)).toEqual([]);
  });

  it('is never taken from a redo that comes at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await makeUser(app, { credits: 1 });
      const first = await waitForEnd(person, (await makeGeneration(person)).id);
      const [redone] = await Promise.all([redo(person, first.id), person.fetch(mediaOf(first), { method: 'DELETE' })]);
      if (redone.status !== 202) await expectProblem(redone, 'redo_not_possible');
      else expect((await waitForEnd(person, ((await redone.json()) as Generation).id)).status).toBe('succeeded');
    }
  });
});

describe('the list of receipts', () => {
  it('goes through uploads and results page by page, last deleted first, whatever is deleted meanwhile', async () => {
    const made = [await succeed(), await succeed(), await succeed(), await succeed()];
    for (const one of made.slice(0, 3)) {
      clock.move(1);
      await remove(one);
    }
    const before = await list();
    const places = before.map(({ deletedAt, id }) => `${deletedAt} ${id}`);
    expect(places).toEqual(places.toSorted().reverse());
    const read: DeletionReceipt[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<DeletionReceipt> = await user.get(`${RECEIPTS}?limit=2${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      read.push(...page.items);
      cursor = page.nextCursor === null ? null : `&cursor=${page.nextCursor}`;
      if (read.length === 2) await remove(made[3] as Generation);
    }
    expect(read).toEqual(before);
    expect(before).toHaveLength(6);
  });
});

it('it is taken along with everything else, and none is left of an account that is deleted', async () => {
  await remove(await succeed());
  await succeed();
  const exported = String((await unzip(await user.fetch('/api/v1/account/export'))).get('generations.json'));
  for (const { sha256, deletedAt } of await list()) {
    expect(exported).toContain(`"sha256": "${sha256}"`);
    expect(exported).toContain(`"deletedAt": "${deletedAt.slice(0, -5)}`);
  }
  expect(exported.match(/"deletionCause": "by you"/g)).toHaveLength(2);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ password: user.password });
  expect((await user.fetch('/api/v1/account', { method: 'DELETE', headers, body })).status).toBe(204);
  const kept = await sql`
    select sha256, deletion_cause from uploads where user_id = ${user.id}
    union all select sha256, deletion_cause from generated_media where user_id = ${user.id}`.execute(app.db);
  expect(kept.rows).toHaveLength(4);
  expect(kept.rows.filter((row) => Object.values(row as object).some(Boolean))).toEqual([]);
});
