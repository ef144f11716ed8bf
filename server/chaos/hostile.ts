import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { TestUser } from '../test/makers.ts';
import type { Product } from '../test/product.ts';
import { makeHostileFiles, makeValidPictures } from './hostile-pictures.ts';
import { breakBytes, type Chance } from './chance.ts';

/** Broken pictures and broken requests against the running product: no fault of ours, no silence, no end. */

export type Target = { product: Product; user: () => Promise<TestUser> };

/** Settings under which nothing but the broken thing itself is refused. */
export const HOSTILE_SETTINGS = {
  AUTH_EMAIL_SIGNUP: 'true',
  RATE_LIMIT_SCALE: '100000',
  MAX_INFLIGHT_PER_USER: '100000',
  PROVIDER_POLL_SCALE: '0.02',
  LOG_LEVEL: 'error',
};

type Answer = { status: number | undefined; ms: number };

/** Longer than any broken picture may keep its sender waiting, beside others and on a busy machine. */
const PICTURE_MS = 20_000;
/** How long the server may be silent about bytes that are no whole request, before the sender hangs up. */
const SILENCE_MS = 400;
const REQUEST_MS = 10_000;
const MOST_MEGABYTES = 900;

export async function sendHostileFiles(target: Target): Promise<string[]> {
  const faults: string[] = [];
  const user = await target.user();
  for (const { what, bytes, type } of await makeHostileFiles()) {
    for (const declared of new Set([type, 'image/png', 'image/jpeg']))
      faults.push(...judge(`${what} as ${declared}`, await upload(user, bytes, declared), PICTURE_MS));
  }
  return [...faults, ...findDamage(target)];
}

/** `count` pictures, each broken in its own way. */
export async function sendBrokenPictures(target: Target, chance: Chance, count: number): Promise<string[]> {
  const valid = await makeValidPictures();
  const pieces = valid.map(({ bytes }) => bytes);
  const user = await target.user();
  const faults = await inParallel(count, 4, async (at) => {
    const { what, bytes, type } = chance.pick(valid);
    const answer = await upload(user, breakBytes(chance, bytes, pieces), chance.below(10) === 0 ? 'image/png' : type);
    return judge(`broken picture ${at} (${what})`, answer, PICTURE_MS);
  });
  return [...faults, ...findDamage(target)];
}

async function upload(user: TestUser, bytes: Buffer, type: string): Promise<Answer> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)], { type }), 'photo');
  const start = performance.now();
  const answer = await user
    .fetch('/api/v1/tools/remover/generations', {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
      body: form,
      signal: AbortSignal.timeout(PICTURE_MS * 2),
    })
    .catch(() => undefined);
  await answer?.arrayBuffer();
  return { status: answer?.status, ms: performance.now() - start };
}

/** `count` requests whose bytes are broken, or whose parts do not belong together. */
export async function sendBrokenRequests(target: Target, chance: Chance, count: number): Promise<string[]> {
  let user = await target.user();
  let requests = makeRequests(user);
  const faults: string[] = [];
  const batch = 50;
  for (let sent = 0; sent < count; sent += batch) {
    // One of them may have signed out or changed the password.
    if ((await user.fetch('/api/v1/session')).status !== 200) {
      user = await target.user();
      requests = makeRequests(user);
    }
    faults.push(
      ...(await inParallel(Math.min(batch, count - sent), 10, async (at) => {
        const whole = chance.pick(requests);
        const bytes = chance.below(2) === 0 ? breakBytes(chance, whole, requests) : mixParts(chance, requests);
        const answer = await sendBytes(target.product, bytes);
        return judge(
          `broken request ${sent + at}: ${JSON.stringify(bytes.toString('latin1', 0, 300))}`,
          answer,
          REQUEST_MS,
        );
      })),
    );
  }
  return [...faults, ...findDamage(target)];
}

