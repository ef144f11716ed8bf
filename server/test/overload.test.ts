/** @module-tag slow */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode } from '../src/media/decoding.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makePicture, makeRun, makeUser, submit, submitItem, type TestUser } from './makers.ts';
import { expectProblem } from './wire.ts';

const REQUESTS = 60;
const GAP_MS = 40;

let app: TestApp;
let user: TestUser;
let image: Buffer;
beforeAll(async () => {
  app = await startTestApp({ MAX_INFLIGHT_PER_USER: '1000' });
  user = await makeUser(app, { credits: 500 });
  image = await makePicture();
});
afterAll(() => app.close());

type Sent = { key: string; answer: Response; seconds: number };

/** Sends the requests one after the other while decoding is blocked, and unblocks it once all are sent. */
async function storm(send: (key: string) => Promise<Response>): Promise<Sent[]> {
  let makeRoom: () => void = () => undefined;
  const blocking = decode('preview', Infinity, () => new Promise<void>((resolve) => (makeRoom = resolve)));
  const sent: Promise<Sent>[] = [];
  const sendOne = async (): Promise<Sent> => {
    const [key, began] = [randomUUID(), performance.now()];
    return { key, answer: await send(key), seconds: (performance.now() - began) / 1000 };
  };
  for (let index = 0; index < REQUESTS; index += 1) {
    sent.push(sendOne());
    await sleep(GAP_MS);
  }
  makeRoom();
  await blocking;
  return Promise.all(sent);
}

/** The traces of accepted requests. */
async function countTraces() {
  const found = await sql<Record<'generations' | 'uploads' | 'keys' | 'debits', number>>`
    select (select count(*) from generations) as generations, (select count(*) from uploads) as uploads,
      (select count(*) from idempotency_keys where route <> 'runs') as keys,
      (select count(*) from credit_ledger where reason = 'debit') as debits`.execute(app.db);
  return found.rows[0];
}

/** Some are accepted; the others are refused in time and leave no trace. */
async function expectShed(send: (key: string) => Promise<Response>): Promise<string[]> {
  const before = (await countTraces())?.debits ?? NaN;
  const sent = await storm(send);
  const refused = sent.filter(({ answer }) => answer.status !== 202);
  expect(refused.length).toBeGreaterThan(REQUESTS / 4);
  expect(refused.length).toBeLessThan(REQUESTS);
  for (const { answer, seconds } of refused) {
    await expectProblem(answer, 'temporarily_unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(seconds).toBeLessThan(2.5);
  }
  const all = before + sent.length - refused.length;
  expect(await countTraces()).toEqual({ generations: all, uploads: all, keys: all, debits: all });
  return refused.map(({ key }) => key);
}

describe('under more photos than can be processed', () => {
  it('generations are rejected in time, leave nothing behind, and are accepted later with the same key', async () => {
    const keys = await expectShed((key) => submit(user, { key, image }));
    const again = await Promise.all(keys.map((key) => submit(user, { key, image })));
    expect(again.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(
      keys.map(() => [202, null]),
    );
  });

  it('so are the photos of a run', async () => {
    const { id } = await makeRun(user);
    const keys = await expectShed((key) => submitItem(user, id, { key, image }));
    const again = await Promise.all(keys.map((key) => submitItem(user, id, { key, image })));
    expect(again.map(({ status }) => status)).toEqual(keys.map(() => 202));
  });
});

it('a burst of photos is accepted completely', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => submit(user, { image })));
  expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
});
