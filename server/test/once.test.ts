import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../src/platform/data/db.ts';
import { AppError } from '../src/platform/errors.ts';
import {
  type Answered,
  beginRequest,
  finishRequest,
  type IdempotentRequest,
  once,
} from '../src/platform/http/idempotency.ts';
import { makeDatabase } from './database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;
beforeAll(async () => {
  database = await makeDatabase();
  await sql`insert into users (id, email) values ('usr_a', 'a@example.com'), ('usr_b', 'b@example.com')`.execute(
    database.db,
  );
  await sql`create table effects (id serial, owner text, route text, key text, payload text)`.execute(database.db);
});
afterAll(() => database.drop());

type Ask = {
  owner: 'usr_a' | 'usr_b';
  route: 'here' | 'there';
  key: string;
  payload: 'x' | 'y';
  /** The outcome of the work: an answer, a refusal, or an unexpected error. */
  ends: 'answered' | 'refused' | 'broken';
  /** True if it leaves the transaction in between, as a checkout does. */
  goesOut: boolean;
};
type Outcome = Answered | { code: string };

const toRequest = ({ owner, route, key, payload }: Ask): IdempotentRequest => ({
  userId: owner,
  route,
  key,
  payloadHash: Buffer.from(payload),
  at: new Date(),
});

/** Sends one request; `pass` lets others run first, where the scheduler decides so. */
async function send(ask: Ask, pass: () => Promise<void>): Promise<Outcome> {
  const { db } = database;
  const request = toRequest(ask);
  const work = async () => {
    await pass();
    if (ask.ends === 'refused') throw new AppError('insufficient_credits');
    if (ask.ends === 'broken') throw new Error('broken');
    return { status: 202, body: { made: Math.random() }, location: null };
  };
  try {
    await pass();
    return await (ask.goesOut ? goOut() : once(db, request, (tx) => leaveMark(tx).then(work)));
  } catch (error) {
    return { code: error instanceof AppError ? error.code : 'broken' };
  }

  async function goOut(): Promise<Answered> {
    const earlier = await transaction(db, (tx) => beginRequest(tx, request));
    if (earlier !== undefined) return { answer: earlier, isReplay: true };
    const answer = await work().catch(async (error: unknown) => {
      await transaction(db, (tx) => finishRequest(tx, request, null));
      throw error;
    });
    await transaction(db, (tx) => leaveMark(tx).then(() => finishRequest(tx, request, answer)));
    return { answer, isReplay: false };
  }

  async function leaveMark(tx: Parameters<typeof beginRequest>[0]): Promise<void> {
    const { owner, route, key, payload } = ask;
    await sql`
      insert into effects (owner, route, key, payload) values (${owner}, ${route}, ${key}, ${payload})`.execute(tx);
  }
}

const asks: fc.Arbitrary<Ask[]> = fc.array(
  fc.record({
    owner: fc.constantFrom('usr_a', 'usr_b'),
    route: fc.constantFrom('here', 'there'),
    key: fc.constantFrom('k1', 'k2'),
    payload: fc.constantFrom('x', 'x', 'x', 'y'),
    ends: fc.constantFrom('answered', 'answered', 'refused', 'broken'),
    goesOut: fc.boolean(),
  }),
  { minLength: 2, maxLength: 12 },
);

it('requests with the same key have one effect and one answer, however they interleave', async () => {
  await fc.assert(
    fc.asyncProperty(asks, fc.scheduler(), async (sent, scheduler) => {
      await sql`delete from idempotency_keys`.execute(database.db);
      await sql`delete from effects`.execute(database.db);
      const pass = () => scheduler.schedule(Promise.resolve());
      const outcomes = await scheduler.waitFor(Promise.all(sent.map((ask) => send(ask, pass))));
      const scopes = Map.groupBy(
        sent.map((ask, index) => ({ ask, outcome: outcomes[index] as Outcome })),
        ({ ask: { owner, route, key } }) => `${owner} ${route} ${key}`,
      );
      for (const [scope, group] of scopes) await expectOnce(scope, group);
    }),
    { numRuns: 150 },
  );
});

/** Checks the contract's rules for all requests of one user, route and key. */
async function expectOnce(scope: string, group: { ask: Ask; outcome: Outcome }[]): Promise<void> {
  const { rows: effects } = await sql<{ payload: string }>`
    select payload from effects where concat_ws(' ', owner, route, key) = ${scope}`.execute(database.db);
  const { rows: kept } = await sql<{ status: number | null }>`
    select status from idempotency_keys where concat_ws(' ', user_id, route, key) = ${scope}`.execute(database.db);
  const answered = group.flatMap(({ ask, outcome }) => ('answer' in outcome ? [{ ask, outcome }] : []));
  const first = answered.filter(({ outcome }) => !outcome.isReplay);
  expect([effects.length, kept.length, first.length]).toEqual(answered.length > 0 ? [1, 1, 1] : [0, 0, 0]);
  for (const { ask, outcome } of answered) {
    expect(outcome.answer).toEqual(first[0]?.outcome.answer);
    expect(ask.payload).toBe(effects[0]?.payload);
  }
  for (const { ask, outcome } of group) {
    if ('answer' in outcome) continue;
    // Refused by its own work, or because of an earlier request.
    const own = { answered: [], refused: ['insufficient_credits'], broken: ['broken'] }[ask.ends];
    expect([...own, 'idempotency_key_reused', 'idempotency_in_progress']).toContain(outcome.code);
    if (outcome.code === 'idempotency_in_progress') expect(group.some((one) => one.ask.goesOut)).toBe(true);
  }
}

it('without a key nothing is stored, and every request is processed', async () => {
  const request = { ...toRequest({ owner: 'usr_a', route: 'here', key: '', payload: 'x' } as Ask), key: undefined };
  const answer = { status: 200, body: {}, location: null };
  await sql`delete from idempotency_keys`.execute(database.db);
  for (let time = 0; time < 2; time += 1) {
    const answered = await once(database.db, request, async () => answer);
    expect(answered).toEqual({ answer, isReplay: false });
  }
  expect((await sql`select from idempotency_keys`.execute(database.db)).rows).toEqual([]);
});
