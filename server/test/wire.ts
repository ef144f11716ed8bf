import { readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ErrorCode, errors } from '@plinth/contract/errors';
import type { Problem } from '@plinth/contract/openapi';
import { expect } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { Clock } from '../src/platform/clock.ts';
import type { TestApp } from './app.ts';

/** Helpers on the wire: problem documents, raw sockets, event streams, and a manual clock. */

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

/** Checks that the response is the problem document of this code in every member, and returns it. */
export async function expectProblem(
  response: Response,
  code: ErrorCode,
  detail: string = errors[code].detail,
): Promise<Problem> {
  const text = await response.text();
  expect(response.headers.get('content-type'), text).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
  const problem = JSON.parse(text) as Problem;
  const { status } = errors[code];
  const { fields, ...rest } = problem;
  expect(rest).toEqual({
    type: 'about:blank',
    title: TITLES[status],
    status,
    code,
    detail,
    requestId: response.headers.get('x-request-id'),
  });
  expect(problem.requestId).toMatch(/^req_[\w-]{20,}$/);
  expect(response.status).toBe(status);
  for (const field of fields ?? []) expect(Object.keys(field).sort()).toEqual(['code', 'detail', 'field']);
  if (fields !== undefined) expect(fields[0]).toMatchObject({ code, detail });
  return problem;
}

type RawAnswer = { status: number; headers: Map<string, string>; body: string };

/** Bytes to send, or an action before the next ones. */
type Piece = string | Buffer | (() => Promise<void>);

/** Sends the pieces one after the other and reads one whole response. */
export function sendRaw(app: Pick<TestApp, 'url'>, pieces: Piece[], isHead = false): Promise<RawAnswer> {
  const socket = openSocket(app);
  return new Promise<RawAnswer>((resolve, reject) => {
    let received = Buffer.alloc(0);
    const finish = (answer: RawAnswer | undefined) => {
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      finish(readAnswer(received, isHead));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.byteLength} bytes: ${received.toString()}`)));
    void writeAll(socket, pieces);
  });
}

/** Sends all pieces before it reads the response, to the end of the connection. */
export async function sendThenRead(app: Pick<TestApp, 'url'>, pieces: (string | Buffer)[]): Promise<string> {
  const socket = openSocket(app).pause();
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => socket.write(piece, (error) => (error ? reject(error) : resolve())));
  }
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += String(chunk);
  return text;
}

export function openSocket(app: Pick<TestApp, 'url'>): Socket {
  return connect(Number(new URL(app.url).port), '127.0.0.1');
}

async function writeAll(socket: Socket, pieces: Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (typeof piece === 'function') await piece();
    else await new Promise((resolve) => socket.write(piece, resolve));
  }
}

function readAnswer(received: Buffer, isHead: boolean): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  const status = Number(line.split(' ')[1]);
  if (status === 100) return readAnswer(received.subarray(end + 4), isHead);
  const rest = received.subarray(end + 4);
  if (isHead || status === 204) return { status, headers, body: rest.toString() };
  if (headers.get('transfer-encoding') === 'chunked') {
    if (!rest.toString('latin1').endsWith('0\r\n\r\n')) return undefined;
    return { status, headers, body: rest.toString().replace(/(^|\r\n)[0-9a-f]+\r\n/gi, '') };
  }
  if (rest.byteLength < Number(headers.get('content-length') ?? 0)) return undefined;
  return { status, headers, body: rest.toString() };
}

type ReceivedEvent = { id: string; name: string; body: Record<string, unknown> };

export type Listener = {
  response: Response;
  events: ReceivedEvent[];
  comments: string[];
  /** Everything received, as text. */
  text: () => string;
  isClosed: () => boolean;
  /** Waits for the first matching event of this name. */
  waitForEvent: (
    name: string,
    fits?: (body: Record<string, unknown>) => boolean,
    timeoutMs?: number,
  ) => Promise<ReceivedEvent>;
  close: () => void;
};

/** Opens the caller's event stream and records it. */
export async function listen(
  app: Pick<TestApp, 'url'>,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<Listener> {
  const abort = new AbortController();
  const response = await fetch(`${app.url}/api/v1/events`, {
    headers: { cookie, accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  let text = '';
  let rest = '';
  let isClosed = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const more = decoder.decode(chunk, { stream: true });
      text += more;
      rest += more;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) keep(block, events, comments);
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (isClosed = true));
  const waitForEvent: Listener['waitForEvent'] = async (name, fits = () => true, timeoutMs = 10_000) => {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const found = events.find((event) => event.name === name && fits(event.body));
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(`no ${name} in ${JSON.stringify(events)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    response,
    events,
    comments,
    text: () => text,
    isClosed: () => isClosed,
    waitForEvent,
    close: () => abort.abort(),
  };
}

function keep(block: string, events: ReceivedEvent[], comments: string[]): void {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) comments.push(line.slice(1).trim());
    else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  }
  const name = fields.get('event');
  const body = JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>;
  if (name !== undefined) events.push({ id: fields.get('id') ?? '', name, body });
}

/** A clock set by the test, independent of real time. */
export type ManualClock = Clock & { move: (seconds: number) => void };

export function makeManualClock(): ManualClock {
  let aheadMs = 0;
  return { now: () => new Date(Date.now() + aheadMs), move: (seconds) => void (aheadMs += seconds * 1000) };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Paths of all files below a folder, sorted, without secrets. */
export function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(secrets|plinth-installation)/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // The list of deleted ids belongs to no user.
      .filter((path) => !path.includes('/deletions/'))
      .sort()
  );
}

/** The response to a refused request, without the parts that differ each time. */
export async function describeAnswer(response: Response): Promise<object> {
  const text = (await response.text()).replace(/req_[\w-]+/g, 'req');
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status: response.status, headers, text };
}

/** A proxy in front of a TCP server. Closed, it accepts no connection; frozen, it accepts all and forwards nothing. */
export async function startProxy(
  target: URL,
): Promise<{ port: number; shut: () => void; freeze: () => void; reopen: () => void; close: () => void }> {
  const open = new Set<Socket>();
  let isShut = false;
  let isFrozen = false;
  const server = createServer((inner) => {
    if (isShut) return void inner.destroy();
    if (isFrozen) return void open.add(inner.on('error', () => undefined));
    const outer = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined).on('close', () => (open.delete(one), other.destroy()));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    isShut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    shut,
    freeze: () => {
      isFrozen = true;
      for (const socket of open) socket.unpipe();
    },
    // A frozen connection is closed: it would resume in the middle of a response that nobody awaits.
    reopen: () => {
      if (isFrozen) for (const socket of open) socket.destroy();
      isShut = isFrozen = false;
    },
    close: () => (shut(), void server.close()),
  };
}

/** The files of a ZIP, by name. */
export async function unzip(answer: Response): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(await answer.arrayBuffer()));
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
