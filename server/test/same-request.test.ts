import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makeItem,
  makePicture,
  makePurchase,
  makeRun,
  makeUser,
  redo,
  submit,
  submitItem,
  type TestUser,
  waitForEnd,
} from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ FREE_REDOS: '1', MAX_INFLIGHT_PER_USER: '1' });
});
afterAll(() => app.close());

/** Sends the same request several times at once; all must get the same answer, one of them as the first. */
async function expectOneAnswer(send: () => Promise<Response>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }, i) => `${status} ${bodies[i]}`)).toEqual(bodies.map(() => `202 ${bodies[0]}`));
  expect(answers.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
}

describe('the same request several times at once is answered with the first one', () => {
  it('where it takes the last credit and the last place', async () => {
    const user = await makeUser(app, { credits: 1 });
    const [key, image] = [randomUUID(), await makePicture()];
    await expectOneAnswer(() => submit(user, { key, image }));
    expect(await user.credits()).toBe(0);
  });

  it('where an item takes its own sku', async () => {
    const user = await makeUser(app, { credits: 9 });
    const run = await makeRun(user);
    const [key, image] = [randomUUID(), await makePicture()];
    await expectOneAnswer(() => submitItem(user, run.id, { key, image, sku: 'A' }));
    expect(await user.credits()).toBe(8);
  });

  it('where it is the last free redo', async () => {
    const user = await makeUser(app, { credits: 1 });
    const { id } = await makeGeneration(user);
    await waitForEnd(user, id);
    const key = randomUUID();
    await expectOneAnswer(() => redo(user, id, undefined, key));
  });
});

it('one key on several routes is a request on each of them', async () => {
  const user = await makeUser(app, { credits: 2 });
  const key = randomUUID();
  const { id } = await makePurchase(user, 'basic', key);
  const first = await submit(user, { key });
  expect([first.status, first.headers.has('idempotency-replayed')]).toEqual([202, false]);
  await waitForEnd(user, ((await first.json()) as { id: string }).id);
  const second = await submit(user, { key, tool: 'text-to-image', prompt: 'on a table' });
  expect([second.status, second.headers.has('idempotency-replayed')]).toEqual([202, false]);
  expect((await makePurchase(user, 'basic', key)).id).toBe(id);
  expect(await user.credits()).toBe(0);
});

it('an item that its run refuses is told so before a person without credits is', async () => {
  const user = await makeUser(app, { credits: 1 });
  const run = await makeRun(user);
  await makeItem(user, run.id, { sku: 'A' });
  await expectProblem(await submitItem(user, run.id, { sku: 'A' }), 'sku_in_use');
  await expectProblem(await submitItem(user, run.id, { sku: 'B' }), 'insufficient_credits');
  await user.fetch(`/api/v1/runs/${run.id}/close`, { method: 'POST' });
  await expectProblem(await submitItem(user, run.id, { sku: 'B' }), 'run_closed');
});

describe('a body with the key of another', () => {
  const send = (user: TestUser, body: string, key: string) =>
    user.fetch('/api/v1/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body,
    });
  const body =
    '{"name":"Mugs","tool":"text-to-image","fields":{"variant":"1","prompt":"on oak"},"packs":["ebay","etsy"]}';

  it('is the same request when only its spaces and the order of its members differ', async () => {
    const [user, key] = [await makeUser(app), randomUUID()];
    const first = await send(user, body, key);
    expect(first.status).toBe(201);
    const { name, tool, fields, packs } = JSON.parse(body) as Record<string, Record<string, string>>;
    const turned = { packs, fields: { prompt: fields?.['prompt'], variant: fields?.['variant'] }, tool, name };
    const again = await send(user, JSON.stringify(turned, null, 2), key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toEqual(await first.json());
    await expectProblem(
      await send(user, body.replace('["ebay","etsy"]', '["etsy","ebay"]'), key),
      'idempotency_key_reused',
    );
  });

  it('is another one when it nests too deeply to be compared', async () => {
    const [user, key] = [await makeUser(app), randomUUID()];
    expect((await send(user, body, key)).status).toBe(201);
    const deep = body.replace('"Mugs"', `${'['.repeat(25_000)}${']'.repeat(25_000)}`);
    await expectProblem(await send(user, deep, key), 'idempotency_key_reused');
    await expectProblem(await send(user, deep, randomUUID()), 'name_required');
  });
});
