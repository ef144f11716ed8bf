/** @module-tag slow */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRunningPostgres, startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { makeLinks } from '../src/platform/machine/postgres-programs.ts';
import { findCommand, runPs } from '../src/platform/machine/processes.ts';
import { lockInstance } from '../src/platform/machine/instance-lock.ts';

const LOCK = resolve(import.meta.dirname, '..', 'src', 'platform', 'machine', 'instance-lock.ts');

/** After a hard stop, the process ids in our files may belong to other processes. */

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-stale-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const one of started.splice(0)) one.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Another process of the same system account as our Postgres, which may therefore send it signals. */
function startStranger(command: string[]): ChildProcess & { pid: number } {
  const account = process.getuid?.() === 0 ? findPostgresAccount() : {};
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: 'ignore', ...account });
  started.push(child);
  return child as ChildProcess & { pid: number };
}

function findPostgresAccount(): { uid: number; gid: number } {
  const entry = /^(?:postgres|nobody):[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(entry?.[1]), gid: Number(entry?.[2]) };
}

describe('the number of a dead Postgres', () => {
  it.each([
    ['any program', () => ['sleep', '600']],
    ['a program that speaks of postgres', () => ['sh', '-c', 'sleep 600; : postgres']],
    ['the Postgres of another folder', () => ['sh', '-c', 'sleep 600; : postgres -D /elsewhere/data']],
  ])('given to %s bars no start and ends nobody', async (_what, command) => {
    const own = join(folder, 'postgres');
    const first = await startEmbeddedPostgres(own, 'of-the-test');
    const path = join(own, 'data', 'postmaster.pid');
    const left = readFileSync(path, 'utf8');
    await first.stop();
    const stranger = startStranger(command());
    writeFileSync(path, left.replace(/^\d+/, String(stranger.pid)));
    expect(findRunningPostgres(own, 'of-the-test')).toBeUndefined();
    const second = await startEmbeddedPostgres(own, 'of-the-test');
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    expect(findRunningPostgres(own, 'of-the-test')).toBe(second.url);
    await second.stop();
  });

  it('ends a Postgres of this folder that outlived us', async () => {
    const own = join(folder, 'postgres');
    const first = await startEmbeddedPostgres(own, 'of-the-test');
    const pid = Number(readFileSync(join(own, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const second = await startEmbeddedPostgres(own, 'of-the-test');
    expect(Number(readFileSync(join(own, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])).not.toBe(pid);
    await second.stop();
    await first.stop();
  });
});

describe('the lock on a data folder', () => {
  const lockIn = (dataDir: string, then: string) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', `import { lockInstance } from ${JSON.stringify(LOCK)}; ${then}`],
      { cwd: dataDir, stdio: ['ignore', 'pipe', 'ignore'] },
    );

  it('is held by one that lives, in this process or another, until it is released', () => {
    const lock = lockInstance(folder);
    expect(() => lockInstance(folder)).toThrow('Another Plinth');
    lock.release();
    lockInstance(folder).release();
  });

  it('is free as soon as its holder is killed, whatever it left behind', async () => {
    const holder = lockIn(folder, "globalThis.lock = lockInstance('.'); console.log(1); setInterval(() => {}, 1000)");
    started.push(holder);
    await once(holder.stdout, 'data');
    expect(() => lockInstance(folder)).toThrow('Another Plinth');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    lockInstance(folder).release();
  });

  it('is taken by one alone of those that start at the same moment', async () => {
    const rounds = 200;
    const words = `
      import { readdirSync, writeFileSync } from 'node:fs';
      const begin = ${Date.now() + 1500};
      const locks = [];
      await new Promise((resolve) => setTimeout(resolve, begin - Date.now() - 50));
      for (let round = 0; round < ${rounds}; round += 1) {
        while (performance.timeOrigin + performance.now() < begin + round * 4);
        try {
          locks.push(lockInstance(String(round)));
          console.log(round);
        } catch {}
      }
      // The lock's owner lives until every process has tried to take it.
      writeFileSync('done-' + process.pid, '');
      while (readdirSync('.').filter((name) => name.startsWith('done-')).length < 3);
      locks.forEach(({ release }) => release());`;
    const starters = [1, 2, 3].map(() => lockIn(folder, words));
    const taken = (await Promise.all(starters.map(({ stdout }) => text(stdout)))).join('').trim().split('\n');
    expect(taken.toSorted()).toEqual(Array.from({ length: rounds }, (_none, round) => String(round)).toSorted());
  });
});

it('ps says of a process what /proc says, on systems that have none', async () => {
  const stranger = startStranger(['sleep', '600']);
  await vi.waitFor(() => expect(runPs(stranger.pid)).toBe('sleep 600'));
  expect(findCommand(stranger.pid)?.trim()).toBe('sleep 600');
  expect(runPs(process.pid)).not.toBe('sleep 600');
  stranger.kill('SIGKILL');
  await once(stranger, 'exit');
  expect(runPs(stranger.pid)).toBeUndefined();
});

it('a Postgres whose package ran no script of its own gets the names of its libraries', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const root = dirname(dirname(dirname(postgres)));
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  // A copy, because the tests in parallel need the complete one.
  const copy = join(folder, 'package');
  execFileSync('cp', ['-a', root, copy]);
  for (const { target } of links) unlinkSync(join(copy, target));
  makeLinks(join(copy, 'native', 'bin'));
  for (const { target } of links) expect(existsSync(join(copy, target))).toBe(true);
  makeLinks(join(copy, 'native', 'bin'));
});
