import { createFalClient, type ApiError } from '@fal-ai/client';
import { decode, encode } from '@msgpack/msgpack';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  KEY,
  makeClient,
  readProduct,
  REMOVE,
  removeFolder,
  startEngine,
  toDataUrl,
  waitFor,
} from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';

/** The unmodified client's realtime connection; only the address that it opens is rewritten. */

type Answer = {
  request_id: string;
  image: { url: string; width: number };
};

let engine: Engine;
let mug: string;
const RealWebSocket = globalThis.WebSocket;

beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1', ENGINE_REALTIME_IDLE_SECONDS: '2' });
  mug = toDataUrl(
    await sharp(await readProduct('mug'))
      .resize(300)
      .jpeg()
      .toBuffer(),
  );
  const here = `${engine.base.replace('http', 'ws')}/run/`;
  globalThis.WebSocket = class extends RealWebSocket {
    constructor(url: string | URL) {
      super(String(url).replace('wss://fal.run/', here));
    }
  };
});

afterAll(async () => {
  globalThis.WebSocket = RealWebSocket;
  await engine.stop();
  await removeFolder(engine);
});

async function takeToken(apps: unknown = ['bria'], seconds: unknown = 120): Promise<Response> {
  return engine.call('POST', '/rest/tokens/', { body: { allowed_apps: apps, token_expiration: seconds } });
}

/** Opens a connection of our own, for frames that the client would never send. */
function open(path: string): { socket: WebSocket; frames: unknown[]; closed: Promise<number> } {
  const socket = new RealWebSocket(`${engine.base.replace('http', 'ws')}${path}`);
  socket.binaryType = 'arraybuffer';
  const frames: unknown[] = [];
  socket.onmessage = (message: { data: unknown }) =>
    frames.push(typeof message.data === 'string' ? JSON.parse(message.data) : decode(message.data as ArrayBuffer));
  const closed = new Promise<number>((resolve) => {
    socket.onclose = (event) => resolve(event.code);
  });
  return { socket, frames, closed };
}

async function openAllowed(query = ''): Promise<ReturnType<typeof open>> {
  const token = (await (await takeToken()).json()) as string;
  const connection = open(`/run/${REMOVE}/realtime?fal_jwt_token=${token}${query}`);
  await waitFor(async () => connection.socket.readyState === WebSocket.OPEN);
  return connection;
}

describe('the realtime connection of the unmodified client', () => {
  it.each([
    ['msgpack, token of the default provider', {}],
    ['JSON text', { encodeMessage: (input: unknown) => JSON.stringify(input) }],
  ])('answers requests in %s', async (_, options) => {
    const answers: Answer[] = [];
    const errors: ApiError<unknown>[] = [];
    const connection = engine.fal.realtime.connect<Record<string, unknown>, Answer>(REMOVE, {
      ...options,
      maxBuffering: 4,
      onResult: (answer) => answers.push(answer),
      onError: (error) => errors.push(error),
    });
    connection.send({ image_url: mug, request_id: 'first' });
    await waitFor(async () => answers.length === 1);
    connection.send({ image_url: mug, request_id: 'second' });
    await waitFor(async () => answers.length === 2);
    expect(answers.map(({ request_id }) => request_id)).toEqual(['first', 'second']);
    expect(answers[0]?.image.width).toBe(300);
    expect((await fetch(answers[1]?.image.url ?? '')).status).toBe(200);
    expect(errors).toEqual([]);
    connection.close();
  });

  it('takes a token of the application itself and tells a refused picture as an error', async () => {
    const bare = createFalClient({ credentials: 'none' });
    const errors: ApiError<unknown>[] = [];
    const connection = bare.realtime.connect(REMOVE, {
      tokenProvider: async () => (await (await takeToken()).json()) as string,
      onResult: () => undefined,
      onError: (error: ApiError<unknown>) => errors.push(error),
    });
    connection.send({ image_url: 'nowhere' });
    await waitFor(async () => errors.length === 1);
    expect(errors[0]?.message).toMatch(/^file_download_error: The picture could not be read/);
    expect(errors[0]?.body).toMatchObject({ detail: [{ loc: ['body', 'image_url'] }] });
    connection.close();
  });

  it('asks for a new token when its old one is not taken', async () => {
    const tokens = ['forged', (await (await takeToken()).json()) as string];
    const answers: Answer[] = [];
    const connection = makeClient(engine.base).realtime.connect<Record<string, unknown>, Answer>(REMOVE, {
      tokenProvider: async () => tokens.shift() ?? '',
      onResult: (answer) => answers.push(answer),
      onError: () => undefined,
    });
    connection.send({ image_url: mug });
    await waitFor(async () => tokens.length === 1);
    await waitFor(async () => {
      connection.send({ image_url: mug });
      await new Promise((resolve) => setTimeout(resolve, 150)); // the client sends at most every 128 ms
      return answers.length > 0;
    });
    expect(tokens).toEqual([]);
    connection.close();
  });
});

