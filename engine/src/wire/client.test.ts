import type { JsonWebKey } from 'node:crypto';
import { ValidationError, type ApiError, type FalClient } from '@fal-ai/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeClient,
  readProduct,
  REMOVE,
  removeFolder,
  startEngine,
  toDataUrl,
  waitFor,
  workersOf,
} from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';
import { isSigned, startReceiver } from '../../test/receiver.ts';

/** Every operation of the unmodified client against the running engine; only host names are routed. */

type CutoutAnswer = {
  image: { url: string; width: number };
};

let engine: Engine;
let fal: FalClient;
let bytes: Buffer;
let mug: string;

beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1' });
  fal = engine.fal;
  bytes = await sharp(await readProduct('mug'))
    .resize(400)
    .jpeg()
    .toBuffer();
  mug = toDataUrl(bytes);
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

const grey = async () =>
  toDataUrl(
    await sharp({ create: { width: 200, height: 200, channels: 3, background: '#888' } })
      .png()
      .toBuffer(),
    'image/png',
  );

describe('queue', () => {
  it.each(['polling', 'streaming'] as const)('subscribes by %s and sees the states and the logs', async (mode) => {
    const seen: string[] = [];
    let lines = 0;
    const { data, requestId } = await fal.subscribe(REMOVE, {
      input: { image_url: mug },
      mode,
      logs: true,
      onQueueUpdate: (update) => {
        seen.push(update.status);
        if ('logs' in update) lines = Math.max(lines, update.logs?.length ?? 0);
      },
    });
    expect((data as CutoutAnswer).image.width).toBe(400);
    expect(requestId).toMatch(/^[\w-]{22}$/);
    expect(seen.at(-1)).toBe('COMPLETED');
    expect(lines).toBeGreaterThan(4);
  });

  it('streams the status to who holds a token only', async () => {
    const { request_id: requestId } = await fal.queue.submit(REMOVE, { input: { image_url: mug } });
    const stream = await fal.queue.streamStatus(REMOVE, { requestId, logs: true, connectionMode: 'client' });
    const seen: string[] = [];
    for await (const status of stream) seen.push(status.status);
    expect((await stream.done()).status).toBe('COMPLETED');
    expect(seen.at(-1)).toBe('COMPLETED');
    expect(stream.requestId).toBe(requestId);
  });

  it('never lets a status stream fall silent while a request waits its turn', async () => {
    const submit = async () => (await fal.queue.submit(REMOVE, { input: { image_url: mug } })).request_id;
    const halt = (signal: 'SIGSTOP' | 'SIGCONT') => workersOf(engine).forEach((pid) => process.kill(pid, signal));
    halt('SIGSTOP'); // in front of the one that waits, for as long as it takes
    const ids = [await submit(), await submit()];
    const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${ids.at(-1)}/status/stream`);
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('\n: waiting\n')) break;
    }
    halt('SIGCONT');
    expect(text).toMatch(/^data: \{"status":"IN_QUEUE"/);
    expect(text).toContain(': waiting');
    for (const requestId of ids) await fal.queue.cancel(REMOVE, { requestId }).catch(() => undefined);
  });

  it('starts low priority behind everything normal', async () => {
    const submit = (priority: 'low' | 'normal') =>
      fal.queue.submit(REMOVE, { input: { image_url: mug }, priority, hint: 'none', startTimeout: 60 });
    const first = await submit('normal');
    await waitFor(async () => {
      const { status } = await fal.queue.status(REMOVE, { requestId: first.request_id });
      return status !== 'IN_QUEUE';
    });
    const low = await submit('low');
    const normal = await submit('normal');
    const position = async (requestId: string) =>
      ((await fal.queue.status(REMOVE, { requestId })) as { queue_position?: number }).queue_position;
    expect([await position(normal.request_id), await position(low.request_id)]).toEqual([0, 1]);
    for (const { request_id: requestId } of [first, low, normal]) {
      await fal.queue.cancel(REMOVE, { requestId }).catch(() => undefined);
    }
  });

  it('tells an early result, a second cancel and an unknown request as ApiErrors', async () => {
    const { request_id: requestId } = await fal.queue.submit(REMOVE, { input: { image_url: mug } });
    const statusOf = (call: Promise<unknown>) => call.then(() => 200).catch((error: ApiError<unknown>) => error.status);
    expect(await statusOf(fal.queue.result(REMOVE, { requestId }))).toBe(400);
    expect(await statusOf(fal.queue.cancel(REMOVE, { requestId }))).toBe(200);
    await waitFor(async () => (await fal.queue.status(REMOVE, { requestId })).status === 'COMPLETED');
    expect(await statusOf(fal.queue.cancel(REMOVE, { requestId }))).toBe(400);
    expect(await statusOf(fal.queue.result(REMOVE, { requestId }))).toBe(499);
    expect(await statusOf(fal.queue.cancel(REMOVE, { requestId: 'nothing' }))).toBe(404);
    expect(await statusOf(fal.queue.result(REMOVE, { requestId: 'nothing' }))).toBe(404);
  });

  it('sends a signed webhook for a result and for a refusal', async () => {
    const receiver = await startReceiver();
    const good = await fal.queue.submit(REMOVE, { input: { image_url: mug }, webhookUrl: receiver.url });
    const bad = await fal.queue.submit(REMOVE, { input: { image_url: 'x' }, webhookUrl: receiver.url });
    await waitFor(async () => receiver.deliveries.length === 2);
    await receiver.close();
    const keySet = (await (await fetch(`${engine.base}/rest/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] };
    expect(keySet.keys[0]).not.toHaveProperty('d');
    for (const delivery of receiver.deliveries) expect(isSigned(delivery, keySet.keys)).toBe(true);
    const [first] = receiver.deliveries;
    expect(isSigned({ ...first!, raw: `${first!.raw} ` }, keySet.keys)).toBe(false);
    const bodyOf = (id: string) => receiver.deliveries.find(({ body }) => body['request_id'] === id)?.body;
    const { payload, ...ok } = bodyOf(good.request_id) as { payload: CutoutAnswer };
    expect(ok).toEqual({ request_id: good.request_id, gateway_request_id: good.request_id, status: 'OK' });
    expect((await fetch(payload.image.url)).status).toBe(200);
    expect(bodyOf(bad.request_id)).toMatchObject({
      status: 'ERROR',
      error: 'Invalid status code: 422',
      payload: { detail: [{ loc: ['body', 'image_url'] }] },
    });
  });
});

