import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../test/engine.ts';
import { Networks, type Death } from './networks.ts';
import { readProcessUse } from './process-use.ts';
import type { NetworkOwner, Task, WorkerMessage } from './task.ts';
import { killWorker, startWorker } from './worker-process.ts';

describe('a worker', () => {
  it('is started with nothing of ours but its memory’s settings, and gone when it is killed', async () => {
    const worker = startWorker({ threads: 1, isWarm: false }, 5);
    const exit = once(worker.child, 'exit');
    expect(worker).toMatchObject({ isReady: false, heardAtMs: 5, freeSinceMs: 5, tasks: 0 });
    const path = `/proc/${worker.child.pid}/environ`;
    // of the child before it has become another program, it shows ours
    const text = await waitFor(async () => {
      const seen = await readFile(path, 'latin1');
      return seen.includes('MALLOC_ARENA_MAX') && seen;
    });
    const names = text.split('\0').map((line) => line.split('=')[0] ?? '');
    const strange = names.filter((name) => !/^(?:PATH|NODE_ENV|MALLOC_\w+|NODE_CHANNEL_\w+|)$/.test(name));
    expect(strange).toEqual([]);
    expect(text).toContain('PATH=\0');
    killWorker(worker, 'silent');
    killWorker(worker, 'idle');
    expect((await exit)[1]).toBe('SIGKILL');
    expect(worker.killReason).toBe('silent');
  });

  it('does its work under nice, where it may not choose its own priority', async () => {
    const main = JSON.stringify(fileURLToPath(new URL('worker.ts', import.meta.url)));
    const start = JSON.stringify({ threads: 1, isWarm: false });
    const script = `const { fork } = require('node:child_process');
      const child = fork(${main}, [${JSON.stringify(start)}], { stdio: 'inherit' });
      child.once('message', ({ kind }) => { console.log(kind); child.kill('SIGKILL'); });
      child.once('exit', (code) => console.log('exit', code));`;
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : [];
    const { stdout } = await promisify(execFile)('nice', ['-n', '19', ...asUser, process.execPath, '-e', script]);
    expect(stdout.split('\n')[0]).toBe('ready');
  });

  it('opens no list of the network runtime, which would be sent to its maker', async () => {
    const worker = startWorker({ threads: 1, isWarm: true }, 5);
    const told: WorkerMessage[] = [];
    worker.child.on('message', (message) => told.push(message as WorkerMessage));
    try {
      const { pid } = worker.child;
      await waitFor(() => Promise.resolve(told.some((one) => one.kind === 'network' && one.news.state === 'ready')));
      expect(await readFile(`/proc/${pid}/maps`, 'latin1')).toContain('libonnxruntime');
      const open = await Promise.all(
        (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
      );
      expect(open.filter((path) => /onnxruntime|mat-debug/.test(path))).toEqual([]);
    } finally {
      killWorker(worker, 'idle');
    }
  });
});

describe('what a process takes', () => {
  it('is its memory and its time, which grows while it works', () => {
    const before = readProcessUse(process.pid)!;
    expect(before.rssBytes / process.memoryUsage.rss()).toBeCloseTo(1, 0);
    const { user, system } = process.cpuUsage();
    expect(Math.abs(before.cpuMs - (user + system) / 1000)).toBeLessThan(100);
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until);
    expect(readProcessUse(process.pid)!.cpuMs).toBeGreaterThanOrEqual(before.cpuMs + 40);
  });

  it('is unknown of one that has gone or was never there', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(readProcessUse(child.pid)).toBeUndefined();
    expect(readProcessUse(undefined)).toBeUndefined();
  });

  it('is read right whatever the program is called', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'engine-use-'));
    const script = join(folder, 'a) R 9 (b');
    await writeFile(script, '#!/bin/sh\nread wait\n');
    await chmod(script, 0o700);
    const child = spawn(script, { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(child, 'spawn');
      // Its name is known before its memory is there; once it sleeps, it waits for us.
      await waitFor(async () => (await readFile(`/proc/${child.pid}/stat`, 'latin1')).includes('(a) R 9 (b) S'));
      const use = readProcessUse(child.pid)!;
      expect(use.cpuMs).toBeLessThan(1000);
      expect(use.rssBytes).toBeGreaterThan(100_000);
      expect(use.rssBytes).toBeLessThan(50_000_000);
    } finally {
      child.kill();
      await rm(folder, { recursive: true });
    }
  });
});

