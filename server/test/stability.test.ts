import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ToolEntry } from '@plinth/contract/generations';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readMp4 } from '../src/media/mp4.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeClip } from './clip.ts';
import { makeGeneration, makeUser, waitForEnd } from './makers.ts';

/** Stability's endpoints, scripted by the test. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Started = { image: Buffer; fields: Record<string, string>; authorization: string | undefined };

const started: Started[] = [];
const requests: string[] = [];
const traces: string[] = [];
let answerStart: Answer | undefined;
let answerResult: Answer | undefined;
let clip: Buffer;
const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const labelledJson =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end('<html>Internal error</html>');

const server = createServer((request, response) => void handle(request, response));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  traces.push(String(request.headers.traceparent));
  if (request.method === 'POST' && request.url === '/v2beta/image-to-video') {
    const body = new Uint8Array(await buffer(request));
    const form = await new Response(body, {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const image = Buffer.from(await (form.get('image') as Blob).arrayBuffer());
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    started.push({ image, fields: Object.fromEntries(texts), authorization: request.headers.authorization });
    return (answerStart ?? json(200, { id: 'a'.repeat(64) }))(response, request);
  }
  requests.push(`${request.method} ${request.url} ${request.headers.accept}`);
  if (answerResult !== undefined) return answerResult(response, request);
  if (requests.length === 1) return json(202, { id: 'a', status: 'in-progress' })(response, request);
  response.writeHead(200, { 'content-type': 'video/mp4', 'finish-reason': 'SUCCESS' }).end(clip);
}

let app: TestApp;
beforeAll(async () => {
  clip = await makeClip();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  app = await startTestApp({
    STABILITY_KEY: 'sk-of-the-test',
    STABILITY_URL: `http://127.0.0.1:${port}`,
    PROVIDER_POLL_SCALE: '0.004',
    LOG_LEVEL: 'info',
  });
});
afterEach(() => {
  answerStart = answerResult = undefined;
  started.length = requests.length = traces.length = 0;
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

const request = { tool: 'image-to-video', prompt: 'a slow turn' };

describe('with a key of Stability', () => {
  it('it serves the premium video and says so, and nothing else', async () => {
    const { items } = (await (await fetch(`${app.url}/api/v1/tools`)).json()) as { items: ToolEntry[] };
    const names = Object.fromEntries(items.map(({ id, servedBy }) => [id, servedBy.name]));
    expect(names['image-to-video']).toBe('Stability AI');
    expect(new Set(Object.values(names))).toEqual(new Set(['Stability AI', 'fal']));
  });

  it('every question carries the trace of the request that asked for the video', async () => {
    const user = await makeUser(app, { credits: 10 });
    const { id } = await makeGeneration(user, request);
    expect((await waitForEnd(user, id)).status).toBe('succeeded');
    const jobs = await sql<{ traceparent: string }>`
      select data ->> 'traceparent' as traceparent from pgboss.job where data ->> 'generationId' = ${id}`.execute(
      app.db,
    );
    const idOf = (traceparent = '') => /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(traceparent)?.[1];
    const trace = idOf(jobs.rows[0]?.traceparent);
    expect(trace).toBeDefined();
    expect(traces.length).toBeGreaterThan(1);
    expect(new Set(traces.map(idOf))).toEqual(new Set([trace]));
  });

  it('a video is started with the numbers of the specification, waited for and kept; the words stay with us', async () => {
    const user = await makeUser(app, { credits: 5 });
    const done = await waitForEnd(user, (await makeGeneration(user, request)).id);
    expect(done.status).toBe('succeeded');
    expect(started).toHaveLength(1);
    expect(started[0]?.fields).toEqual({ seed: '0', cfg_scale: '1.8', motion_bucket_id: '127' });
    expect(started[0]?.authorization).toBe('Bearer sk-of-the-test');
    const { width, height } = await sharp(started[0]?.image).metadata();
    expect([width, height]).toEqual([1024, 576]);
    expect(requests[0]).toBe(`GET /v2beta/image-to-video/result/${'a'.repeat(64)} video/*`);
    const content = Buffer.from(await (await user.fetch(done.result?.contentUrl ?? '')).arrayBuffer());
    expect(readMp4(content)).toEqual(readMp4(clip));
    expect(content.toString('latin1')).toContain('<Iptc4xmpExt:AISystemUsed>Stability AI image-to-video<');
    expect(await user.credits()).toBe(0);
  });

  it('a video may also come as base64', async () => {
    answerResult = (response, incoming) =>
      json(200, { video: clip.toString('base64'), finish_reason: 'SUCCESS', seed: 0 })(response, incoming);
    const user = await makeUser(app, { credits: 5 });
    expect((await waitForEnd(user, (await makeGeneration(user, request)).id)).status).toBe('succeeded');
  });

  it('a video that breaks off on its way is fetched again', async () => {
    let answers = 0;
    answerResult = (response) => {
      answers += 1;
      response.writeHead(200, {
        'content-type': 'video/mp4',
        'finish-reason': 'SUCCESS',
        'content-length': clip.length,
      });
      // The first request polls for the result.
      if (answers === 2) void (response.write(clip.subarray(0, 100)), setTimeout(() => response.destroy(), 50));
      else response.end(clip);
    };
    const user = await makeUser(app, { credits: 5 });
    expect((await waitForEnd(user, (await makeGeneration(user, request)).id)).status).toBe('succeeded');
    expect([answers, started.length]).toEqual([3, 1]);
  });

  const TIMED_OUT = 'Video generation timed out. Please try again.';
  const FAILED = 'Failed to generate video';
  it.each<{ what: string; start?: Answer; result?: Answer; code: string; message: string; said?: string }>([
    {
      what: 'the start answers 500',
      start: json(500, {}),
      code: 'provider_failed',
      message: 'Failed to start video generation (500)',
    },
    {
      what: 'the start answers 402',
      start: json(402, {}),
      code: 'provider_failed',
      message: 'Failed to start video generation (402)',
    },
    {
      what: 'the start is refused by moderation, whose body has an id too',
      start: json(403, { id: 'not-a-generation', name: 'content_moderation', errors: ['Your request was flagged.'] }),
      code: 'provider_rejected',
      message: FAILED,
      said: 'Your request was flagged.',
    },
    {
      what: 'the start calls an error page JSON',
      start: labelledJson(500),
      code: 'provider_failed',
      message: 'Failed to start video generation (500)',
    },
    {
      what: 'the result calls an error page JSON',
      result: labelledJson(501),
      code: 'provider_failed',
      message: 'Failed to check video status (501)',
    },
    { what: 'the start has no id', start: json(200, {}), code: 'provider_failed', message: FAILED },
    { what: 'the start hangs up', start: (response) => response.destroy(), code: 'provider_failed', message: FAILED },
    {
      what: 'the result is gone',
      result: json(404, { errors: ['not found'] }),
      code: 'provider_not_found',
      message: 'Video generation not found or expired',
    },
    {
      what: 'the result answers 500 again and again',
      result: json(500, {}),
      code: 'provider_failed',
      message: 'Failed to check video status (500)',
    },
    { what: 'it never ends', result: json(202, {}), code: 'provider_timeout', message: TIMED_OUT },
    {
      what: 'the video was filtered',
      result: (response) =>
        void response.writeHead(200, { 'content-type': 'video/mp4', 'finish-reason': 'CONTENT_FILTERED' }).end(clip),
      code: 'provider_rejected',
      message: FAILED,
    },
    {
      what: 'the filtered video comes as base64',
      result: json(200, { video: 'AAAA', finish_reason: 'CONTENT_FILTERED' }),
      code: 'provider_rejected',
      message: FAILED,
    },
    {
      what: 'the answer has no video',
      result: json(200, { finish_reason: 'SUCCESS' }),
      code: 'result_missing',
      message: FAILED,
    },
    { what: 'the video is none', result: json(200, { video: 'AAAA' }), code: 'result_invalid', message: FAILED },
    {
      what: 'the answer leads elsewhere',
      result: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      code: 'provider_failed',
      message: FAILED,
    },
  ])('when $what, all 5 credits come back', async ({ start, result, code, message, said }) => {
    answerStart = start;
    answerResult = result;
    const user = await makeUser(app, { credits: 5 });
    const done = await waitForEnd(user, (await makeGeneration(user, request)).id, 30_000);
    expect(done).toMatchObject({ status: 'failed', refunded: true, error: { code, message } });
    expect(await user.credits()).toBe(5);
    expect(started).toHaveLength(1);
    if (said !== undefined) expect(app.logged.filter((line) => line.includes(said))).toHaveLength(1);
  });
});
