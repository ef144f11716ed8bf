import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../src/commands/check.ts';
import { adjustCredits } from '../src/credits/ledger.ts';
import { auditLedger } from '../src/credits/audit.ts';
import { transaction } from '../src/platform/data/db.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePicture, makeUser, submit, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import type { Behaviour } from './provider-script.ts';

let app: TestApp;
/** Polls the provider in real time. */
let patient: TestApp;
beforeAll(async () => {
  const most = { MAX_INFLIGHT_PER_USER: '100' };
  [app, patient] = await Promise.all([startTestApp(most), startTestApp({ ...most, PROVIDER_POLL_SCALE: '1' })]);
});
afterAll(async () => {
  await Promise.all([app.close(), patient.close()]);
});

/** Checks the rules of section 2 of the contract by the answers alone. */
async function expectSoundLedger(user: TestUser, of = app): Promise<void> {
  const entries = (await user.ledger()).toReversed();
  let sum = 0;
  for (const entry of entries) {
    sum += entry.delta;
    expect(entry.balanceAfter).toBe(sum);
    expect(sum).toBeGreaterThanOrEqual(0);
  }
  expect(await user.credits()).toBe(sum);
  expect(await auditLedger(of.db)).toEqual([]);
}

describe('a balance', () => {
  it('accepts one of fifty concurrent generations on one credit', async () => {
    const user = await makeUser(app, { credits: 1 });
    const image = await makePicture();
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(user, { image })));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(49);
    expect(await user.credits()).toBe(0);
    await expectSoundLedger(user);
  });

  it('says the specified sentence and charges nothing when it is too low', async () => {
    const user = await makeUser(app);
    const before = app.provider.submits.length;
    const answer = await submit(user);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({
      code: 'insufficient_credits',
      detail: 'Insufficient credits. Please add more credits to continue.',
    });
    expect(await user.ledger()).toEqual([]);
    expect(app.provider.submits.length).toBe(before);
  });

  it('equals the sum of its ledger under any mix of concurrent requests', async () => {
    app.provider.behave({ polls: 0 });
    const action = fc.constantFrom('spend', 'fail', 'cancel', 'add', 'take' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 4, maxLength: 10 }),
        fc.integer({ min: 0, max: 4 }),
        async (actions, credits) => {
          const user = await makeUser(app, { credits });
          app.provider.behave({
            polls: 0,
            result: (job, url) =>
              job.input.image_url === undefined
                ? { body: {} }
                : { body: Math.abs(hash(job.id)) % 2 === 0 ? { image: { url } } : {} },
          });
          await Promise.all(actions.map((one) => perform(user, one)));
          await expectSoundLedger(user);
        },
      ),
      { numRuns: 12 },
    );
    app.provider.behave({});
  });
});

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);

async function perform(user: TestUser, action: string): Promise<void> {
  if (action === 'add' || action === 'take') {
    const credits = action === 'add' ? 2 : -1;
    await transaction(app.db, (tx) => adjustCredits(tx, { userId: user.id, credits, note: 'for a test' })).catch(
      (error: unknown) => {
        expect(String(error)).toContain('user_credits_not_negative');
      },
    );
    return;
  }
  const answer = await submit(user);
  if (answer.status === 402) return;
  const { id } = (await answer.json()) as { id: string };
  if (action === 'cancel') await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
  const generation = await waitForEnd(user, id);
  expect(generation.refunded).toBe(generation.status !== 'succeeded');
}

