import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../test/engine.ts';
import { killWorker, readProcessUse, startWorker } from './worker-process.ts';

describe('a worker', () => {
  it('gets no environment except memory settings, and ends when it is killed', async () => {
    const worker = startWorker({ threads: 1, preloads: false }, 5);
    const exit = once(worker.child, 'exit');
    expect(worker).toMatchObject({ isReady: false, lastSeenAtMs: 5, freeSinceMs: 5, tasks: 0 });
    const path = `/proc/${worker.child.pid}/environ`;
    // before the child's exec it shows our environment
    const text = await waitFor(async () => {
      const environment = await readFile(path, 'latin1');
      return environment.includes('MALLOC_ARENA_MAX') && environment;
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

  it('works under nice, if it may not change its priority', { tags: ['slow'] }, async () => {
    const main = JSON.stringify(fileURLToPath(new URL('worker.ts', import.meta.url)));
    const start = JSON.stringify({ threads: 1, preloads: false });
    const script = `const { fork } = require('node:child_process');
      const child = fork(${main}, [${JSON.stringify(start)}], { stdio: 'inherit' });
      child.once('message', ({ kind }) => { console.log(kind); child.kill('SIGKILL'); });
      child.once('exit', (code) => console.log('exit', code));`;
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : [];
    const { stdout } = await promisify(execFile)('nice', ['-n', '19', ...asUser, process.execPath, '-e', script]);
    expect(stdout.split('\n')[0]).toBe('ready');
  });

  it('opens no list of the network runtime, which would be sent to its vendor', async () => {
    const worker = startWorker({ threads: 1, preloads: true }, 5);
    try {
      const { pid } = worker.child;
      await waitFor(async () => (await readFile(`/proc/${pid}/maps`, 'latin1')).includes('libonnxruntime'));
      const open = await Promise.all(
        (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
      );
      // The library's own file is open briefly while it loads.
      expect(open.filter((path) => /onnxruntime|mat-debug/.test(path) && !path.includes('.so'))).toEqual([]);
    } finally {
      killWorker(worker, 'idle');
    }
  });
});

describe("a process's resources", () => {
  it('are its memory and its CPU time, which grows while it works', () => {
    const before = readProcessUse(process.pid)!;
    expect(before.rssBytes / process.memoryUsage.rss()).toBeCloseTo(1, 0);
    const { user, system } = process.cpuUsage();
    expect(Math.abs(before.cpuMs - (user + system) / 1000)).toBeLessThan(100);
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until);
    expect(readProcessUse(process.pid)!.cpuMs).toBeGreaterThanOrEqual(before.cpuMs + 40);
  });

  it('are undefined for a process that has ended or never existed', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(readProcessUse(child.pid)).toBeUndefined();
    expect(readProcessUse(undefined)).toBeUndefined();
  });

  it("are parsed whatever the program's name", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'engine-use-'));
    const script = join(folder, 'a) R 9 (b');
    await writeFile(script, '#!/bin/sh\nread wait\n');
    await chmod(script, 0o700);
    const child = spawn(script, { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(child, 'spawn');
      // Its name is set before its memory is mapped; once it sleeps, it waits for input.
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
