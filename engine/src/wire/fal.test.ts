import { ApiError, ValidationError } from '@fal-ai/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readProduct,
  REMOVE,
  removeFolder,
  REPLACE,
  startEngine,
  submit,
  toDataUrl,
  waitFor,
  waitForStatus,
} from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';

let engine: Engine;
let mug: string;

beforeAll(async () => {
  engine = await startEngine();
  mug = toDataUrl(
    await sharp(await readProduct('mug'))
      .resize(480)
      .jpeg()
      .toBuffer(),
  );
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

async function failureOf(
  input: object,
  app = REMOVE,
): Promise<{ status: number; field: string; type: string; msg: string }> {
  const id = await submit(engine, app, input);
  const status = await waitForStatus(engine, id, 'COMPLETED');
  const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`);
  const body = (await response.json()) as { detail: { loc: string[]; type: string; msg: string }[] };
  const first = body.detail[0];
  expect(status.error_type).toBe(first?.type);
  return { status: response.status, field: first?.loc[1] ?? '', type: first?.type ?? '', msg: first?.msg ?? '' };
}

const png = (width: number, height: number, background = '#888') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

describe('the queue, through the unmodified client', () => {
  it('uploads, submits, tells its progress and serves the cut-out', async () => {
    const blob = new Blob(
      [
        await sharp(await readProduct('mug'))
          .resize(480)
          .jpeg()
          .toBuffer(),
      ],
      { type: 'image/jpeg' },
    );
    const image_url = await engine.fal.storage.upload(blob);
    const { request_id } = await engine.fal.queue.submit(REMOVE, { input: { image_url } });
    await waitForStatus(engine, request_id, 'COMPLETED');
    const status = await engine.fal.queue.status(REMOVE, { requestId: request_id, logs: true });
    const percents = 'logs' in status ? status.logs.map((line) => Number(/^(\d+)% \w/.exec(line.message)?.[1])) : [];
    expect(percents.length).toBeGreaterThan(4);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(Math.max(...percents)).toBeLessThan(100);
    const { data, requestId } = await engine.fal.queue.result(REMOVE, { requestId: request_id });
    expect(requestId).toBe(request_id);
    const { image } = data as {
      image: { url: string; content_type: string; file_size: number; width: number; height: number };
    };
    expect(image).toMatchObject({ content_type: 'image/png', width: 480, height: 480, file_name: 'cutout.png' });
    const served = await fetch(image.url);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Number(served.headers.get('content-length'))).toBe(image.file_size);
    const metadata = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
    expect(metadata).toMatchObject({ width: 480, height: 480, channels: 4 });
    expect(metadata.exif).toBeUndefined();
    expect((await fetch(image.url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(image.file_size));
  });

  it('answers a submit with all six fields and an early result with 400', async () => {
    const response = await engine.call('POST', `/queue/${REPLACE}`, {
      body: { image_url: mug, prompt: 'marble', seed: 3 },
    });
    expect(response.status).toBe(200);
    const body = (await response.json()) as Record<string, unknown>;
    const here = `${engine.base}/queue/fal-ai/bria/requests/${String(body['request_id'])}`;
    expect(response.headers.get('x-fal-request-id')).toBe(body['request_id']);
    expect(body).toEqual({
      status: 'IN_QUEUE',
      request_id: body['request_id'],
      response_url: here,
      status_url: `${here}/status`,
      cancel_url: `${here}/cancel`,
      queue_position: expect.any(Number) as number,
    });
    const path = here.slice(engine.base.length);
    expect((await engine.call('GET', path)).status).toBe(400);
    expect((await engine.call('GET', `${path}/status`)).status).toBe(202);
    await waitForStatus(engine, String(body['request_id']), 'COMPLETED');
    expect((await engine.call('GET', `${path}/status`)).status).toBe(200);
    const result = (await (await engine.call('GET', path)).json()) as { images: { width: number }[]; seed: number };
    expect(result.seed).toBe(3);
    expect(result.images).toHaveLength(1);
    expect((await engine.call('PUT', `${path}/cancel`)).status).toBe(400);
  });

  it('streams the status until it is complete', async () => {
    const id = await submit(engine, REMOVE, { image_url: mug });
    const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}/status/stream?logs=1`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-fal-request-id')).toBe(id);
    const events = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: '));
    expect(events.at(-1)).toContain('"status":"COMPLETED"');
  });

  it('runs at once under the run prefix', async () => {
    const { data } = await engine.fal.run(REMOVE, { input: { image_url: mug } });
    expect((data as { image: { width: number } }).image.width).toBe(480);
  });

  it('cancels running and queued jobs within two seconds', async () => {
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.push(await submit(engine, REMOVE, { image_url: mug }));
    for (const id of ids) {
      const response = await engine.call('PUT', `/queue/fal-ai/bria/requests/${id}/cancel`);
      expect([response.status, await response.json()]).toEqual([202, { status: 'CANCELLATION_REQUESTED' }]);
    }
    for (const id of ids) {
      const status = await waitFor(async () => {
        const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}/status`);
        const body = (await response.json()) as { status: string; error_type?: string };
        return body.status === 'COMPLETED' && body;
      }, 2000);
      expect(status.error_type).toBe('client_cancelled');
    }
    expect((await engine.call('PUT', `/queue/fal-ai/bria/requests/${ids[0]}/cancel`)).status).toBe(400);
  });

  it('raises a ValidationError that names the field when the product cannot be told apart', async () => {
    const image_url = toDataUrl(await png(300, 300), 'image/png');
    const { request_id } = await engine.fal.queue.submit(REMOVE, { input: { image_url } });
    await waitForStatus(engine, request_id, 'COMPLETED');
    const error = await engine.fal.queue.result(REMOVE, { requestId: request_id }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    const [entry] = (error as ValidationError).getFieldErrors('image_url');
    expect(entry).toMatchObject({ type: 'no_media_generated' });
    expect(entry?.msg).toBe('We could not tell the product from its background. Try a photo with more contrast.');
    expect(error).toBeInstanceOf(ApiError);
  });
});

describe('who may ask for what', () => {
  it.each([
    ['no key', null],
    ['another key', 'wrong'],
  ])('refuses %s', async (_, key) => {
    for (const path of [`/queue/${REMOVE}`, `/run/${REMOVE}`, '/rest/storage/upload/initiate']) {
      expect((await engine.call('POST', path, { key, body: {} })).status).toBe(401);
    }
  });

  it('knows no other apps, requests, owners or files', async () => {
    const id = await submit(engine, REMOVE, { image_url: mug });
    expect((await engine.call('POST', '/queue/fal-ai/unknown/app', { body: {} })).status).toBe(404);
    expect((await engine.call('GET', '/queue/fal-ai/bria/requests/nothing/status')).status).toBe(404);
    expect((await engine.call('GET', `/queue/fal-ai/other/requests/${id}/status`)).status).toBe(404);
    expect((await engine.call('PUT', '/queue/fal-ai/bria/requests/nothing/cancel')).status).toBe(404);
    expect((await engine.call('GET', '/files/AAAAAAAAAAAAAAAAAAAAAA/x.png')).status).toBe(404);
    expect((await engine.call('GET', '/files/../jobs/x')).status).toBe(404);
  });

  it('takes each upload once', async () => {
    const start = await engine.call('POST', '/rest/storage/upload/initiate?storage_type=fal-cdn-v3', {
      body: { content_type: 'image/png', file_name: '../../x.png' },
    });
    const { upload_url, file_url } = (await start.json()) as { upload_url: string; file_url: string };
    expect(file_url).toMatch(/\/files\/[\w-]{22}\/x\.png$/);
    const bytes = new Uint8Array(await png(80, 80));
    expect((await fetch(upload_url, { method: 'PUT', body: bytes })).status).toBe(200);
    expect((await fetch(upload_url, { method: 'PUT', body: bytes })).status).toBe(403);
    expect((await fetch(file_url)).headers.get('content-type')).toBe('image/png');
  });
});

describe('bad input is told on the result, with its field', () => {
  it.each([
    ['a missing picture', {}, 'missing'],
    ['a picture that is no text', { image_url: 7 }, 'string_type'],
    ['an address elsewhere', { image_url: 'https://example.com/a.png' }, 'file_download_error'],
    [
      'a file that we never had',
      { image_url: 'http://127.0.0.1/files/AAAAAAAAAAAAAAAAAAAAAA/a.png' },
      'file_download_error',
    ],
    ['a data URL without bytes', { image_url: 'data:image/png;base64,' }, 'image_load_error'],
    ['bytes of no picture', { image_url: toDataUrl(Buffer.alloc(500, 7)) }, 'unsupported_image_format'],
    [
      'SVG',
      { image_url: toDataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"/>')) },
      'unsupported_image_format',
    ],
  ])('%s', async (_, input, type) => {
    expect(await failureOf(input)).toMatchObject({ status: 422, field: 'image_url', type });
  });

  it.each([
    ['a very small picture', () => png(40, 90), 'image_too_small'],
    ['a very long picture', () => png(900, 100), 'image_aspect_ratio'],
    ['a picture of more than 64 million pixels', () => png(8100, 8100), 'image_too_large'],
    ['half a JPEG', async () => (await readProduct('mug')).subarray(0, 40_000), 'image_load_error'],
  ])('%s', async (_, make, type) => {
    expect(await failureOf({ image_url: toDataUrl(await make()) })).toMatchObject({
      status: 422,
      field: 'image_url',
      type,
    });
  });

  it.each([
    ['a prompt of novel length', { prompt: 'x'.repeat(2001) }, 'prompt', 'string_too_long'],
    ['a seed that is no whole number', { seed: 1.5 }, 'seed', 'int_type'],
    ['a variant that there is not', { variant: 10 }, 'variant', 'less_than_equal'],
    ['a flag that is no flag', { fast: 'yes' }, 'fast', 'bool_type'],
  ])('%s', async (_, extra, field, type) => {
    expect(await failureOf({ image_url: mug, ...extra }, REPLACE)).toMatchObject({ status: 422, field, type });
  });

  it('a body that is not JSON, and one that is too long', async () => {
    expect((await engine.call('POST', `/queue/${REMOVE}`, { body: '{' })).status).toBe(400);
    const long = await engine
      .call('POST', `/queue/${REMOVE}`, { body: { image_url: 'x'.repeat(57_000_000) } })
      .catch(() => undefined);
    expect(long === undefined || long.status === 413).toBe(true);
  });
});
