import { randomUUID } from 'node:crypto';
import type { TestUser } from '../test/makers.ts';
import type { Random } from './random.ts';

const METHODS = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT QUERY get M-SEARCH'.split(' ');

/** Values that do not belong in a path, a name or a field. */
const ODD = [
  ...'%00 % %zz ..%2f..%2fetc%2fpasswd ../../etc/passwd \u00ff\u00fe __proto__ constructor'.split(' '),
  ...'-1 1e309 NaN null [] {} true %F0%9F%92%A9 \\u0000 ; ? # // gen_'.split(' '),
  "' or 1=1 --",
  'a'.repeat(5000),
];

const VALUES: unknown[] = [
  ...[null, true, -1, 1e308, 0.1, '', 'a', '\u0000', '\ud800', [], {}, [[[]]], { a: 1 }, { toString: 1 }],
  'x'.repeat(70_000),
  JSON.parse('{"__proto__":{"admin":true}}'),
  Array.from({ length: 3000 }, () => 0),
];

const HEADERS = [
  ...`content-type: application/json
content-type: text/plain
content-type: multipart/form-data
content-type: multipart/form-data; boundary=
content-length: -1
content-length: 99999999999
transfer-encoding: chunked
transfer-encoding: gzip, chunked
expect: 100-continue
expect: nonsense
upgrade: websocket
connection: upgrade
content-encoding: gzip
range: bytes=9-1
host: evil.example
host:
origin: null
sec-fetch-site: cross-site
accept: \u00ff
cookie: session=
cookie: session=a; session=b
if-none-match: *
idempotency-key:
last-event-id: -1
last-event-id: 99999999999999999999
via: 1.1 x
authorization: Bearer plk_x
authorization: Basic !!!
x-forwarded-for: 1.2.3.4, 5
te: trailers
traceparent: 00-zz`.split('\n'),
  `idempotency-key: ${'k'.repeat(300)}`,
  `content-type: multipart/form-data; boundary=${'b'.repeat(300)}`,
  `x: ${'y'.repeat(20_000)}`,
];

/** Valid requests of every kind: JSON, forms, signatures, ranges, streams. */
export function makeRequests(user: TestUser): Buffer[] {
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
  const reads = [
    ...['session', 'credits', `credits/history?limit=5&cursor=${cursor}`, 'generations?status=failed', 'tools'],
    ...[
      'media?limit=2',
      'media/med_x',
      'media/med_x/preview?width=320',
      'purchases/pur_x/receipt.pdf',
      'auth/sessions',
    ],
  ].map((path) => `${head(`GET /api/v1/${path}`)}\r\n\r\n`);
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

/** Mixes requests: another request's body, another method, an odd path, or an odd value in its JSON. */
export function mixParts(random: Random, requests: Buffer[]): Buffer {
  const [headText = '', ...rest] = random.pick(requests).toString('latin1').split('\r\n\r\n');
  const lines = headText.split('\r\n');
  let body = rest.join('\r\n\r\n');
  if (random.below(3) === 0)
    body = random.pick(requests).toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n');
  if (random.below(3) === 0) body = replaceValue(random, body);
  const [method = '', path = ''] = (lines[0] ?? '').split(' ');
  const parts = path.split(/(?=[/?&=])/);
  if (random.below(2) === 0)
    parts[random.below(parts.length)] = `${random.pick(['/', '', '?', '&'])}${random.pick(ODD)}`;
  lines[0] = `${random.below(3) === 0 ? random.pick(METHODS) : method} ${parts.join('')} HTTP/${random.pick(['1.1', '1.1', '1.1', '1.0', '2.0'])}`;
  const at = 1 + random.below(lines.length);
  if (random.below(2) === 0) lines.splice(at, random.below(2), random.pick(HEADERS));
  const isMeasured = random.below(4) > 0;
  const measured = lines.map((line) =>
    isMeasured && line.startsWith('content-length') ? `content-length: ${Buffer.byteLength(body, 'latin1')}` : line,
  );
  return Buffer.from(`${measured.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

function replaceValue(random: Random, body: string): string {
  try {
    const read = JSON.parse(body) as Record<string, unknown>;
    const names = Object.keys(read);
    read[random.below(3) === 0 ? random.pick(ODD) : (names[random.below(names.length)] ?? 'a')] = random.pick(VALUES);
    return JSON.stringify(read);
  } catch {
    return random.pick([...'{["\u0000', 'null', body + body, '['.repeat(20_000), `{"a":${'1'.repeat(30_000)}}`]);
  }
}
