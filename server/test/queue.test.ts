import { sql } from 'kysely';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { settleGeneration, withoutRedos } from '../src/generations/settle.ts';
import { systemClock } from '../src/platform/clock.ts';
import { measureQueue } from '../src/platform/data/queue.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeItem, makeRun, makeUser, type TestUser } from './makers.ts';

/** No worker runs here: rows stay as they are made. */

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ ROLE: 'web' });
  user = await makeUser(app);
});
afterAll(() => app.close());
afterEach(() => sql`delete from generations where user_id = ${user.id} and run_id is null`.execute(app.db));

type Made = { status: 'queued' | 'running'; ageSeconds: number; startedAgo?: number };

async function make({ status, ageSeconds, startedAgo }: Made, turn: number | null): Promise<void> {
  await sql`
    insert into generations (id, user_id, tool, cost, input, status, turn, created_at, started_at)
    values ('gen_' || gen_random_uuid(), ${user.id}, 'remover', 1, '{}', ${status}, ${turn},
      now() - ${ageSeconds}::integer * interval '1 second', now() - ${startedAgo ?? null}::integer * interval '1 second')
  `.execute(app.db);
}
const measure = async () => {
  const { depth, delaySeconds } = await measureQueue(app.db);
  return [depth, Math.round(delaySeconds / 10) * 10];
};

describe('the delay of the queue', () => {
  it('is none while nothing waits', async () => {
    await make({ status: 'running', ageSeconds: 300, startedAgo: 300 }, null);
    expect(await measure()).toEqual([0, 0]);
  });

  it('is the wait of the oldest single generation', async () => {
    await make({ status: 'queued', ageSeconds: 120 }, null);
    await make({ status: 'queued', ageSeconds: 60 }, null);
    await make({ status: 'running', ageSeconds: 200, startedAgo: 2 }, 1);
    expect(await measure()).toEqual([2, 120]);
  });

  it('does not grow while a catalogue is worked on, whose items wait for each other', async () => {
    await make({ status: 'running', ageSeconds: 400, startedAgo: 4 }, 1);
    for (const turn of [2, 3]) await make({ status: 'queued', ageSeconds: 400 }, turn);
    expect(await measure()).toEqual([2, 0]);
  });

  it('grows where no item is begun although some wait', async () => {
    await make({ status: 'queued', ageSeconds: 400 }, 2);
    expect(await measure()).toEqual([1, 400]);
    await make({ status: 'running', ageSeconds: 500, startedAgo: 200 }, 1);
    expect(await measure()).toEqual([1, 200]);
  });
});

it('items that are tried again take the turns after one another', async () => {
  const seller = await makeUser(app, { credits: 6 });
  const run = await makeRun(seller);
  const items = [await makeItem(seller, run.id), await makeItem(seller, run.id), await makeItem(seller, run.id)];
  const library = withoutRedos({ clock: systemClock, ttlSeconds: 86_400 });
  for (const { generation } of items)
    await settleGeneration(app.db, library, generation.id, { kind: 'failed', code: 'provider_failed', message: '' });
  expect((await seller.fetch(`/api/v1/runs/${run.id}/retry`, { method: 'POST' })).status).toBe(202);
  const found = await sql<{ turn: number }>`
    select g.turn from run_items n join generations g on g.id = n.generation_id
    where n.run_id = ${run.id} order by n.created_at, n.id`.execute(app.db);
  const [first = NaN] = found.rows.map(({ turn }) => turn);
  expect(found.rows.map(({ turn }) => turn - first)).toEqual([0, 1, 2]);
});
