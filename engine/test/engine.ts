import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError, createFalClient, type FalClient } from '@fal-ai/client';

/** Starts the real engine program on a folder of its own and speaks to it with the unmodified client. */

const PREFIX: Record<string, string> = {
  'queue.fal.run': 'queue',
  'fal.run': 'run',
  'rest.fal.ai': 'rest',
  'rest.alpha.fal.ai': 'rest',
};
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
export const KEY = 'test-key';

export type Engine = {
  base: string;
  dataDir: string;
  child: ChildProcess;
  /** Everything it wrote to standard error since its start. */
  told: () => string;
  fal: FalClient;
  call: (method: string, path: string, options?: CallOptions) => Promise<Response>;
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
};

export type CallOptions = {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
};

export async function startEngine(env: Record<string, string> = {}, dataDir?: string): Promise<Engine> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'engine-test-')));
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ENGINE_DATA_DIR: folder,
      ENGINE_KEY: KEY,
      ENGINE_PORT: '0',
      ENGINE_STILL_SECONDS: '60', // test files run side by side: what is tested is not how busy the machine is
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const port = await readPort(child);
  const base = `http://127.0.0.1:${port}`;
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    base,
    dataDir: folder,
    child,
    told: () => told,
    fal: makeClient(base),
    call: (method, path, options) => call(base, method, path, options),
    stop: async () => {
      child.kill('SIGTERM');
      return gone;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

export async function removeFolder(engine: Engine): Promise<void> {
  await rm(engine.dataDir, { recursive: true, force: true });
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      const line = JSON.parse(chunk.toString()) as { event: string; port: number };
      if (line.event === 'listening') resolve(line.port);
    });
    child.once('exit', (code) => reject(new Error(`engine exited with ${code}: ${errors}`)));
  });
}

async function call(base: string, method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  const key = options.key === undefined ? KEY : options.key;
  if (key !== null) headers['authorization'] = `Key ${key}`;
  if (options.body === undefined) return fetch(`${base}${path}`, { method, headers });
  const isText = typeof options.body === 'string';
  const body = isText ? (options.body as string) : JSON.stringify(options.body);
  return fetch(`${base}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, body });
}

/** The client as published; its fetch finds the engine behind the provider's host names and no other host. */
export function makeClient(base: string, rename = (url: string) => url): FalClient {
  const falFetch = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const url = new URL(rename(input instanceof Request ? input.url : String(input)));
    const prefix = PREFIX[url.hostname];
    if (prefix) return fetch(`${base}/${prefix}${url.pathname}${url.search}`, init);
    if (url.origin === base) return fetch(url, init);
    throw new ApiError({ message: `blocked host ${url.hostname}`, status: 421 });
  };
  return createFalClient({ credentials: KEY, fetch: falFetch });
}

export const REMOVE = 'fal-ai/bria/background/remove';
export const REPLACE = 'fal-ai/bria/background/replace';

const PICTURES = fileURLToPath(new URL('../quality/pictures/', import.meta.url));

export function readProduct(name: string): Promise<Buffer> {
  return readFile(join(PICTURES, `${name}.jpg`));
}

export function toDataUrl(bytes: Uint8Array, type = 'image/jpeg'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

export type StatusBody = {
  status: string;
  queue_position?: number;
  logs?: { message: string; level: string; source: string; timestamp: string }[] | null;
  error?: string;
  error_type?: string;
};

export async function readStatus(engine: Engine, id: string): Promise<StatusBody> {
  const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}/status?logs=1`);
  return (await response.json()) as StatusBody;
}

/** Polls until the condition holds; tests never sleep for a guessed time. */
export async function waitFor<T>(look: () => Promise<T | undefined | false>, withinMs = 60_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > until) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Patient, because other test files may keep the machine busy. */
export function waitForStatus(engine: Engine, id: string, status: string): Promise<StatusBody> {
  return waitFor(async () => {
    const body = await readStatus(engine, id);
    return body.status === status && body;
  }, 35_000);
}

export async function submit(engine: Engine, app: string, input: unknown, headers = {}): Promise<string> {
  const response = await engine.call('POST', `/queue/${app}`, { body: input, headers });
  const { request_id } = (await response.json()) as { request_id: string };
  return request_id;
}

/** Process ids of an engine's workers. */
export function workersOf(engine: Engine): number[] {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(engine.child.pid)], { encoding: 'utf8' });
  return found.stdout.split('\n').map(Number).filter(Boolean);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(spawnSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8' }).stdout);
  } catch {
    return false;
  }
}
