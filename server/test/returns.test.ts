import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Generation, ToolList } from '@plinth/contract/generations';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../src/commands/check.ts';
import { readConfig } from '../src/config.ts';
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
import { expectProblem } from './wire.ts';

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const DAY_MS = 86_400_000;
const KEYED = { 'idempotency-key': 'back' };

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ RETURNS_PER_MONTH: '2' }, clock, 'built-in');
});
afterAll(() => app.close());
beforeEach(async () => {
  aheadMs = 0;
  app.provider.behave({ polls: 0 });
  user = await makeUser(app, { credits: 5 });
});

const succeed = async (person = user) => waitForEnd(person, (await makeGeneration(person)).id);
const read = (id: string) => user.get<Generation>(`/api/v1/generations/${id}`);
const returnsLeft = async () => (await user.get<ToolList>('/api/v1/tools')).returnsLeft;
const mediaOf = ({ result }: Generation) => `/api/v1/media/${result?.mediaId}`;

async function findFaults(): Promise<string[]> {
  const storage = await openStorage(readConfig(app.environment));
  return findViolations({ db: app.db, storage, clock, ttlSeconds: 172_800, maxStorageBytes: undefined });
}

async function countFiles(): Promise<number> {
  let files = 0;
  const storage = await openStorage(readConfig(app.environment));
  for await (const { key } of storage.list()) if (key.startsWith('results/')) files += 1;
  return files;
}

