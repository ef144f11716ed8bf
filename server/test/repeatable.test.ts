import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import type { Checkpoint } from '../src/generations/run.ts';
import { systemClock } from '../src/platform/clock.ts';
import { startTestApp, type TestApp } from './app.ts';
import { killWorkerAt } from './killed-worker.ts';
import { makeGeneration, makePicture, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import type { Behaviour } from './provider-script.ts';

/** Answers with exactly this. */
const tell = (text: string) => (response: ServerResponse) =>
  Boolean(response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(text));
const breakOff = (response: ServerResponse) => {
  response.destroy();
  return true;
};

describe('the built-in engine, whose work is free', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ PROVIDER_POLL_SCALE: '0.02' }, systemClock, 'built-in');
  });
  afterAll(() => app.close());

  it.each<[string, (response: ServerResponse) => boolean]>([
    ['is gone for a moment, as it is while it starts anew', breakOff],
    ['dies in the middle of its answer', (response) => breakOff(response.writeHead(200))],
    [
      'has too much to do',
      (response) => {
        response.writeHead(503, { 'retry-after': '1' }).end('{"error":"too many tasks are waiting"}');
        return true;
      },
    ],
  ])('is asked again when it %s', async (_, fail) => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    let isFirst = true;
    app.provider.behave({
      submit: (response) => {
        if (!isFirst) return false;
        isFirst = false;
        return fail(response);
      },
    });
    const { id } = await makeGeneration(user);
    expect((await waitForEnd(user, id)).status).toBe('succeeded');
    expect(app.provider.submits.length - before).toBe(2);
    expect((await user.ledger()).map(({ reason }) => reason)).toEqual(['debit', 'adjustment']);
  });

  it('is called three times for a picture that crashes it, not endlessly', async () => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    app.provider.behave({ submit: breakOff });
    const { id } = await makeGeneration(user);
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'failed', refunded: true });
    expect(app.provider.submits.length - before).toBe(3);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('is abandoned after its timeout by closing the connection', async () => {
    const user = await makeUser(app, { credits: 3 });
    app.provider.behave({ polls: 1_000_000 });
    const { id } = await makeGeneration(user);
    expect(await waitForEnd(user, id)).toMatchObject({ refunded: true, error: { code: 'provider_timeout' } });
    await waitUntil(async () => app.provider.submits.at(-1)?.canceled, Boolean);
  });

  it('is canceled by closing the connection', async () => {
    const user = await makeUser(app, { credits: 3 });
    app.provider.behave({ polls: 1_000_000 });
    const { id } = await makeGeneration(user, { tool: 'basic-image-to-video' });
    await waitUntil(
      async () => app.provider.submits.at(-1)?.polls ?? 0,
      (polls) => polls > 1,
    );
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'canceled', refunded: true });
    await waitUntil(async () => app.provider.submits.at(-1)?.canceled, Boolean);
  });

  it.each<[string, Behaviour, object]>([
    ['says nonsense', { submit: tell('{"kind":"purple"}\n') }, { error: { code: 'provider_failed' } }],
    ['says no JSON', { submit: tell('hello\n') }, { error: { code: 'provider_failed' } }],
    ['says one line without an end', { submit: tell('x'.repeat(70_000)) }, { error: { code: 'provider_failed' } }],
    [
      'sends less than it says',
      { submit: tell('{"kind":"done","bytes":9}\nabc') },
      { error: { code: 'result_invalid' } },
    ],
    ['has no result', { result: () => ({ body: {} }) }, { error: { code: 'result_missing' } }],
    [
      'took too long',
      { submit: tell('{"kind":"failed","reason":"time_limit"}\n') },
      { error: { code: 'provider_timeout' } },
    ],
    [
      'does not know our key',
      { submit: (response) => Boolean(response.writeHead(401).end()) },
      { error: { code: 'provider_failed' } },
    ],
    [
      'refuses the photo',
      { result: () => ({ body: { detail: [{ msg: 'Nothing stands out.' }] } }) },
      { error: { code: 'provider_rejected', message: 'Nothing stands out.' } },
    ],
  ])('that %s is asked once, and the credits come back', async (_, behaviour, failure) => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    app.provider.behave(behaviour);
    const { id } = await makeGeneration(user);
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'failed', refunded: true, ...failure });
    expect(app.provider.submits.length - before).toBe(1);
    expect(await user.credits()).toBe(3);
  });

  it.each([
    ['marks all of it to be kept', { keep: [[0.5, 0.5, 1]] }, 'succeeded'],
    ['marks nothing', undefined, 'failed'],
  ] as const)('that gives the photo back as it was: for a person who %s', async (_, marks, status) => {
    const user = await makeUser(app, { credits: 3 });
    const image = await makePicture();
    app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(image)) });
    const { id } = await makeGeneration(user, {
      tool: 'remover',
      image,
      ...(marks && { marks }),
    });
    const made = await waitForEnd(user, id);
    expect([made.status, made.error?.code]).toEqual([status, status === 'failed' ? 'result_invalid' : undefined]);
  });
});

describe('the built-in engine, whose worker was killed', { tags: ['slow'] }, () => {
  /** As many at a time as a worker's concurrency. */
  const STEPS: Checkpoint[][] = [
    ['begun', 'polled'],
    ['fetched', 'checked'],
    ['stored', 'settled'],
  ];
  let app: TestApp;
  const begun = new Map<Checkpoint, { user: TestUser; id: string }>();
  beforeAll(async () => {
    app = await startTestApp({ ROLE: 'web' }, systemClock, 'built-in');
    app.provider.behave({ polls: 20 });
    for (const steps of STEPS) {
      for (const step of steps) {
        const user = await makeUser(app, { credits: 2 });
        begun.set(step, { user, id: (await makeGeneration(user)).id });
      }
      const at = steps.map((step): [string, Checkpoint] => [begun.get(step)?.id ?? '', step]);
      await killWorkerAt(app, new Map(at), { ENGINE_URL: app.provider.url });
    }
    const next = await app.startWorker();
    for (const { user, id } of begun.values()) await waitForEnd(user, id, 50_000);
    await next.stop();
  }, 120_000);
  afterAll(() => app.close());

  it.each(STEPS.flat())('at "%s", goes on', async (step) => {
    const { user, id } = begun.get(step) as { user: TestUser; id: string };
    expect((await waitForEnd(user, id)).status).toBe('succeeded');
    expect(await user.credits()).toBe(1);
    const media = await user.get<{ items: unknown[] }>('/api/v1/media');
    expect(media.items).toHaveLength(1);
    expect(await auditLedger(app.db)).toEqual([]);
  });
});
