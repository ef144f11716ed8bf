import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { TestUser } from '../test/makers.ts';
import type { Product } from '../test/product.ts';
import { makeHostileFiles, makeValidPictures } from './hostile-pictures.ts';
import { breakBytes, type Random } from './random.ts';
import { makeRequests, mixParts } from './hostile-requests.ts';

/** Sends corrupt pictures and requests to the running product: no internal error, no missing response, no crash. */

export type Target = { product: Product; user: () => Promise<TestUser> };

/** Settings under which only the corrupt input itself is refused. */
export const HOSTILE_SETTINGS = {
  AUTH_EMAIL_SIGNUP: 'true',
  RATE_LIMIT_SCALE: '100000',
  MAX_INFLIGHT_PER_USER: '100000',
  PROVIDER_POLL_SCALE: '0.02',
  LOG_LEVEL: 'error',
};

type Answer = { status: number | undefined; ms: number };

/** Longest response time to a corrupt picture, beside others and on a busy machine. */
const PICTURE_MS = 20_000;
/** How long the server may stay silent about an incomplete request before the client hangs up. */
const SILENCE_MS = 400;
const REQUEST_MS = 10_000;
const MAX_MEGABYTES = 900;

export async function sendHostileFiles(target: Target): Promise<string[]> {
  const faults: string[] = [];
  const user = await target.user();
  for (const { what, bytes, type } of await makeHostileFiles()) {
    for (const declared of new Set([type, 'image/png', 'image/jpeg']))
      faults.push(...judge(`${what} as ${declared}`, await upload(user, bytes, declared), PICTURE_MS));
  }
  return [...faults, ...findDamage(target)];
}

/** Sends `count` pictures, each corrupted in its own way. */
export async function sendBrokenPictures(target: Target, random: Random, count: number): Promise<string[]> {
  const valid = await makeValidPictures();
  const pieces = valid.map(({ bytes }) => bytes);
  const user = await target.user();
  const faults = await inParallel(count, 4, async (at) => {
    const { what, bytes, type } = random.pick(valid);
    const answer = await upload(user, breakBytes(random, bytes, pieces), random.below(10) === 0 ? 'image/png' : type);
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

/** Sends `count` requests with corrupt bytes or mismatched parts. */
export async function sendBrokenRequests(target: Target, random: Random, count: number): Promise<string[]> {
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
        const whole = random.pick(requests);
        const bytes = random.below(2) === 0 ? breakBytes(random, whole, requests) : mixParts(random, requests);
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

/** Sends the bytes and reads the status; hangs up if the server waits for more. */
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

function judge(what: string, { status, ms }: Answer, maxMs: number): string[] {
  // No response is right for an incomplete request; "busy" is a response as well.
  const isFault = status !== undefined && status >= 500 && status !== 503;
  const faults = isFault ? [`${what}: answered ${status}`] : [];
  return ms > maxMs ? [...faults, `${what}: took ${Math.round(ms)} ms`] : faults;
}

/** Checks the process itself: exits, memory, unexpected errors in its log. */
function findDamage({ product }: Target): string[] {
  const { pid, exitCode, signalCode } = product.child;
  if (exitCode !== null || signalCode !== null) return [`the process ended: ${product.written().slice(-500)}`];
  const unexpected = product
    .written()
    .split('\n')
    .filter((line) => line.includes('"unexpected error"'));
  const most = Number(/VmHWM:\s+(\d+) kB/.exec(readStatus(pid))?.[1] ?? 0) / 1024;
  const faults = unexpected.slice(0, 5).map((line) => `logged: ${line}`);
  return most > MAX_MEGABYTES ? [...faults, `the process held ${Math.round(most)} MB`] : faults;
}

/** Peak memory of the process; only Linux reports it. */
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