/** Whole requests of every shape: JSON, forms, signatures, ranges, streams. */
function makeRequests(user: TestUser): Buffer[] {
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'host: localhost', `cookie: ${user.cookie}`, ...more].join('\r\n');
  const json = (path: string, body: unknown, ...more: string[]) => {
    const text = JSON.stringify(body);
    const type = 'content-type: application/json';
    return `${head(`POST ${path}`, type, `content-length: ${Buffer.byteLength(text)}`, ...more)}\r\n\r\n${text}`;
  };
  const form = [
    '--x\r\ncontent-disposition: form-data; name="prompt"\r\n\r\non a wooden table\r\n',
    '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n\x89PNG\r\n\r\n--x--\r\n',
  ].join('');
  const multipart = (tool: string) =>
    `${head(
      `POST /api/v1/tools/${tool}/generations`,
      `idempotency-key: ${randomUUID()}`,
      'content-type: multipart/form-data; boundary=x',
      `content-length: ${Buffer.byteLength(form, 'latin1')}`,
    )}\r\n\r\n${form}`;
  const cursor = Buffer.from(JSON.stringify(['2026-03-04 08:00:00+00', 'gen_x'])).toString('base64url');
  const reads = ['session', 'credits', `credits/history?limit=5&cursor=${cursor}`, 'generations?status=failed', 'tools']
    .concat([
      'media?limit=2',
      'media/med_x',
      'media/med_x/preview?width=320',
      'purchases/pur_x/receipt.pdf',
      'auth/sessions',
    ])
    .map((path) => `${head(`GET /api/v1/${path}`)}\r\n\r\n`);
  return [
    ...reads,
    `${head('GET /api/v1/media/med_x/content', 'range: bytes=0-10', 'if-none-match: "x"')}\r\n\r\n`,
    `${head('GET /api/v1/events', 'last-event-id: 3')}\r\n\r\n`,
    `${head('HEAD /api/v1/media')}\r\n\r\n`,
    `${head('DELETE /api/v1/media/med_x')}\r\n\r\n`,
    `${head('GET /auth/google/callback?code=x&state=y')}\r\n\r\n`,
    `${head('POST /api/v1/auth/refresh', 'content-length: 0')}\r\n\r\n`,
    json('/api/v1/auth/sign-in', { email: 'ann@example.com', password: 'guessed' }),
    json('/api/v1/auth/sign-up', { email: `${randomUUID()}@example.com`, password: 's3cret-enough' }),
    json('/api/v1/auth/password', { newPassword: 'a', confirmPassword: 'b' }),
    json('/api/v1/purchases', { package: 'standard' }, `idempotency-key: ${randomUUID()}`),
    json('/api/v1/generations/gen_x/redo', { prompt: 'x', marks: { box: [0.1, 0.1, 0.9, 0.9] } }, 'idempotency-key: k'),
    json('/api/v1/generations/gen_x/return', { reason: 'edges' }),
    json(
      '/webhooks/sandbox',
      { type: 'payment.succeeded' },
      'webhook-id: m',
      'webhook-timestamp: 1',
      'webhook-signature: v1,x',
    ),
    multipart('remover'),
    multipart('text-to-image'),
  ].map((text) => Buffer.from(text, 'latin1'));
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
  'get',
  'M-SEARCH',
];
const ODD = [
  '%00',
  '%',
  '%zz',
  '..%2f..%2fetc%2fpasswd',
  '../../etc/passwd',
  "' or 1=1 --",
  '\u00ff\u00fe',
  '__proto__',
  'constructor',
].concat([
  '-1',
  '1e309',
  'NaN',
  'null',
  '[]',
  '{}',
  'true',
  'a'.repeat(5000),
  '%F0%9F%92%A9',
  '\\u0000',
  ';',
  '?',
  '#',
  '//',
  'gen_',
]);
const VALUES: unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.1,
  '',
  'a',
  '\u0000',
  '\ud800',
  [],
  {},
  [[[]]],
  { a: 1 },
  'x'.repeat(70_000),
];
VALUES.push(
  JSON.parse('{"__proto__":{"admin":true}}'),
  Array.from({ length: 3000 }, () => 0),
  { toString: 1 },
);

