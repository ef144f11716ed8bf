import { type EventName, eventSchemas } from '@plinth/contract/events';
import type { Generation } from '@plinth/contract/generations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adjustCredits } from '../src/credits/ledger.ts';
import { transaction } from '../src/platform/data/db.ts';
import { announceSessionEnds, deleteEventsOf, openEventHub } from '../src/platform/data/events.ts';
import { createLog } from '../src/platform/log.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makePurchase,
  makeUser,
  postJson,
  readCookie,
  signedIn,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { expectProblem, freePort, listen, type Listener, openSocket, startProxy } from './wire.ts';

let app: TestApp;
let metricsUrl: string;
beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  app = await startTestApp({ METRICS_PORT: String(port) });
});
afterAll(() => app.close());

const streamsOpen = async () => Number(/^sse_clients (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1]);
const give = (user: TestUser, credits: number) =>
  transaction(app.db, (tx) => adjustCredits(tx, { userId: user.id, credits, note: 'for a test' }));

async function open(user: TestUser, lastEventId?: string): Promise<Listener> {
  const stream = await listen(app, user.cookie, lastEventId === undefined ? {} : { 'last-event-id': lastEventId });
  await stream.waitForEvent('hello');
  return stream;
}

/** Every received event has the contract's shape, and the ids never decrease. */
function expectSound(stream: Listener): void {
  let before = -1;
  for (const { id, name, body } of stream.events) {
    const parsed = eventSchemas[name as EventName].strict().safeParse(body);
    expect(parsed.success, `${name} ${JSON.stringify(body)}`).toBe(true);
    expect(id).toMatch(/^\d+$/);
    expect(Number(id)).toBeGreaterThanOrEqual(before);
    before = Number(id);
  }
  const news = stream.events.filter((event) => !['hello', 'resync', 'session'].includes(event.name));
  expect(new Set(news.map((event) => event.id)).size).toBe(news.length);
}

