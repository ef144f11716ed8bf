import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '1' });
  [ann, bob] = await Promise.all([makeUser(app, { credits: 1 }), makeUser(app)]);
});
afterAll(() => app.close());

const visitor = { fetch: (path: string) => fetch(app.url + path) };

/** Sends this many requests, a hundred at a time, and counts the answers by status. */
async function ask(who: Pick<TestUser, 'fetch'>, path: string, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let left = times; left > 0; left -= 100) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(100, left) }, async () => {
        const answer = await who.fetch(path);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

it(
  'lets a person read 1 200 times a minute, and says when to come back; nobody else feels it',
  { tags: ['slow'] },
  async () => {
    expect(await ask(ann, '/api/v1/packages', 300), 'what is the same for all').toEqual({ 200: 300 });
    expect(await ask(ann, '/api/v1/credits', 1250)).toEqual({ 200: 1200, 429: 50 });
    const refused = await ann.fetch('/api/v1/generations');
    await expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await bob.fetch('/api/v1/credits')).status).toBe(200);
    expect((await visitor.fetch('/api/v1/tools')).status).toBe(200);
    await expectProblem(await ann.fetch('/api/v1/unknown'), 'not_found');
  },
);

it('allows a user 300 files a minute, and does not compute the rejected ones', { tags: ['slow'] }, async () => {
  // Ann has no reads left, but her generation continues.
  const { id } = await makeGeneration(ann);
  const other = await makeUser(app, { credits: 1 });
  const { result } = await waitForEnd(other, (await makeGeneration(other)).id);
  const path = `/api/v1/media/${result?.mediaId ?? ''}`;
  expect(await ask(other, `${path}/preview?width=320`, 100)).toEqual({ 200: 100 });
  expect(await ask(other, `${path}/content`, 200)).toEqual({ 200: 200 });
  expect(await ask(other, `${path}/download`, 110)).toEqual({ 200: 100, 429: 10 });
  // Each receipt is generated anew, in some 50 ms of CPU time.
  expect(await ask(bob, '/api/v1/purchases/pur_none/receipt.pdf', 310)).toEqual({ 404: 300, 429: 10 });
  expect((await other.fetch('/api/v1/credits')).status).toBe(200);
  expect((await ann.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' })).status).not.toBe(429);
});

it('allows a user 60 event streams a minute', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 65 }, async () => {
      const stream = await bob.fetch('/api/v1/events');
      await stream.body?.cancel();
      return stream.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
});

it('counts visitors by their network, after authentication', { tags: ['slow'] }, async () => {
  expect(await ask(visitor, '/api/v1/tools', 1210)).toMatchObject({ 200: expect.any(Number), 429: expect.any(Number) });
  await expectProblem(await visitor.fetch('/api/v1/tools'), 'rate_limited');
  await expectProblem(await visitor.fetch('/api/v1/credits'), 'authentication_required');
  expect((await visitor.fetch('/healthz')).status).toBe(200);
  expect((await bob.fetch('/api/v1/tools')).status).toBe(200);
});