/** Who is to blame when a worker dies; how that looks from outside is tested in networks.test.ts. */

const task = (isRepeated = false): Task => ({
  id: 'one',
  skill: 'any',
  input: {},
  pictures: {},
  folder: '',
  isRepeated,
});
const death = (changes: Partial<Death> = {}): Death => ({
  how: 'exit SIGSEGV',
  loading: new Set<NetworkOwner>(),
  stopReason: undefined,
  task: task(),
  ...changes,
});
const loading = (...whose: NetworkOwner[]) => new Set(whose);

describe("the operator's network", () => {
  it('is given to every first attempt, and to none after a worker died of it', () => {
    const networks = new Networks(true);
    expect(networks.mayUseOperators(task())).toBe(true);
    expect(networks.mayUseOperators(task(true))).toBe(false);
    expect(new Networks(false).mayUseOperators(task())).toBe(false);
  });

  it('is given up at once when it cannot be used, or ends the worker that loads it', () => {
    const [unfit, deadly] = [new Networks(true), new Networks(true)];
    unfit.hear('operator', { state: 'failed', reason: 'no network' });
    expect(deadly.blame(death({ loading: loading('operator') }))).toBe(true);
    for (const networks of [unfit, deadly]) expect(networks.mayUseOperators(task())).toBe(false);
  });

  it('is given up when three workers in a row die over it, and each of their tasks is tried again', () => {
    const networks = new Networks(true);
    for (const isLast of [false, false, true]) {
      expect(networks.blame(death())).toBe(true);
      expect(networks.mayUseOperators(task())).toBe(!isLast);
    }
    expect(networks.blame(death())).toBe(false);
  });

  it('is trusted again after a task that was done with it, not after one without it', () => {
    const networks = new Networks(true);
    for (let n = 0; n < 5; n += 1) {
      networks.blame(death());
      networks.blame(death());
      networks.hearDone(task());
    }
    expect(networks.mayUseOperators(task())).toBe(true);
    networks.blame(death());
    networks.blame(death());
    networks.hearDone(task(true));
    networks.blame(death());
    expect(networks.mayUseOperators(task())).toBe(false);
  });

  it.each<[string, Partial<Death>]>([
    ['is repeated, and so was without it', { task: task(true) }],
    ['was cancelled', { stopReason: 'cancelled' }],
    ['was cancelled while it loaded', { stopReason: 'cancelled', loading: loading('operator') }],
    ['ended because the engine closes', { stopReason: 'closing' }],
    ['was none at all', { task: undefined }],
  ])('is not to blame when the task %s', (_, changes) => {
    const networks = new Networks(true);
    for (let n = 0; n < 5; n += 1) expect(networks.blame(death(changes))).toBe(false);
    expect(networks.mayUseOperators(task())).toBe(true);
  });

  it('is to blame when a task takes too long with it', () => {
    expect(new Networks(true).blame(death({ stopReason: 'time_limit' }))).toBe(true);
    expect(new Networks(false).blame(death({ stopReason: 'time_limit' }))).toBe(false);
  });
});

describe('our own network', () => {
  it('is loaded ahead until a worker has died of that', () => {
    const networks = new Networks(false);
    expect(networks.mayWarm).toBe(true);
    expect(networks.blame(death({ loading: loading('own') }))).toBe(false);
    expect(networks.mayWarm).toBe(false);
  });

  it('is loaded ahead no more where it is unfit', () => {
    const networks = new Networks(true);
    networks.hear('own', { state: 'failed', reason: 'damaged' });
    expect(networks.mayWarm).toBe(false);
    expect(networks.mayUseOperators(task())).toBe(true);
  });

  it('is not to blame where both were loading: nobody has seen the other one work', () => {
    const networks = new Networks(true);
    expect(networks.blame(death({ loading: loading('own', 'operator') }))).toBe(true);
    expect(networks.mayWarm).toBe(true);
    expect(networks.mayUseOperators(task())).toBe(false);
  });

  it('is not to blame for a task that is too slow by itself', () => {
    const networks = new Networks(false);
    expect(networks.blame(death({ stopReason: 'time_limit' }))).toBe(false);
    expect(networks.mayWarm).toBe(true);
  });
});
