/** @module-tag slow */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRunningPostgres, startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { makeLinks } from '../src/platform/machine/postgres-programs.ts';
import { findCommand, runPs } from '../src/platform/machine/processes.ts';
import { lockInstance } from '../src/platform/machine/instance-lock.ts';

const LOCK = resolve(import.meta.dirname, '..', 'src', 'platform', 'machine', 'instance-lock.ts');

/** After a hard stop, the numbers that files remember belong to somebody else. */

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

/** Somebody's process, under the account that Postgres has here, so that Postgres may send it signals. */
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

describe('the number of a dead product', () => {
  it('given to somebody else holds no lock', () => {
    const first = lockInstance(folder);
    const path = join(folder, 'plinth.lock');
    const [, startedAt = ''] = readFileSync(path, 'utf8').trim().split(' ');
    first.release();
    const stranger = startStranger(['sleep', '600']);
    writeFileSync(path, `${stranger.pid} ${startedAt}\n`);
    lockInstance(folder).release();
    writeFileSync(path, '999999999 1\n');
    lockInstance(folder).release();
  });

  it('that lives holds it', () => {
    const lock = lockInstance(folder);
    expect(() => lockInstance(folder)).toThrow('Another Plinth');
    lock.release();
  });

  it('is taken over by one alone of those that start at the same moment', async () => {
    const rounds = 200;
    for (let round = 0; round < rounds; round += 1) {
      mkdirSync(join(folder, String(round)));
      writeFileSync(join(folder, String(round), 'plinth.lock'), '999999999 1\n');
    }
    const words = `import { readdirSync, writeFileSync } from 'node:fs';
      import { lockInstance } from ${JSON.stringify(LOCK)};
      process.chdir(${JSON.stringify(folder)});
      const begin = ${Date.now() + 1500};
      await new Promise((resolve) => setTimeout(resolve, begin - Date.now() - 50));
      for (let round = 0; round < ${rounds}; round += 1) {
        while (performance.timeOrigin + performance.now() < begin + round * 4);
        try {
          lockInstance(String(round));
          console.log(round);
        } catch {}
      }
      // Who has a lock lives until everybody has tried to take it.
      writeFileSync('done-' + process.pid, '');
      while (readdirSync('.').filter((name) => name.startsWith('done-')).length < 3);`;
    const run = promisify(execFile);
    const starters = [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', words]));
    const taken = (await Promise.all(starters)).flatMap(({ stdout }) => stdout.trim().split('\n'));
    expect(taken.toSorted()).toEqual(Array.from({ length: rounds }, (_none, round) => String(round)).toSorted());
  });
});

it('ps says of a process what /proc says, on systems that have none', async () => {
  const stranger = startStranger(['sleep', '600']);
  await vi.waitFor(() => expect(runPs(stranger.pid, 'command=')).toBe('sleep 600'));
  expect(findCommand(stranger.pid)?.trim()).toBe('sleep 600');
  const startedAt = runPs(stranger.pid, 'lstart=');
  expect(Math.abs(Date.parse(`${startedAt} UTC`) - Date.now())).toBeLessThan(60_000);
  expect(runPs(stranger.pid, 'lstart=')).toBe(startedAt);
  expect(runPs(process.pid, 'command=')).not.toBe('sleep 600');
  stranger.kill('SIGKILL');
  await once(stranger, 'exit');
  expect([runPs(stranger.pid, 'lstart='), runPs(stranger.pid, 'command=')]).toEqual([undefined, undefined]);
});

it('a Postgres whose package ran no script of its own gets the names of its libraries', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const root = dirname(dirname(dirname(postgres)));
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  // A copy, because the others that run beside this test need the whole one.
  const copy = join(folder, 'package');
  execFileSync('cp', ['-a', root, copy]);
  for (const { target } of links) unlinkSync(join(copy, target));
  makeLinks(join(copy, 'native', 'bin'));
  for (const { target } of links) expect(existsSync(join(copy, target))).toBe(true);
  makeLinks(join(copy, 'native', 'bin'));
});