describe('a stream', () => {
  it('begins with its headers, the retry time and hello', async () => {
    const user = await makeUser(app, { credits: 7 });
    const stream = await open(user);
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(stream.text()).toMatch(
      /^retry: 3000\n\nid: \d+\nevent: hello\ndata: \{"credits":7,"serverTime":"[^"]+Z"\}\n\n$/,
    );
    stream.close();
    expectSound(stream);
  });

  it('is for the signed-in, and HEAD tells of it without opening one', async () => {
    await expectProblem(await fetch(`${app.url}/api/v1/events`), 'authentication_required');
    await expectProblem(
      await fetch(`${app.url}/api/v1/events`, { headers: { cookie: 'session=dead' } }),
      'authentication_required',
    );
    const user = await makeUser(app);
    const before = await streamsOpen();
    const head = await user.fetch('/api/v1/events', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(head.headers.get('content-length')).toBeNull();
    expect(await streamsOpen()).toBe(before);
  });

  it('tells of credits, the generation step by step, the media and the purchase, each within a second of the commit', async () => {
    const user = await makeUser(app);
    const stream = await open(user);
    const start = performance.now();
    await give(user, 3);
    expect((await stream.waitForEvent('credits')).body).toMatchObject({ credits: 3 });
    expect(performance.now() - start).toBeLessThan(1000);

    const { id } = await makeGeneration(user);
    const news = await stream.waitForEvent('generation', (body) => body.status === 'succeeded');
    const { tool, status, progress, error, refunded } = await user.get<Generation>(`/api/v1/generations/${id}`);
    expect(news.body).toEqual({ id, tool, status, progress, error, refunded });
    const { items } = await user.get<{ items: { id: string }[] }>('/api/v1/media');
    expect((await stream.waitForEvent('media')).body).toEqual({ action: 'created', id: items[0]?.id });

    const purchase = await makePurchase(user);
    const token = purchase.checkoutUrl.split('/').at(-1);
    expect(
      (await postJson(`${app.url}/api/v1/sandbox/checkout/${token}`, { action: 'pay' }, { cookie: user.cookie }))
        .status,
    ).toBe(200);
    expect((await stream.waitForEvent('purchase')).body).toEqual({ id: purchase.id, status: 'paid' });
    await stream.waitForEvent('credits', (body) => body.credits === 22);
    expect(stream.events.slice(-2).map(({ name }) => name)).toEqual(['credits', 'purchase']);
    stream.close();
    expectSound(stream);
    const entries = (await user.ledger()).map((entry) => [entry.balanceAfter, entry.id]).toReversed();
    expect(
      stream.events.filter((event) => event.name === 'credits').map(({ body }) => [body.credits, body.entryId]),
    ).toEqual(entries);
  });

  it('keeps the order of statuses, and tells of none after the last', async () => {
    const user = await makeUser(app, { credits: 12 });
    const stream = await open(user);
    app.provider.behave({ polls: 3, result: (job, url) => ({ body: job.polls % 2 === 0 ? {} : { image: { url } } }) });
    const made = await Promise.all(Array.from({ length: 8 }, () => makeGeneration(user)));
    await Promise.all(
      made.slice(0, 3).map(({ id }) => user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' })),
    );
    const ends = await Promise.all(made.map(({ id }) => waitForEnd(user, id)));
    for (const { id, status } of ends)
      await stream.waitForEvent('generation', (body) => body.id === id && body.status === status);
    app.provider.behave({});
    stream.close();
    expectSound(stream);
    const order = ['queued', 'running', 'end'];
    for (const { id, status } of ends) {
      const statuses = stream.events
        .filter((event) => event.name === 'generation' && event.body.id === id)
        .map((event) => String(event.body.status));
      const steps = statuses.map((one) => order.indexOf(['queued', 'running'].includes(one) ? one : 'end'));
      expect(steps).toEqual(steps.toSorted());
      expect(statuses.filter((one) => !['queued', 'running'].includes(one))).toEqual([status]);
      const refundAt = stream.events.findIndex(
        (event) => event.name === 'generation' && event.body.id === id && event.body.refunded === true,
      );
      expect(refundAt >= 0).toBe(status !== 'succeeded');
    }
  });

  it('never carries news of somebody else', async () => {
    const [user, other] = [await makeUser(app, { credits: 2 }), await makeUser(app, { credits: 2 })];
    const [mine, theirs] = [await open(user), await open(other)];
    const { id } = await makeGeneration(other);
    await theirs.waitForEvent('generation', (body) => body.id === id && body.status === 'succeeded');
    await give(user, 1);
    await mine.waitForEvent('credits');
    expect(mine.events.map((event) => event.name)).toEqual(['hello', 'credits']);
    expect(theirs.text()).not.toContain(user.id);
    mine.close();
    theirs.close();
  });
});

describe('coming back', () => {
  it('with the last id replays what was missed, in order and once', async () => {
    const user = await makeUser(app, { credits: 2 });
    const first = await open(user);
    await give(user, 1);
    const seen = await first.waitForEvent('credits');
    first.close();
    await give(user, 1);
    await give(user, 1);
    const { id } = await makeGeneration(user);
    await waitForEnd(user, id);
    const again = await open(user, seen.id);
    await again.waitForEvent('generation', (body) => body.status === 'succeeded');
    again.close();
    expectSound(again);
    const credits = again.events.filter((event) => event.name === 'credits').map((event) => event.body.credits);
    expect(credits).toEqual([4, 5, 4]);
    const kept = await sql<{
      seq: number;
    }>`select seq from user_events where user_id = ${user.id} and seq > ${Number(seen.id)} order by seq`.execute(
      app.db,
    );
    expect(again.events.slice(1).map((event) => Number(event.id))).toEqual(kept.rows.map((row) => row.seq));
  });

  it('with the newest id, or after a restart, goes on without a gap', { tags: ['slow'] }, async () => {
    const user = await makeUser(app);
    await give(user, 1);
    const first = await open(user);
    const last = first.events[0]?.id ?? '';
    first.close();
    await app.restart();
    const again = await open(user, last);
    await give(user, 1);
    await again.waitForEvent('credits');
    expect(again.events.map((event) => event.name)).toEqual(['hello', 'credits']);
    again.close();
  });

  it('too late, or with an id nobody gave, says once that everything must be fetched anew', async () => {
    const user = await makeUser(app);
    await sql`select append_user_event(${user.id}, 'credits', '{"credits":0,"entryId":"txn_x"}') from generate_series(1, 501)`.execute(
      app.db,
    );
    for (const lastEventId of ['0', '999999', 'nonsense']) {
      const stream = await open(user, lastEventId);
      await stream.waitForEvent('resync');
      await give(user, 1);
      await stream.waitForEvent('credits');
      expect(stream.events.map((event) => event.name)).toEqual(['hello', 'resync', 'credits']);
      stream.close();
    }
    const near = await open(user, '4');
    await waitUntil(
      async () => near.events.length,
      (count) => count >= 501,
    );
    near.close();
    expect(near.events.filter((event) => event.name === 'resync')).toEqual([]);
    await sql`delete from user_events where user_id = ${user.id} and seq < 400`.execute(app.db);
    const swept = await open(user, '300');
    await swept.waitForEvent('resync');
    swept.close();
  });

  it('open while its next events are cleared away, says the same', async () => {
    const user = await makeUser(app, { credits: 5 });
    const stream = await open(user);
    // As the deletion of an account does it: events of its end are deleted with all other data.
    await transaction(app.db, async (tx) => {
      await adjustCredits(tx, { userId: user.id, credits: 1, note: 'for a test' });
      await deleteEventsOf(tx, user.id);
    });
    await give(user, 1);
    await stream.waitForEvent('credits', (body) => body.credits === 7);
    expect(stream.events.map(({ name }) => name)).toEqual(['hello', 'resync', 'credits']);
    stream.close();
    expectSound(stream);
  });
});

describe('the end of a stream', () => {
  it('comes to the oldest of eleven, with a resync', async () => {
    const user = await makeUser(app);
    const streams: Listener[] = [];
    for (let count = 0; count < 10; count += 1) streams.push(await open(user));
    expect(streams.some((stream) => stream.isClosed())).toBe(false);
    streams.push(await open(user));
    await waitUntil(async () => streams[0]?.isClosed() ?? false, Boolean);
    expect(streams[0]?.events.map((event) => event.name)).toEqual(['hello', 'resync']);
    await give(user, 1);
    for (const stream of streams.slice(1)) await stream.waitForEvent('credits');
    expect(streams.slice(1).some((stream) => stream.isClosed())).toBe(false);
    const other = await open(await makeUser(app));
    for (const stream of [...streams, other]) stream.close();
  });

  it('comes within 5 s when the session ends in another request, and is the last word', async () => {
    const user = await makeUser(app);
    const sessions = async () =>
      (await user.get<{ items: { id: string; current: boolean }[] }>('/api/v1/auth/sessions')).items;
    const signIn = await postJson(`${app.url}/api/v1/auth/sign-in`, { email: user.email, password: user.password });
    const elsewhere = signedIn(app, { ...user, cookie: readCookie(signIn) });
    const stream = await open(elsewhere);
    const id = (await sessions()).find((session) => !session.current)?.id;
    expect((await user.fetch(`/api/v1/auth/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    await waitUntil(async () => stream.isClosed(), Boolean, 5000);
    expect(stream.events.map((event) => event.name)).toEqual(['hello', 'session']);
    expect(stream.events.at(-1)?.body).toMatchObject({ state: 'ended' });
    await give(user, 1);
    expect(stream.text()).not.toContain('event: credits');
  });

  it('is counted at once, though the connection lives on, and a visitor who leaves early leaves nothing behind', async () => {
    await waitUntil(streamsOpen, (count) => count === 0);
    const user = await makeUser(app);
    const stream = await open(user);
    expect(await streamsOpen()).toBe(1);
    await user.fetch('/api/v1/auth/sign-out', { method: 'POST' });
    await waitUntil(async () => stream.isClosed(), Boolean, 5000);
    await waitUntil(streamsOpen, (count) => count === 0, 2000);
    const hasty = await makeUser(app);
    for (let count = 0; count < 20; count += 1) {
      const abort = new AbortController();
      const response = fetch(`${app.url}/api/v1/events`, { headers: { cookie: hasty.cookie }, signal: abort.signal });
      await new Promise((resolve) => setTimeout(resolve, count % 5));
      abort.abort();
      await response.catch(() => undefined);
    }
    await waitUntil(streamsOpen, (count) => count === 0, 5000);
  });

  it('comes to a reader who does not read, at 256 KiB of backlog', { tags: ['slow'] }, async () => {
    const user = await makeUser(app);
    const attentive = await open(user);
    const socket = openSocket(app);
    let isDropped = false;
    socket.on('close', () => (isDropped = true)).on('error', () => undefined);
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\n\r\n`);
    await waitUntil(streamsOpen, (count) => count === 2);
    socket.pause();
    // The buffers of both sockets take some megabytes before the server has to wait.
    for (let round = 0; round < 60 && (await streamsOpen()) === 2; round += 1) {
      await sql`
        select append_user_event(${user.id}, 'media', jsonb_build_object('action', 'created', 'id', repeat('x', 20000)))
        from generate_series(1, 25)`.execute(app.db);
      await attentive.waitForEvent('media', () => attentive.events.length > (round + 1) * 25);
    }
    await waitUntil(streamsOpen, (count) => count === 1);
    expect(attentive.isClosed()).toBe(false);
    socket.resume();
    await waitUntil(async () => isDropped, Boolean);
    attentive.close();
  });
});

describe('a quiet stream', () => {
  it('says something at least every 15 s', { tags: ['slow'] }, async () => {
    const stream = await open(await makeUser(app));
    const start = performance.now();
    await waitUntil(
      async () => stream.comments.length,
      (count) => count > 0,
      15_000,
    );
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(stream.text()).toContain('\n: ping\n\n');
    stream.close();
  });
});

describe('the listener of a process', () => {
  const countListeners = async () => {
    const found = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and query like 'listen plinth_sessions%'`.execute(app.db);
    return found.rows.length;
  };

  const openBehindDoor = async () => {
    const door = await startProxy(new URL(app.databaseUrl));
    const url = new URL(app.databaseUrl);
    url.port = String(door.port);
    return { door, hub: await openEventHub(url.href, createLog('fatal')) };
  };

  it('comes back once, however often and long the database was away', { tags: ['slow'] }, async () => {
    const before = await countListeners();
    const { hub, door } = await openBehindDoor();
    try {
      for (let times = 0; times < 3; times += 1) {
        expect(hub.isUp()).toBe(true);
        door.shut();
        await waitUntil(
          async () => hub.isUp(),
          (isUp) => !isUp,
        );
        await new Promise((resolve) => setTimeout(resolve, 2200));
        let statuses = 0;
        const leave = hub.watchUser('somebody', () => (statuses += 1));
        door.reopen();
        await waitUntil(
          async () => hub.isUp(),
          (isUp) => isUp,
        );
        await new Promise((resolve) => setTimeout(resolve, 700));
        expect(statuses).toBe(1);
        leave();
        expect(await countListeners()).toBe(before + 1);
      }
      const ends: string[] = [];
      hub.watchSession('ses_x', (reason) => void ends.push(reason));
      await transaction(app.db, (tx) => announceSessionEnds(tx, ['ses_x'], 'signed_out'));
      await waitUntil(
        async () => ends,
        (received) => received.length > 0,
      );
      expect(ends).toEqual(['signed_out']);
    } finally {
      await hub.close();
      door.close();
    }
    await waitUntil(countListeners, (count) => count === before);
  });

  it('notices that its connection says nothing any more, and comes back', { tags: ['slow'] }, async () => {
    const { hub, door } = await openBehindDoor();
    try {
      let statuses = 0;
      hub.watchUser('somebody', () => (statuses += 1));
      door.freeze();
      await waitUntil(
        async () => hub.isUp(),
        (isUp) => !isUp,
        20_000,
      );
      door.reopen();
      await waitUntil(
        async () => statuses,
        (times) => times > 0,
      );
      expect(hub.isUp()).toBe(true);
    } finally {
      await hub.close();
      door.close();
    }
  });

  it('that is closed while the database is away stays closed', async () => {
    const before = await countListeners();
    const { hub, door } = await openBehindDoor();
    door.shut();
    await waitUntil(
      async () => hub.isUp(),
      (isUp) => !isUp,
    );
    await hub.close();
    door.reopen();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await countListeners()).toBe(before);
    door.close();
  });
});
