/** @module-tag slow */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRunningPostgres, startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { lockInstance } from '../src/platform/machine/instance-lock.ts';
import { findCommand } from '../src/platform/machine/processes.ts';
import { makeDatabase } from './database.ts';
import { waitUntil } from './makers.ts';
import { startEnvironment } from './product.ts';

/** A start that is interrupted before the product is ready leaves no process running. */

const SRC = resolve(import.meta.dirname, '..', 'src');
const MAIN = [join(SRC, 'main.ts')];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-early-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(settings: Record<string, string>, program = MAIN) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
    cwd: folder,
    env: { ...startEnvironment(), PORT: '0', DATA_DIR: folder, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  return { child, err: () => err, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const appears = (find: () => unknown) => waitUntil(async () => Boolean(find()), Boolean, 30_000, 5);
const isFree = (dataDir: string): boolean => {
  try {
    lockInstance(dataDir).release();
    return true;
  } catch {
    return false;
  }
};
const findPostgres = () => findRunningPostgres(join(folder, 'postgres'), 'whatever it is');

it('stops a starting Postgres on a signal, before it releases the folder', async () => {
  const { child, err, ended } = start({ FAL_KEY: 'key:of-the-test' });
  await appears(findPostgres);
  child.kill('SIGTERM');
  await appears(() => isFree(folder));
  expect([findPostgres(), existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))]).toEqual([undefined, false]);
  expect([await ended, err()]).toEqual([0, '']);
});

it('stops a command’s own Postgres when Ctrl-C ends the command', async () => {
  const { child, ended } = start({}, [join(SRC, 'commands', 'admin.ts'), 'check']);
  await appears(findPostgres);
  child.kill('SIGINT');
  await ended;
  await waitUntil(
    async () => findPostgres(),
    (url) => url === undefined,
  );
});

it('stops initdb, even a hanging one', async () => {
  const { child, err, ended } = start({ FAL_KEY: 'key:of-the-test' });
  const listChildren = () => {
    try {
      return execFileSync('pgrep', ['-P', String(child.pid), '-f', 'initdb'], { encoding: 'utf8' });
    } catch {
      return '';
    }
  };
  await appears(listChildren);
  const initdb = Number(listChildren());
  process.kill(initdb, 'SIGSTOP');
  try {
    child.kill('SIGTERM');
    expect([await ended, err()]).toEqual([0, '']);
    expect(findCommand(initdb)).toBeFalsy();
  } finally {
    if (findCommand(initdb)) process.kill(initdb, 'SIGKILL');
  }
});

it('stops its Postgres if the engine cannot start', async () => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'of-the-test');
  await postgres.stop();
  const { err, ended } = start({ ENGINE_WORKERS: 'many' });
  expect([await ended, err()]).toEqual([
    78,
    'engine settings: ENGINE_WORKERS must be a whole number from 1 to 16\n' +
      'The built-in engine does not start with these settings.\n',
  ]);
  expect([findPostgres(), existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))]).toEqual([undefined, false]);
});

it('stops a starting engine on a signal, and waits for its end', async () => {
  const database = await makeDatabase();
  try {
    const { child, err, ended } = start({ ROLE: 'worker', DATABASE_URL: database.url });
    const findEngine = () =>
      spawnSync('pgrep', ['-P', String(child.pid), '-f', 'engine/src/main'], { encoding: 'utf8' });
    await appears(() => findEngine().status === 0);
    const engine = Number(findEngine().stdout);
    expect(findCommand(engine)).toBeTruthy();
    process.kill(engine, 'SIGSTOP');
    child.kill('SIGTERM');
    expect(await Promise.race([ended, sleep(1000, 'waits')])).toBe('waits');
    process.kill(engine, 'SIGCONT');
    expect([await ended, err()]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(findCommand(engine)).toBeFalsy();
  } finally {
    await database.drop();
  }
});
