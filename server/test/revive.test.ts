import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelGeneration } from '../src/generations/cancel.ts';
import { isCancelRequested, throwIfCanceled } from '../src/generations/cancellation.ts';
import { announceGeneration } from '../src/generations/generation-view.ts';
import { lockOriginal } from '../src/generations/redo.ts';
import { reviveGeneration } from '../src/generations/revive.ts';
import { withoutRedos } from '../src/generations/settle.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { openQueue, type Queue } from '../src/platform/data/queue.ts';
import { createLog } from '../src/platform/log.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser } from './makers.ts';

/** Calls the steps before a generation's end directly; no worker runs here. */

let app: TestApp;
let queue: Queue;
beforeAll(async () => {
  app = await startTestApp({ ROLE: 'web' });
  queue = await openQueue(app.databaseUrl, { supervises: false, log: createLog('error') });
});
afterAll(async () => {
  await queue.stop(0);
  await app.close();
});

const settings = withoutRedos({ clock: systemClock, ttlSeconds: 86_400 });
const revive = (id: string) => reviveGeneration(app.db, queue, id);
const loseJob = (id: string) =>
  sql`update pgboss.job set state = 'failed' where data ->> 'generationId' = ${id}`.execute(app.db);

it('a generation whose job is lost gets a new one, and only one', async () => {
  const { id } = await makeGeneration(await makeUser(app, { credits: 1 }));
  expect(await revive(id)).toBe('has_job');
  await loseJob(id);
  expect((await Promise.all([revive(id), revive(id)])).toSorted()).toEqual(['has_job', 'retried']);
});

it('a generation that has ended, or that there is not, gets none', async () => {
  const user = await makeUser(app, { credits: 1 });
  const { id } = await makeGeneration(user);
  await loseJob(id);
  expect(await cancelGeneration(app.db, settings, user.id, id)).toBe('canceled');
  expect([await revive(id), await revive('gen_nothing')]).toEqual(['has_ended', 'unknown']);
});

it('a generation that runs is asked to end, however often; a lost one counts as asked', async () => {
  const user = await makeUser(app, { credits: 1 });
  const { id } = await makeGeneration(user);
  await sql`update generations set status = 'running' where id = ${id}`.execute(app.db);
  expect(await isCancelRequested(app.db, id)).toBe(false);
  for (const _ of [1, 2]) expect(await cancelGeneration(app.db, settings, user.id, id)).toBe('requested');
  expect(await isCancelRequested(app.db, id)).toBe(true);
  await expect(throwIfCanceled(app.db, 'gen_nothing')).rejects.toThrow();
  const events = await sql`select from user_events where user_id = ${user.id} and name = 'generation'`.execute(app.db);
  // Accepted, then a cancellation was requested.
  expect(events.rows).toHaveLength(2);
});

it('a generation that there is not is announced to nobody', async () => {
  await expect(transaction(app.db, (tx) => announceGeneration(tx, 'gen_nothing'))).rejects.toThrow('is not there');
});

it('somebody else’s generation is not there', async () => {
  const [user, other] = [await makeUser(app, { credits: 1 }), await makeUser(app)];
  const { id } = await makeGeneration(user);
  const missing = { code: 'not_found' };
  await expect(cancelGeneration(app.db, settings, other.id, id)).rejects.toMatchObject(missing);
  await expect(transaction(app.db, (tx) => lockOriginal(tx, other.id, id))).rejects.toMatchObject(missing);
});

it('a list of generations knows the tools, and no others', async () => {
  const user = await makeUser(app, { credits: 2 });
  const { id } = await makeGeneration(user);
  await makeGeneration(user, { tool: 'text-to-image', prompt: 'on a table' });
  const list = (query: string) => user.fetch(`/api/v1/generations?${query}`);
  expect(await (await list('tool=remover')).json()).toMatchObject({ items: [{ id }] });
  for (const query of ['tool=painter', 'tool=remover&tool=remover']) {
    const refused = await list(query);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { fields: [{ field: 'tool', code: 'invalid_option' }] },
    ]);
  }
});
