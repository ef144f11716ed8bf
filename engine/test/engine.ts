import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Starts the real engine program with its own folder and calls it over HTTP. */

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
export const KEY = 'test-key';

export type Engine = {
  base: string;
  dataDir: string;
  child: ChildProcess;
  /** Its standard error since the start. */
  readLog: () => string;
  call: (method: string, path: string, options?: CallOptions) => Promise<Response>;
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
};

export type CallOptions = {
  key?: string | null;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
  signal?: AbortSignal;
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
      ENGINE_STILL_SECONDS: '60', // test files run in parallel: a busy machine must not fail them
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const port = await readPort(child);
  const base = `http://127.0.0.1:${port}`;
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    base,
    dataDir: folder,
    child,
    readLog: () => stderr,
    call: (method, path, options) => call(base, method, path, options),
    stop: async () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
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
  const { key = KEY, body = null, headers, signal = null } = options;
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Key ${key}` };
  return fetch(`${base}${path}`, { method, headers: { ...authorization, ...headers }, body, signal });
}

export const REMOVE = 'remove-background';
export const REPLACE = 'replace-background';

const PICTURES = fileURLToPath(new URL('../quality/pictures/', import.meta.url));

export function readProduct(name: string): Promise<Buffer> {
  return readFile(join(PICTURES, `${name}.jpg`));
}

export type TaskRequest = { pictures?: Record<string, Uint8Array>; input?: unknown };

export function makeTaskForm(skill: string, { pictures = {}, input = {} }: TaskRequest): FormData {
  const form = new FormData();
  form.set('skill', skill);
  form.set('input', JSON.stringify(input));
  for (const [name, bytes] of Object.entries(pictures)) form.set(name, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

export type Line = { kind: string; [member: string]: unknown };

/** A running task: its lines so far, and its last line with the file that follows. */
export type RunningTask = { lines: Line[]; end: Promise<{ end: Line; file: Buffer }>; abort: () => void };

export function beginTask(engine: Engine, skill: string, request: TaskRequest): RunningTask {
  const abort = new AbortController();
  const lines: Line[] = [];
  const read = async () => {
    const response = await engine.call('POST', '/tasks', { body: makeTaskForm(skill, request), signal: abort.signal });
    if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
    let rest = Buffer.alloc(0);
    for await (const chunk of response.body) {
      rest = Buffer.concat([rest, chunk]);
      while (lines.at(-1)?.kind !== 'done' && rest.includes(10)) {
        lines.push(JSON.parse(rest.subarray(0, rest.indexOf(10)).toString()) as Line);
        rest = rest.subarray(rest.indexOf(10) + 1);
      }
    }
    return { end: lines.at(-1) ?? { kind: 'none' }, file: rest };
  };
  return { lines, end: read(), abort: () => abort.abort() };
}

/** Runs a task to its end. */
export function doTask(engine: Engine, skill: string, request: TaskRequest): Promise<{ end: Line; file: Buffer }> {
  return beginTask(engine, skill, request).end;
}

/** Polls until the condition holds; tests never sleep for a guessed time. */
export async function waitFor<T>(poll: () => Promise<T | undefined | false>, withinMs = 60_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await poll();
    if (found) return found;
    if (performance.now() > until) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
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
