import { randomBytes } from 'node:crypto';
import { eventSchemas } from '@plinth/contract/events';
import { CANCELED_SENTENCE, type Generation } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ending, settleGeneration, settleReturn, withoutRedos } from '../src/generations/settle.ts';
import { type StoredResult } from '../src/media/library.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeEndpoint, makeGeneration, makeUser, redo, type TestUser } from './makers.ts';

/** Calls the only file that ends generations directly; no worker runs here. */

const settings = { clock: systemClock, ttlSeconds: 86_400, freeRedos: () => 3 };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ROLE: 'web', WEBHOOK_HOSTS: '127.0.0.1:9' }, systemClock, 'built-in');
});
afterAll(() => app.close());

const makeResult = (): StoredResult => ({
  key: `results/remover/${Date.now()}-${randomBytes(32).toString('base64url')}.png`,
  result: {
    content: Buffer.from('a picture'),
    contentType: 'image/png',
    width: 4,
    height: 3,
    sha256: 'ab'.repeat(32),
    createdAt: systemClock.now(),
  },
  packSubject: null,
});
const FAILED: Ending = { kind: 'failed', code: 'provider_failed', message: 'It did not work.' };
const CANCELED: Ending = { kind: 'canceled' };
const succeeded = (words: Extract<Ending, { kind: 'succeeded' }>['words'] = null): Ending => ({
  kind: 'succeeded',
  stored: makeResult(),
  words,
});

async function begin(credits = 2): Promise<{ user: TestUser; id: string; show: () => Promise<Generation> }> {
  const user = await makeUser(app, { credits });
  const { id } = await makeGeneration(user);
  return { user, id, show: () => user.get<Generation>(`/api/v1/generations/${id}`) };
}
const settle = (id: string, ending: Ending) => settleGeneration(app.db, settings, id, ending);
const entriesOf = async (user: TestUser) => (await user.ledger()).map(({ reason, delta }) => [reason, delta]);