describe('the database', () => {
  it('refuses to change or remove ledger entries', async () => {
    const user = await makeUser(app, { credits: 2 });
    for (const statement of [
      sql`update credit_ledger set delta = 5 where user_id = ${user.id}`,
      sql`delete from credit_ledger where user_id = ${user.id}`,
      sql`truncate credit_ledger cascade`,
    ]) {
      await expect(statement.execute(app.db)).rejects.toThrow(/append-only|permission denied/);
    }
  });

  it('refuses a balance that moves without a ledger entry, and one below zero', async () => {
    const user = await makeUser(app, { credits: 2 });
    await expect(sql`update user_credits set credits = 99 where user_id = ${user.id}`.execute(app.db)).rejects.toThrow(
      /only by a ledger entry/,
    );
    await expect(sql`delete from user_credits where user_id = ${user.id}`.execute(app.db)).rejects.toThrow(
      /only by a ledger entry/,
    );
    await expect(sql`select deduct_user_credits(${user.id}, 3)`.execute(app.db)).rejects.toThrow(
      /user_credits_not_negative/,
    );
    await expect(sql`select deduct_user_credits(${user.id}, 0)`.execute(app.db)).rejects.toThrow(/positive/);
    expect(await user.credits()).toBe(2);
  });

  it('offers the two functions of the specification', async () => {
    const user = await makeUser(app, { credits: 5 });
    const before = await sql<{ credits: number }>`select get_user_credits_for_update(${user.id}) as credits`.execute(
      app.db,
    );
    expect(before.rows).toEqual([{ credits: 5 }]);
    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, () => sql`select deduct_user_credits(${user.id}, 1)`.execute(app.db)),
    );
    expect(racing.filter((one) => one.status === 'fulfilled')).toHaveLength(5);
    expect(await user.credits()).toBe(0);
    expect((await user.ledger()).map((entry) => entry.balanceAfter)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a generation', () => {
  it('costs its price once and stores one result', async () => {
    const user = await makeUser(app, { credits: 3 });
    const accepted = await makeGeneration(user);
    expect(accepted).toMatchObject({ status: 'queued', cost: 1, result: null, refunded: false });
    const done = await waitForEnd(user, accepted.id);
    expect(done).toMatchObject({ status: 'succeeded', refunded: false, error: null });
    expect(done.result?.originalFilename).toMatch(/^removed-bg-\d{13}\.png$/);
    expect(await user.credits()).toBe(2);
    await expectSoundLedger(user);
  });

  it('answers the same key with the same generation, also concurrently and after a restart', async () => {
    const user = await makeUser(app, { credits: 5 });
    const image = await makePicture();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(user, { image, key })));
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(bodies.size).toBe(1);
    const [body] = bodies;
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    await app.restart();
    const again = await submit(user, { image, key });
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.text()).toBe(body);
    const other = await submit(user, { key });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await user.credits()).toBe(4);
    const stranger = await makeUser(app, { credits: 1 });
    expect((await submit(stranger, { image, key })).headers.get('idempotency-replayed')).toBeNull();
  });

  it('does not consume a key when it is rejected', async () => {
    const user = await makeUser(app);
    const image = await makePicture();
    const key = randomUUID();
    expect((await submit(user, { image, key })).status).toBe(402);
    await transaction(app.db, (tx) => adjustCredits(tx, { userId: user.id, credits: 1, note: 'for a test' }));
    expect((await submit(user, { image, key })).status).toBe(202);
  });

  it('is canceled at once while it waits, and ends one way while it runs', async () => {
    app.provider.behave({ polls: 1_000_000 });
    const user = await makeUser(app, { credits: 2 });
    const { id } = await makeGeneration(user);
    const first = await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    expect([200, 202]).toContain(first.status);
    const done = await waitForEnd(user, id);
    expect(done).toMatchObject({
      status: 'canceled',
      refunded: true,
      error: { code: 'canceled', message: 'Generation canceled.' },
    });
    const again = await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    expect(again.status).toBe(200);
    expect(await user.credits()).toBe(2);
    app.provider.behave({});
    const finished = await waitForEnd(user, (await makeGeneration(user)).id);
    const late = await user.fetch(`/api/v1/generations/${finished.id}/cancel`, { method: 'POST' });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      code: 'not_cancelable',
      detail: 'This generation has already finished.',
    });
    await expectSoundLedger(user);
  });

  const stubborn: [what: string, behaviour: Behaviour][] = [
    ['answers 500', { status: () => ({ httpStatus: 500, body: {} }) }],
    ['says nothing', { status: () => 'hangs' }],
    ['does not let go of the file', { polls: 0, file: () => true }],
  ];
  it.each(stubborn)('ends canceled within seconds while its provider %s', async (_, behaviour) => {
    patient.provider.behave(behaviour);
    const user = await makeUser(patient, { credits: 1 });
    const count = patient.provider.submits.length;
    const { id } = await makeGeneration(user);
    const job = await waitUntil(
      async () => patient.provider.submits[count],
      (one) => one !== undefined && one.polls > 0,
    );
    const startedAt = performance.now();
    expect((await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' })).status).toBe(202);
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'canceled', refunded: true });
    expect(performance.now() - startedAt).toBeLessThan(8000);
    expect(job?.canceled).toBe(true);
    await expectSoundLedger(user, patient);
  });

  it('ends canceled while its provider thinks about taking it, which is told when it has', async () => {
    let answerLate = (): unknown => undefined;
    app.provider.behave({
      polls: 1000,
      submit: (response, { id }) => {
        const body = JSON.stringify({ status: 'IN_QUEUE', request_id: id });
        answerLate = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        return true;
      },
    });
    const user = await makeUser(app, { credits: 1 });
    const count = app.provider.submits.length;
    const { id } = await makeGeneration(user);
    await waitUntil(
      async () => app.provider.submits.length,
      (length) => length > count,
    );
    const job = app.provider.submits[count];
    expect((await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' })).status).toBe(202);
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'canceled', refunded: true });
    expect(job?.canceled).toBe(false);
    answerLate();
    await waitUntil(
      async () => job?.canceled,
      (isCanceled) => isCanceled === true,
    );
    app.provider.behave({});
    await expectSoundLedger(user);
  });

  it('leaves ledger, files and generations consistent', async () => {
    const library = {
      db: app.db,
      storage: await openStorage({ DATA_DIR: app.dataDir }),
      clock: { now: () => new Date() },
      ttlSeconds: 172_800,
      maxStorageBytes: undefined,
    };
    expect(await findViolations(library)).toEqual([]);
  });
});