describe('who may connect', () => {
  it.each([
    ['no token', ''],
    ['a token of its own making', '?fal_jwt_token=a.b.c'],
    ['a token that is none', '?fal_jwt_token=%00'],
  ])('turns away %s with the frame that the client knows', async (_, query) => {
    const { frames, closed } = open(`/run/${REMOVE}/realtime${query}`);
    expect(await closed).toBe(1008);
    expect(frames).toEqual([{ status: 'error', error: 'Unauthorized' }]);
  });

  it('turns away a token of another app and one that has ended', async () => {
    const other = (await (await takeToken(['fashn'])).json()) as string;
    const short = (await (await takeToken(['bria'], 1)).json()) as string;
    const tryToken = (token: string) => open(`/run/${REMOVE}/realtime?fal_jwt_token=${token}`).closed;
    expect(await tryToken(other)).toBe(1008);
    await waitFor(async () => {
      const { socket, closed } = open(`/run/${REMOVE}/realtime?fal_jwt_token=${short}`);
      await waitFor(async () => socket.readyState !== WebSocket.CONNECTING);
      socket.close();
      return (await closed) === 1008;
    }, 5000);
  });

  it('does not take a token in place of the key elsewhere', async () => {
    const token = (await (await takeToken()).json()) as string;
    for (const path of [`/queue/${REMOVE}`, `/run/${REMOVE}`, '/rest/tokens/', '/rest/storage/upload/initiate']) {
      const response = await engine.call('POST', `${path}?fal_jwt_token=${token}`, { key: null, body: {} });
      expect(response.status).toBe(401);
    }
  });

  it.each([
    ['no apps', [[], 120], 'allowed_apps'],
    ['apps that are no aliases', [['a/b'], 120], 'allowed_apps'],
    ['no list', ['bria', 120], 'allowed_apps'],
    ['no end', [['bria'], null], 'token_expiration'],
    ['an end in years', [['bria'], 99_999_999], 'token_expiration'],
  ] as const)('gives no token for %s', async (_, [apps, seconds], field) => {
    const response = await takeToken(apps, seconds);
    expect([response.status, await response.json()]).toMatchObject([422, { detail: [{ loc: ['body', field] }] }]);
  });

  it.each([
    ['an unknown app', '/run/fal-ai/none/realtime'],
    ['a buffer of 61 frames', `/run/${REMOVE}/realtime?max_buffering=61`],
    ['a buffer of no frames', `/run/${REMOVE}/realtime?max_buffering=0`],
    ['another path', '/queue/fal-ai/bria/realtime'],
  ])('refuses %s', async (_, path) => {
    expect(await open(path).closed).toBe(1006);
  });

  it('lets a server connect with the key itself', async () => {
    const { WebSocket: Peer } = await import('ws');
    const peer = new Peer(`${engine.base.replace('http', 'ws')}/run/${REMOVE}/realtime`, {
      headers: { authorization: `Key ${KEY}` },
    });
    const answer = new Promise<string>((resolve) => peer.once('message', (data: Buffer) => resolve(data.toString())));
    peer.once('open', () => peer.send(JSON.stringify({ image_url: mug })));
    expect(JSON.parse(await answer)).toMatchObject({ image: { width: 300 } });
    peer.terminate();
  });
});

describe('odd frames', () => {
  it.each([
    ['text that is no JSON', '{'],
    ['a list', '[1]'],
    ['bytes that are no msgpack', new Uint8Array([0xc1])],
    ['an array that announces four billion entries', new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff])],
    ['a number', encode(7)],
  ])('answers %s with an error and goes on', async (_, frame) => {
    const { socket, frames } = await openAllowed();
    socket.send(frame);
    await waitFor(async () => frames.length === 1);
    expect(frames[0]).toMatchObject({ type: 'x-fal-error', error: 'BAD_REQUEST' });
    socket.send(encode({ image_url: 7, extra: { a: [[[[]]]] } }));
    await waitFor(async () => frames.length === 2);
    expect(frames[1]).toMatchObject({ type: 'x-fal-error', error: 'string_type' });
    socket.close();
  });

  it('closes on a frame beyond all sense', async () => {
    const { socket, closed } = await openAllowed();
    socket.send(new Uint8Array(58_000_000));
    expect([1006, 1009]).toContain(await closed);
  });

  it('drops the oldest frames when more wait than were asked for', async () => {
    const { socket, frames } = await openAllowed('&max_buffering=1');
    for (let n = 0; n < 6; n += 1) socket.send(JSON.stringify({ image_url: mug, request_id: String(n) }));
    await waitFor(async () => frames.length === 2);
    expect(frames.map((frame) => (frame as Answer).request_id)).toEqual(['0', '5']);
    socket.close();
  });

  it('says so and closes when nothing comes for a while', async () => {
    const { frames, closed } = await openAllowed();
    expect(await closed).toBe(1000);
    expect(frames).toMatchObject([{ type: 'x-fal-error', error: 'TIMEOUT' }]);
  });

  it('cancels the job of a connection that goes', async () => {
    const { socket } = await openAllowed();
    socket.send(JSON.stringify({ image_url: mug }));
    const { request_id: requestId } = await waitFor(async () => {
      const submitted = await engine.fal.queue.submit(REMOVE, { input: { image_url: mug } });
      return (
        (await engine.fal.queue.status(REMOVE, { requestId: submitted.request_id })).status === 'IN_QUEUE' && submitted
      );
    });
    socket.close();
    await waitFor(async () => (await engine.fal.queue.status(REMOVE, { requestId })).status !== 'IN_QUEUE', 2000);
  });
});