/** Head of one request, body of another, another method, an odd path, an odd value in its JSON. */
function mixParts(chance: Chance, requests: Buffer[]): Buffer {
  const [headText = '', ...rest] = chance.pick(requests).toString('latin1').split('\r\n\r\n');
  const lines = headText.split('\r\n');
  let body = rest.join('\r\n\r\n');
  if (chance.below(3) === 0)
    body = chance.pick(requests).toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n');
  if (chance.below(3) === 0) body = replaceValue(chance, body);
  const [method = '', path = ''] = (lines[0] ?? '').split(' ');
  const parts = path.split(/(?=[/?&=])/);
  if (chance.below(2) === 0)
    parts[chance.below(parts.length)] = `${chance.pick(['/', '', '?', '&'])}${chance.pick(ODD)}`;
  lines[0] = `${chance.below(3) === 0 ? chance.pick(METHODS) : method} ${parts.join('')} HTTP/${chance.pick(['1.1', '1.1', '1.1', '1.0', '2.0'])}`;
  const at = 1 + chance.below(lines.length);
  if (chance.below(2) === 0) lines.splice(at, chance.below(2), chance.pick(HEADERS));
  const isMeasured = chance.below(4) > 0;
  const measured = lines.map((line) =>
    isMeasured && line.startsWith('content-length') ? `content-length: ${Buffer.byteLength(body, 'latin1')}` : line,
  );
  return Buffer.from(`${measured.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

const HEADERS = [
  'content-type: application/json',
  'content-type: text/plain',
  'content-type: multipart/form-data',
  'content-length: -1',
]
  .concat([
    'content-length: 99999999999',
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'expect: 100-continue',
  ])
  .concat([
    'expect: nonsense',
    'upgrade: websocket',
    'connection: upgrade',
    'content-encoding: gzip',
    'range: bytes=9-1',
    'host: evil.example',
  ])
  .concat([
    'origin: null',
    'sec-fetch-site: cross-site',
    'accept: \u00ff',
    'cookie: session=',
    'cookie: session=a; session=b',
    'if-none-match: *',
  ])
  .concat([
    'idempotency-key:',
    `idempotency-key: ${'k'.repeat(300)}`,
    'last-event-id: -1',
    'last-event-id: 99999999999999999999',
    'via: 1.1 x',
  ])
  .concat([
    'content-type: multipart/form-data; boundary=',
    `content-type: multipart/form-data; boundary=${'b'.repeat(300)}`,
    `x: ${'y'.repeat(20_000)}`,
  ])
  .concat([
    'authorization: Bearer plk_x',
    'authorization: Basic !!!',
    'x-forwarded-for: 1.2.3.4, 5',
    'host:',
    'te: trailers',
    'traceparent: 00-zz',
  ]);

function replaceValue(chance: Chance, body: string): string {
  try {
    const read = JSON.parse(body) as Record<string, unknown>;
    const names = Object.keys(read);
    read[chance.below(3) === 0 ? chance.pick(ODD) : (names[chance.below(names.length)] ?? 'a')] = chance.pick(VALUES);
    return JSON.stringify(read);
  } catch {
    return chance.pick([
      '{',
      '[',
      '"',
      '\u0000',
      body + body,
      `${'['.repeat(20_000)}`,
      'null',
      `{"a":${'1'.repeat(30_000)}}`,
    ]);
  }
}

/** Sends the bytes and reads the status; hangs up when the server waits for more. */
function sendBytes({ url }: Product, bytes: Buffer): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    const finish = () => {
      clearTimeout(limit);
      socket.destroy();
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, ''))?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), ms: performance.now() - start });
    };
    const limit = setTimeout(finish, REQUEST_MS * 2);
    socket.setTimeout(SILENCE_MS, () => socket.end());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (/^HTTP\/1\.[01] (?!100)/.test(received)) finish();
    });
    socket.on('error', finish).on('close', finish);
    socket.write(bytes);
  });
}

function judge(what: string, { status, ms }: Answer, mostMs: number): string[] {
  // Silence is right where the bytes were no whole request; busy is an answer, too.
  const isFault = status !== undefined && status >= 500 && status !== 503;
  const faults = isFault ? [`${what}: answered ${status}`] : [];
  return ms > mostMs ? [...faults, `${what}: took ${Math.round(ms)} ms`] : faults;
}

/** What the process itself says: dead, too large, an error that nobody expected. */
function findDamage({ product }: Target): string[] {
  const { pid, exitCode, signalCode } = product.child;
  if (exitCode !== null || signalCode !== null) return [`the process ended: ${product.written().slice(-500)}`];
  const unexpected = product
    .written()
    .split('\n')
    .filter((line) => line.includes('"unexpected error"'));
  const most = Number(/VmHWM:\s+(\d+) kB/.exec(readStatus(pid))?.[1] ?? 0) / 1024;
  const faults = unexpected.slice(0, 5).map((line) => `logged: ${line}`);
  return most > MOST_MEGABYTES ? [...faults, `the process held ${Math.round(most)} MB`] : faults;
}

/** Linux says how much a process held at most; elsewhere nobody does. */
function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

async function inParallel(count: number, width: number, work: (at: number) => Promise<string[]>): Promise<string[]> {
  const faults: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        next += 1;
        faults.push(...(await work(next - 1)));
      }
    }),
  );
  return faults;
}
