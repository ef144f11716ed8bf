import type { Generation } from '@plinth/contract/generations';
import { type Status, statusSchema } from '@plinth/contract/status';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findTraceId } from '../src/platform/trace.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, returnResult, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem, makeManualClock, type ManualClock, startProxy } from './wire.ts';

/** A working app, and a second one on the same data, which is queried and loses its database. */
let app: TestApp;
let asked: TestApp;
let clock: ManualClock;
let door: Awaited<ReturnType<typeof startProxy>>;
let user: TestUser;
beforeAll(async () => {
  clock = makeManualClock();
  // Tomorrow noon, far from the end of a day.
  clock.move(DAY + DAY / 2 - ((clock.now().getTime() / 1000) % DAY));
  app = await startTestApp({ RETURN_PROVIDER_RESULTS: 'true', MAX_INFLIGHT_PER_USER: '50' }, clock);
  door = await startProxy(new URL(app.databaseUrl));
  const behind = Object.assign(new URL(app.databaseUrl), { port: String(door.port) }).href;
  asked = await startTestApp({ DATABASE_URL: behind, ROLE: 'web' }, clock);
  user = await makeUser(app, { credits: 30 });
});
afterAll(async () => {
  await asked.close();
  door.close();
  await app.close();
});

const MINUTE = 60;
const DAY = 86_400;
const ask = (init?: RequestInit) => fetch(`${asked.url}/api/v1/status`, init);
/** The answer once the cached one is too old. */
async function read(): Promise<Status> {
  clock.move(MINUTE);
  const answer = await ask();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return statusSchema.parse(await answer.json());
}

type Made = {
  tool?: string;
  status?: string;
  code?: string;
  /** The age of the last one. */
  secondsAgo?: number;
  /** Each took a second longer than the previous one. */
  firstTook?: number;
  /** Seconds since an item of a run was started. */
  startedAgo?: number;
};

/** Inserts this many ended generations directly; each cost 2 credits. */
async function insert(count: number, made: Made = {}): Promise<void> {
  const {
    tool = 'dress-change',
    status = 'succeeded',
    code = null,
    secondsAgo = 0,
    firstTook = 1,
    startedAgo = null,
  } = made;
  await sql`
    insert into generations (id, user_id, tool, cost, input, status, error_code, turn, started_at, created_at, finished_at)
    select 'gen_' || gen_random_uuid(), ${user.id}, ${tool}, 2, '{}', ${status}, ${code}, ${startedAgo === null ? null : 1},
      moment - ${startedAgo}::integer * interval '1 second',
      moment - (${firstTook}::integer + n - 1) * interval '1 second', moment
    from generate_series(1, ${count}::integer) n, lateral (select ${clock.now()}::timestamptz - ${secondsAgo} * interval '1 second' as moment) as at
  `.execute(app.db);
}