describe('an end', () => {
  it('that is a failure says why and gives the credits back, and has no result', async () => {
    const { user, id, show } = await begin();
    expect(await settle(id, FAILED)).toBe(true);
    const shown = await show();
    expect(shown).toMatchObject({
      status: 'failed',
      error: { code: 'provider_failed', message: 'It did not work.' },
      progress: { percent: null },
      refunded: true,
      result: null,
    });
    expect(shown.finishedAt).not.toBeNull();
    expect(shown).not.toHaveProperty('candidate');
    expect((await entriesOf(user))[0]).toEqual(['refund', 1]);
    expect(await user.credits()).toBe(2);
  });

  it('says what the tool says once the words of its failure are forgotten', async () => {
    const { id, show } = await begin();
    await settle(id, FAILED);
    await sql`update generations set error_message = null where id = ${id}`.execute(app.db);
    expect((await show()).error).toEqual({ code: 'provider_failed', message: tools.remover.says.failed });
  });

  it('keeps what the engine is not sure of: a box, or that there is none', async () => {
    const [sure, unsure] = [await begin(), await begin()];
    await settle(sure.id, { ...FAILED, candidate: { box: [0.1, 0.2, 0.3, 0.4] } });
    await settle(unsure.id, { ...FAILED, candidate: { box: null } });
    expect((await sure.show()).candidate).toEqual({ box: [0.1, 0.2, 0.3, 0.4] });
    expect((await unsure.show()).candidate).toBeNull();
    const news = await sql<{ body: unknown }>`
      select body from user_events where name = 'generation' and user_id = ${sure.user.id} order by seq desc limit 1
    `.execute(app.db);
    const told = eventSchemas.generation.strict().safeParse(news.rows[0]?.body);
    expect(told.data?.candidate).toEqual({ box: [0.1, 0.2, 0.3, 0.4] });
  });

  it('that was asked for has its own code and sentence, and gives the credits back', async () => {
    const { user, id, show } = await begin();
    await settle(id, CANCELED);
    expect(await show()).toMatchObject({
      status: 'canceled',
      error: { code: 'canceled', message: CANCELED_SENTENCE },
      refunded: true,
    });
    expect(await user.credits()).toBe(2);
  });

  it('that is a success has one result and what was understood, and costs what it costs', async () => {
    const { user, id, show } = await begin();
    await settle(id, succeeded({ understood: ['marble'], notDrawn: ['a cat'] }));
    const shown = await show();
    expect(shown).toMatchObject({ status: 'succeeded', error: null, refunded: false, redosLeft: 3 });
    expect(shown.result).toMatchObject({ contentType: 'image/png', understood: ['marble'], notDrawn: ['a cat'] });
    expect(await user.credits()).toBe(1);
    const { items } = await user.get<{ items: { id: string }[] }>('/api/v1/media');
    expect(items.map((one) => one.id)).toEqual([shown.result?.mediaId]);
  });

  it.each([
    ['a failure', FAILED],
    ['a cancellation', CANCELED],
    ['a success', succeeded()],
  ])('that comes second changes nothing: %s', async (_name, second) => {
    for (const first of [FAILED, CANCELED, succeeded()]) {
      const { user, id, show } = await begin();
      await settle(id, first);
      const before = [await show(), await user.ledger(), await user.get('/api/v1/media')];
      expect(await settle(id, second)).toBe(false);
      expect([await show(), await user.ledger(), await user.get('/api/v1/media')]).toEqual(before);
    }
  });

  it('of what is not there is none', async () => {
    expect(await settle('gen_nothing', FAILED)).toBe(false);
  });

  it('is told to the endpoints that want it, once, as the generation then stands', async () => {
    const { user, id, show } = await begin();
    await makeEndpoint(user, 'http://127.0.0.1:9/hook', ['generation.finished']);
    await settle(id, FAILED);
    await settle(id, CANCELED);
    const messages = await sql<{ event: string; body: string }>`
      select event, body from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where e.user_id = ${user.id}`.execute(app.db);
    expect(messages.rows.map(({ event }) => event)).toEqual(['generation.finished']);
    expect((JSON.parse(messages.rows[0]?.body ?? '') as { data: unknown }).data).toEqual(await show());
  });

  it('of a redo moves no credits, whatever it is', async () => {
    const { user, id } = await begin();
    await settle(id, succeeded());
    const again = (await (await redo(user, id)).json()) as Generation;
    const before = await entriesOf(user);
    expect(await settle(again.id, FAILED)).toBe(true);
    expect(await user.get<Generation>(`/api/v1/generations/${again.id}`)).toMatchObject({ refunded: false });
    expect(await entriesOf(user)).toEqual(before);
  });

  it('where no result is left has none to redo', () => {
    expect(withoutRedos(settings)).toMatchObject({ clock: systemClock, ttlSeconds: 86_400 });
    expect(withoutRedos(settings).freeRedos('remover')).toBe(0);
  });
});

describe('a return', () => {
  it('takes the result and those of its redos back, forgets their words, and gives the credits back once', async () => {
    const { user, id, show } = await begin();
    await settle(id, succeeded({ understood: ['marble'], notDrawn: [] }));
    const again = (await (await redo(user, id)).json()) as Generation;
    await settle(again.id, succeeded({ understood: ['oak'], notDrawn: [] }));
    const giveBack = () =>
      transaction(app.db, (tx) => settleReturn(tx, systemClock, { userId: user.id, generationId: id, cost: 1 }));
    const files = await giveBack();
    // Two results and the photo.
    expect([files.filter((key) => key.startsWith('results/')).length, files.length]).toEqual([2, 3]);
    for (const one of [await show(), await user.get<Generation>(`/api/v1/generations/${again.id}`)])
      expect(one).toMatchObject({ status: 'succeeded', returned: true, result: null });
    const kept = await sql<{ understood: unknown; noted: number }>`
      select understood, (select count(*) from deletions where kind = 'return' and subject = ${id}) as noted
      from generations where id = ${id} or redo_of = ${id}`.execute(app.db);
    expect(kept.rows).toEqual([
      { understood: null, noted: 1 },
      { understood: null, noted: 1 },
    ]);
    expect(await user.credits()).toBe(2);
    await expect(giveBack()).rejects.toThrow();
    expect(await user.credits()).toBe(2);
  });
});