describe('direct runs', () => {
  it('uploads a blob in the input by itself and answers with the result', async () => {
    const image_url = new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
    const { data } = await fal.run(REMOVE, { input: { image_url }, storageSettings: { expiresIn: '1h' } });
    expect((data as CutoutAnswer).image.width).toBe(400);
  });

  it.each(['server', 'client'] as const)('streams the result (%s mode)', async (connectionMode) => {
    const stream = await fal.stream(REMOVE, { input: { image_url: mug }, connectionMode });
    expect(((await stream.done()) as CutoutAnswer).image.width).toBe(400);
  });

  it('fails a stream whose request is refused, with the fields', async () => {
    const stream = await fal.stream(REMOVE, { input: { image_url: await grey() } });
    const error = await stream.done().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).getFieldErrors('image_url')).toHaveLength(1);
  });

  it('cancels the job when its caller hangs up', async () => {
    const large = toDataUrl(
      await sharp(await readProduct('mug'))
        .resize(2000)
        .jpeg()
        .toBuffer(),
    );
    const abort = new AbortController();
    const call = fal.run(REMOVE, { input: { image_url: large }, abortSignal: abort.signal });
    const { request_id: behind } = await waitFor(async () => {
      const submitted = await fal.queue.submit(REMOVE, { input: { image_url: mug } });
      const status = await fal.queue.status(REMOVE, { requestId: submitted.request_id });
      if (status.status === 'IN_QUEUE') return submitted;
      // It came before the run: nothing but the run shall be in front of the one that waits.
      await fal.queue.cancel(REMOVE, { requestId: submitted.request_id }).catch(() => undefined);
      return false;
    });
    abort.abort();
    await expect(call).rejects.toThrow();
    await waitFor(async () => (await fal.queue.status(REMOVE, { requestId: behind })).status !== 'IN_QUEUE', 2000);
  });
});

describe('storage', () => {
  it('takes a file above the border in parts and serves it whole', async () => {
    const large = Buffer.alloc(94_371_841);
    for (let at = 0; at < large.length; at += 4096) large.writeUInt32BE(at, Math.min(at, large.length - 4));
    const url = await fal.storage.upload(new File([large], 'big one.png', { type: 'image/png' }));
    expect(url).toMatch(/\/big-one\.png$/);
    const served = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(served.equals(large)).toBe(true);
    const { request_id: requestId } = await fal.queue.submit(REMOVE, { input: { image_url: url } });
    const error = await fal.queue.result(REMOVE, { requestId }).catch((caught: unknown) => caught);
    expect((error as ValidationError).getFieldErrors('image_url')).toMatchObject([{ type: 'file_too_large' }]);
  });

  it('is found under its old host name too', async () => {
    const old = makeClient(engine.base, (url) => url.replace('rest.fal.ai', 'rest.alpha.fal.ai'));
    const url = await old.storage.upload(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }));
    expect((await fetch(url)).headers.get('content-type')).toBe('image/jpeg');
  });
});
