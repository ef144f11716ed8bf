import type { JsonWebKey } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { REMOVE, removeFolder, startEngine, submit, toDataUrl, waitFor } from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';
import { isSigned, startReceiver, type Receiver } from '../../test/receiver.ts';
import { findTargetFault } from './webhook-target.ts';

const started: Engine[] = [];
const receivers: Receiver[] = [];

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
  for (const engine of started.splice(0)) {
    if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
    await removeFolder(engine);
  }
});

async function start(env: Record<string, string> = {}, dataDir?: string): Promise<Engine> {
  const engine = await startEngine({ ENGINE_WORKERS: '1', ENGINE_WEBHOOK_RETRY_SECONDS: '1', ...env }, dataDir);
  started.push(engine);
  return engine;
}

async function receive(answer?: (n: number) => number | undefined): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const submitFor = (engine: Engine, receiver: Receiver) =>
  submit(engine, `${REMOVE}?fal_webhook=${encodeURIComponent(receiver.url)}`, { image_url: 'nowhere' });

describe('a webhook', () => {
  it('is sent again, with a growing pause, until the receiver takes it', async () => {
    const engine = await start();
    const receiver = await receive((n) => [500, 302, 200][n]);
    const id = await submitFor(engine, receiver);
    await waitFor(async () => receiver.deliveries.length === 3);
    const times = receiver.deliveries.map(({ headers }) => Number(headers['x-fal-webhook-timestamp']));
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(times[1]! - times[0]!);
    expect(receiver.deliveries.every(({ body }) => body['request_id'] === id)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(receiver.deliveries).toHaveLength(3);
  });

  it('outlives the engine, signed with the same key', async () => {
    const first = await start();
    const receiver = await receive((n) => (n === 0 ? 503 : 200));
    const keysOf = async (engine: Engine) =>
      (await (await fetch(`${engine.base}/rest/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] };
    const keys = await keysOf(first);
    const id = await submitFor(first, receiver);
    await waitFor(async () => receiver.deliveries.length === 1);
    await first.kill();
    const second = await start({}, first.dataDir);
    await waitFor(async () => receiver.deliveries.length >= 2);
    expect(await keysOf(second)).toEqual(keys);
    expect(isSigned(receiver.deliveries[1]!, keys.keys)).toBe(true);
    expect(receiver.deliveries[1]?.body['request_id']).toBe(id);
  });

  it('does not wait for ever for a receiver that says nothing, and holds up no other', async () => {
    const engine = await start();
    const silent = await receive(() => undefined);
    const prompt = await receive();
    await submitFor(engine, silent);
    await submitFor(engine, prompt);
    await waitFor(async () => prompt.deliveries.length === 1);
    await waitFor(async () => silent.deliveries.length === 2, 20_000); // 15 s and the pause
  });

  it('tells its sender that the job was cancelled', async () => {
    const engine = await start();
    const receiver = await receive();
    const picture = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const address = `${REMOVE}?fal_webhook=${encodeURIComponent(receiver.url)}`;
    const id = await submit(engine, address, { image_url: toDataUrl(picture) });
    await engine.call('PUT', `/queue/fal-ai/bria/requests/${id}/cancel`);
    await waitFor(async () => receiver.deliveries.length === 1);
    expect(receiver.deliveries[0]?.body).toMatchObject({
      request_id: id,
      status: 'ERROR',
      error: 'Invalid status code: 499',
      payload: { error_type: 'client_cancelled' },
    });
  });
});

describe('where webhooks may go', () => {
  it.each([
    ['http://127.0.0.1:4000/x'],
    ['http://localhost/x'],
    ['http://[::1]:80/'],
    ['https://hooks.example/x'],
    ['http://inner.example:8081/'],
  ])('to %s', (address) => {
    expect(findTargetFault(address, ['hooks.example', 'inner.example:8081'])).toBeUndefined();
  });

  it.each([
    ['http://10.0.0.1/'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://192.168.1.1:4000/'],
    ['http://example.com/'],
    ['http://127.0.0.1.example.com/'],
    ['http://localhost.example.com/'],
    ['http://inner.example:9999/'],
    ['http://[::ffff:10.0.0.1]/'],
    ['http://0.0.0.0/'],
    ['http://user:pass@127.0.0.1/'],
    ['http://127.0.0.1@example.com/'],
    ['file:///etc/passwd'],
    ['ftp://127.0.0.1/'],
    ['//127.0.0.1/'],
    ['nothing'],
    [`http://127.0.0.1/${'x'.repeat(2048)}`],
  ])('not to %s', (address) => {
    expect(findTargetFault(address, ['inner.example:8081'])).toBeTypeOf('string');
  });

  it('is checked before the job is taken', async () => {
    const engine = await start();
    const response = await engine.call('POST', `/queue/${REMOVE}?fal_webhook=http://example.com/`, { body: {} });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', 'fal_webhook'] }] });
  });
});