describe('a return', () => {
  it('refunds the credits, deletes the result, and counts the reason', async () => {
    const made = await succeed();
    expect(await returnsLeft()).toBe(2);
    const files = await countFiles();
    const answer = await returnResult(user, made.id, 'scene');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      id: made.id,
      status: 'succeeded',
      returned: true,
      refunded: true,
      result: null,
      redosLeft: 0,
    });
    expect(await user.credits()).toBe(5);
    expect((await user.ledger()).map(({ reason, tool }) => [reason, tool])).toEqual([
      ['refund', 'remover'],
      ['debit', 'remover'],
      ['adjustment', null],
    ]);
    expect((await user.fetch(`${mediaOf(made)}/content`)).status).toBe(404);
    expect(await countFiles()).toBe(files - 1);
    expect(await returnsLeft()).toBe(1);
    const counted = await sql`select tool, reason, count from return_counts`.execute(app.db);
    expect(counted.rows).toEqual([{ tool: 'remover', reason: 'scene', count: 1 }]);
    expect(await findFaults()).toEqual([]);
  });

  it('succeeds although a file cannot be deleted', async () => {
    const made = await succeed();
    const found = await sql<{ path: string }>`
      select storage_path as path from generated_media where generation_id = ${made.id}`.execute(app.db);
    const path = join(app.dataDir, 'files', found.rows[0]?.path ?? '');
    rmSync(path);
    mkdirSync(path);
    expect((await returnResult(user, made.id)).status).toBe(200);
    rmSync(path, { recursive: true });
  });

  it('that is repeated with its key gets the same answer, and happens once', async () => {
    const made = await succeed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => returnResult(user, made.id, 'scene', KEYED)));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(4);
    for (const body of bodies) expect(body).toEqual(await read(made.id));
    await expectProblem(await returnResult(user, made.id, 'edges', KEYED), 'idempotency_key_reused');
    await expectProblem(await returnResult(user, made.id, 'scene'), 'return_not_possible');
    expect(await user.credits()).toBe(5);
    expect(await returnsLeft()).toBe(1);
  });

  it('stores its answer without words', async () => {
    const made = await waitForEnd(
      user,
      (await makeGeneration(user, { tool: 'text-to-image', prompt: 'on marble' })).id,
    );
    const answer = (await (await returnResult(user, made.id, 'scene', KEYED)).json()) as Generation;
    expect([made.input, answer.input]).toEqual([{ prompt: 'on marble' }, null]);
    const kept = await sql<{ body: string }>`
      select body::text from idempotency_keys where route = ${`generations/${made.id}/return`}`.execute(app.db);
    expect(kept.rows.map(({ body }) => body.includes('marble'))).toEqual([false]);
  });

  it('happens once of twenty concurrent ones', async () => {
    const made = await succeed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => returnResult(user, made.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await user.credits()).toBe(5);
    await expectProblem(await returnResult(user, made.id), 'return_not_possible');
  });

  it('withdraws the redos, and prevents further ones', async () => {
    const first = await succeed();
    const second = await makeRedo(user, first.id);
    const failed = await (app.provider.behave({ polls: 0, result: () => ({ body: {} }) }), makeRedo(user, first.id));
    await expectProblem(await returnResult(user, second.id), 'return_not_possible');
    expect((await returnResult(user, first.id)).status).toBe(200);
    expect(await read(second.id)).toMatchObject({ returned: true, refunded: false, result: null });
    expect(await read(failed.id)).toMatchObject({ returned: false, status: 'failed' });
    expect((await user.fetch(`${mediaOf(second)}/content`)).status).toBe(404);
    for (const { id } of [first, second]) await expectProblem(await redo(user, id), 'redo_not_possible');
    expect(await user.credits()).toBe(5);
    expect(await findFaults()).toEqual([]);
  });

  it('waits for no redo: while one is on the way, there is no return', async () => {
    const first = await succeed();
    app.provider.behave({ polls: 1_000_000 });
    const { id } = (await (await redo(user, first.id)).json()) as Generation;
    await expectProblem(await returnResult(user, first.id), 'return_not_possible');
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    await waitForEnd(user, id);
    expect((await returnResult(user, first.id)).status).toBe(200);
  });

  it('and a concurrent redo never both succeed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await makeUser(app, { credits: 1 });
      const first = await succeed(person);
      const [redone, returned] = await Promise.all([redo(person, first.id), returnResult(person, first.id)]);
      expect([
        [202, 409],
        [409, 200],
      ]).toContainEqual([redone.status, returned.status]);
      if (redone.status === 202) await waitForEnd(person, ((await redone.json()) as Generation).id);
    }
    expect(await findFaults()).toEqual([]);
  });

  it('is possible twice in thirty days here, also with concurrent requests', async () => {
    const made = [await succeed(), await succeed(), await succeed(), await succeed()];
    const answers = await Promise.all(made.map(({ id }) => returnResult(user, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(await returnsLeft()).toBe(0);
    await sql`
      update generations set returned_at = returned_at - interval '31 days' where user_id = ${user.id}`.execute(app.db);
    expect(await returnsLeft()).toBe(2);
    expect((await returnResult(user, (await succeed()).id)).status).toBe(200);
  });

  it('is possible for a day, and only while the result is there', async () => {
    const [old, deleted, expired] = [await succeed(), await succeed(), await succeed()];
    await user.fetch(mediaOf(deleted), { method: 'DELETE' });
    await expectProblem(await returnResult(user, deleted.id), 'return_not_possible');
    aheadMs = DAY_MS + 1000;
    await expectProblem(await returnResult(user, old.id), 'return_not_possible');
    aheadMs = 0;
    await sql`update generated_media set created_at = now() - interval '3 days' where generation_id = ${expired.id}`.execute(
      app.db,
    );
    await expectProblem(await returnResult(user, expired.id), 'return_not_possible');
  });

  it('needs an own generation that succeeded, and a reason of the list', async () => {
    const made = await succeed();
    await expectProblem(await returnResult(await makeUser(app), made.id), 'not_found');
    for (const reason of ['ugly', '', null, 3, ['edges']]) {
      await expectProblem(await returnResult(user, made.id, reason), 'invalid_option');
    }
    app.provider.behave({ polls: 0, result: () => ({ body: {} }) });
    const failed = await succeed();
    await expectProblem(await returnResult(user, failed.id), 'return_not_possible');
    expect(await user.credits()).toBe(4);
  });

  it('sends no status after the final one', async () => {
    const made = await succeed();
    await returnResult(user, made.id);
    const events = await sql<{ name: string; body: { status?: string; action?: string } }>`
      select name, body from user_events where user_id = ${user.id} order by seq`.execute(app.db);
    const reported = events.rows.map(({ name, body }) => body.status ?? body.action ?? name);
    expect(reported.slice(reported.indexOf('succeeded') + 1)).toEqual(['credits', 'deleted']);
  });
});

describe('at a hosted provider', () => {
  it('nothing is returned unless the operator allows it', { tags: ['slow'] }, async () => {
    const [strict, generous] = await Promise.all([startTestApp(), startTestApp({ RETURN_PROVIDER_RESULTS: 'true' })]);
    for (const [of, isAllowed] of [
      [strict, false],
      [generous, true],
    ] as const) {
      const person = await makeUser(of, { credits: 1 });
      const { items } = await person.get<ToolList>('/api/v1/tools');
      for (const { returnable } of items) expect(returnable).toBe(isAllowed);
      const made = await waitForEnd(person, (await makeGeneration(person)).id);
      const answer = await returnResult(person, made.id);
      if (isAllowed) expect(answer.status).toBe(200);
      else await expectProblem(answer, 'return_not_possible');
      expect(await waitUntil(person.credits, () => true)).toBe(isAllowed ? 1 : 0);
    }
    await Promise.all([strict.close(), generous.close()]);
  });

  it('RETURNS_PER_MONTH=0 switches returns off', async () => {
    const off = await startTestApp({ RETURNS_PER_MONTH: '0' }, clock, 'built-in');
    const person = await makeUser(off, { credits: 1 });
    await expectProblem(await returnResult(person, (await succeed(person)).id), 'return_not_possible');
    expect(await person.get('/api/v1/tools')).toMatchObject({ returnsLeft: 0 });
    expect(await (await fetch(`${off.url}/api/v1/tools`)).json()).not.toHaveProperty('returnsLeft');
    await off.close();
  });
});