describe('the figures', () => {
  it('are none where fewer than 20 ended, and hold exactly what the API told of each where 20 did', async () => {
    expect(await (await ask()).json()).toEqual({
      parts: { engine: 'up', payments: 'up', storage: 'up', queue: 'up' },
      hours24: { tools: {} },
      days30: { tools: {} },
      days: [],
      toolDays: {},
    });
    const generations: Generation[] = [];
    const make = async () => generations.push(await waitForEnd(user, (await makeGeneration(user)).id));
    app.provider.behave({
      result: () => ({ httpStatus: 422, body: { detail: [{ loc: ['body'], msg: 'No product.' }] } }),
    });
    await make();
    app.provider.behave({ submit: (response) => (response.writeHead(500).end(), true) });
    await make();
    app.provider.behave({ status: () => ({ body: { status: 'IN_PROGRESS' } }) });
    const { id } = await makeGeneration(user);
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    generations.push(await waitForEnd(user, id));
    app.provider.behave({});
    for (let made = 0; made < 16; made += 1) await make();
    expect((await returnResult(user, generations.at(-1)!.id)).status).toBe(200);
    expect((await read()).hours24.tools).toEqual({});
    await make();

    const codes = generations.map(({ status, error }) => error?.code ?? status);
    expect(codes.slice(0, 4)).toEqual(['provider_rejected', 'provider_failed', 'canceled', 'succeeded']);
    const seconds = generations
      .filter(({ status }) => status === 'succeeded')
      .map(({ createdAt, finishedAt }) => (Date.parse(finishedAt!) - Date.parse(createdAt)) / 1000)
      .sort((one, other) => one - other);
    const { hours24, days30 } = await read();
    const figures = hours24.tools.remover!;
    expect(figures).toEqual({
      ...{ ended: 20, succeeded: 17, refused: 1, failed: 1, creditsReturned: 4 },
      medianSeconds: expect.any(Number) as number,
      p95Seconds: expect.any(Number) as number,
    });
    // Rounded to tenths, and the API cuts its times to milliseconds.
    expect(Math.abs(figures.medianSeconds! - seconds[8]!)).toBeLessThan(0.06);
    expect(Math.abs(figures.p95Seconds! - seconds[16]!)).toBeLessThan(0.06);
    expect(Object.keys(days30.tools)).toEqual(Object.keys(hours24.tools));
  });

  it('are those of the last 24 hours and of 30 days, today and the 29 before it', async () => {
    await insert(21, { firstTook: 100 });
    await insert(19, { secondsAgo: 25 * 3600, firstTook: 10 });
    await insert(40, { secondsAgo: 31 * DAY });
    const { hours24, days30, days, toolDays } = await read();
    expect(hours24.tools['dress-change']).toMatchObject({ ended: 21, medianSeconds: 110, p95Seconds: 119 });
    expect(days30.tools['dress-change']).toMatchObject({ ended: 40, medianSeconds: 100, p95Seconds: 118 });
    // The day with 19 is omitted.
    const sum = days.reduce((total, { ended: count }) => total + count, 0);
    expect(sum).toBe(21 + 20);
    expect(toolDays['dress-change']?.map((day) => day.ended)).toEqual([21]);
    expect(days.map(({ date }) => date)).toEqual([clock.now().toISOString().slice(0, 10)]);
  });

  it('name no tool below 20, and no seconds where nothing succeeded', async () => {
    await insert(19, { tool: 'image-to-video' });
    await insert(20, { tool: 'basic-image-to-video', status: 'failed', code: 'provider_timeout' });
    const { hours24 } = await read();
    expect(hours24.tools['image-to-video']).toBeUndefined();
    expect(hours24.tools['basic-image-to-video']).toEqual({
      ...{ ended: 20, succeeded: 0, refused: 0, failed: 20, creditsReturned: 40 },
      ...{ medianSeconds: null, p95Seconds: null },
    });
  });

  it('time the items of a run from their start, because they wait for each other', async () => {
    await insert(40, { tool: 'image-to-video', firstTook: 500, startedAgo: 3 });
    const timed = { ended: 59, succeeded: 59, medianSeconds: 3, p95Seconds: 17 };
    expect((await read()).hours24.tools['image-to-video']).toMatchObject(timed);
  });

  it('count every failure but a refusal of the input as a failure', async () => {
    const codes = ['provider_timeout', 'provider_not_found', 'result_missing', 'result_invalid', 'storage_failed'];
    for (const code of codes) await insert(5, { tool: 'text-to-image', status: 'failed', code });
    await insert(3, { tool: 'text-to-image', status: 'failed', code: 'provider_rejected' });
    expect((await read()).hours24.tools['text-to-image']).toMatchObject({ ended: 28, failed: 25, refused: 3 });
  });
});

/** Collects every statement of requests until the test ends. */
function listenToStatements(): string[] {
  const statements: string[] = [];
  const query = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown;
  const listen = function (this: pg.Client, ...parameters: unknown[]): unknown {
    const [question] = parameters as [string | { text: string }];
    if (findTraceId() !== undefined) statements.push(typeof question === 'string' ? question : question.text);
    return Reflect.apply(query, this, parameters);
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(listen);
  onTestFinished(() => void vi.restoreAllMocks());
  return statements;
}

describe('an answer', () => {
  it('is a minute old at most', async () => {
    const before = (await read()).hours24.tools['dress-change']!.ended;
    await insert(1);
    const endedOf = async () => ((await (await ask()).json()) as Status).hours24.tools['dress-change']!.ended;
    expect(await endedOf()).toBe(before);
    clock.move(MINUTE);
    expect(await endedOf()).toBe(before + 1);
  });

  it('is counted once for all who ask at a time: tools twice, days, engine, queue and checkouts, nobody by his session', async () => {
    await read();
    clock.move(MINUTE);
    const statements = listenToStatements();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ headers: { cookie: user.cookie } })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(statements).toHaveLength(6);
  });

  it('is a refusal, and nothing old, while the database is away', async () => {
    await read();
    clock.move(MINUTE);
    door.shut();
    const answer = await ask();
    expect(answer.headers.get('retry-after')).not.toBeNull();
    await expectProblem(answer, 'temporarily_unavailable');
    door.reopen();
    await read();
  });

  it('goes on with the next day by itself: what ended yesterday is yesterday', async () => {
    await insert(2000, { tool: 'headshot-generator' });
    const today = (await read()).toolDays['headshot-generator'];
    expect(today).toHaveLength(1);
    clock.move(3 * DAY);
    const { hours24, days30, toolDays } = await read();
    expect([hours24.tools, toolDays['headshot-generator']]).toEqual([{}, today]);
    expect(days30.tools['headshot-generator']?.ended).toBe(2000);
    clock.move(28 * DAY);
    expect((await read()).days30.tools).toEqual({});
  });
});
