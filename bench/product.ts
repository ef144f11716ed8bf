import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, expectStatus, mapConcurrently } from './http-load.ts';
import { measureResident } from './memory.ts';

/** The product as users start it: a process with its own data folder. */

export type Product = {
  url: string;
  dataDir: string;
  pid: () => number;
  /** Resident bytes of its own process, without database and engine. */
  resident: () => number;
  /** Milliseconds of each part of each generation, in order; the log lines do not name the generation. */
  made: readonly Record<string, number>[];
  /** Ends it with this signal and restarts it on the same data. */
  restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  stop: () => Promise<void>;
};

/** Secret of sandbox webhooks, new for each run. */
export const WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('base64')}`;
export const SIGNUP_CREDITS = 1000;

/** The arguments of scripts/start.mjs. */
const MAIN = resolve(import.meta.dirname, '..', 'server', 'src', 'main.ts');
const PROGRAM = ['--max-semi-space-size=4', '--heap-growing-percent=200', MAIN];
const START_MS = 60_000;
const STOP_MS = 12_000;
const running = new Set<Product>();

/** Starts the product with its own Postgres, and its engine unless `settings` name another provider. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
  const dataDir = join(folder, 'data');
  // Neither the caller's environment nor the repository's .env file applies.
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    AUTH_EMAIL_SIGNUP: 'true',
    SIGNUP_CREDITS: String(SIGNUP_CREDITS),
    RATE_LIMIT_SCALE: '10000',
    MAX_INFLIGHT_PER_USER: '100000',
    SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...settings,
  };
  const made: Record<string, number>[] = [];
  const launch = () => {
    const launched = spawn(process.execPath, PROGRAM, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    createInterface({ input: launched.stderr ?? process.stdin }).on('line', (line) => {
      if (line.includes('"event":"generation_made"')) made.push(readParts(line));
      else if (!line.includes('"level":30') && !line.includes('"event":"task_ended"')) console.error(line);
    });
    return launched;
  };
  let child = launch();
  const product: Product = {
    url: '',
    dataDir,
    made,
    pid: () => child.pid ?? 0,
    resident: () => measureResident(child.pid ?? 0),
    restart: async (signal) => {
      await endProcess(child, signal);
      // The same port, so that clients can retry.
      env.PORT = new URL(product.url).port;
      child = launch();
      await readPort(child);
    },
    stop: async () => {
      await endProcess(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      running.delete(product);
    },
  };
  running.add(product);
  product.url = `http://127.0.0.1:${await readPort(child)}`;
  return product;
}

function readParts(line: string): Record<string, number> {
  const parts = Object.entries(JSON.parse(line) as object).filter(([name]) => name.endsWith('Ms'));
  return Object.fromEntries(parts);
}

/** Stops all running products and removes their folders. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((product) => product.stop()));
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('the product has no output'));
    const limit = setTimeout(() => reject(new Error(`the product did not start in ${START_MS} ms`)), START_MS);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"event":"listening"')) return;
      clearTimeout(limit);
      resolve((JSON.parse(line) as { port: number }).port);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      reject(new Error(`the product ended with code ${code}`));
    });
  });
}

async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
  child.kill(signal);
  if (await Promise.race([gone, sleep(STOP_MS, false, { ref: false })])) return;
  child.kill('SIGKILL');
  await gone;
}

/** A signed-in user. */
export type Person = { id: string; cookie: string };

/** Signs up new users, four at a time, because hashing a password takes a core and 19 MiB. */
export function signUp(ask: Ask, product: Product, count: number): Promise<Person[]> {
  return mapConcurrently(new Array<undefined>(count).fill(undefined), 4, async () => {
    const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: randomUUID() });
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(`${product.url}/api/v1/auth/sign-up`, { method: 'POST', headers, body });
    expectStatus(answer, 201, 'the sign-up');
    const cookie = (answer.headers['set-cookie'] ?? []).find((one) => /^(__Host-)?session=/.test(one));
    if (cookie === undefined) throw new Error('the sign-up set no session cookie');
    const { user } = JSON.parse(answer.text) as { user: { id: string } };
    return { id: user.id, cookie: cookie.split(';')[0] ?? '' };
  });
}
