/** @module-tag slow */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../src/platform/data/db.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { waitUntil } from './makers.ts';

it('an embedded Postgres that dies is restarted at the same address with all commits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-postgres-'));
  const deaths: string[] = [];
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'of-the-test', (how) => deaths.push(how));
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<{ word: string }>(text)).rows;
    } catch {
      return undefined;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const readPid = () => Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** Kills the server unless it is already dead; between two starts there is none. */
  const killAnother = (killed: number) => {
    try {
      const pid = readPid();
      return pid === killed || !process.kill(pid, 'SIGKILL') ? killed : pid;
    } catch {
      return killed;
    }
  };
  try {
    await ask(`create table kept as select 'here' as word`);
    for (let times = 1; times <= 2; times += 1) {
      // A server killed before the product has connected is restarted silently; then kill the next one, too.
      let killed = 0;
      await waitUntil(
        async () => {
          killed = killAnother(killed);
          return deaths.length;
        },
        (count) => count >= times,
      );
      const rows = await waitUntil(
        () => ask('select word from kept'),
        (found) => found !== undefined,
        40_000,
      );
      expect(rows).toEqual([{ word: 'here' }]);
      expect(readPid()).not.toBe(killed);
    }
  } finally {
    await postgres.stop();
  }
  expect(await ask('select 1')).toBeUndefined();
  // The second one may have been killed during its start.
  expect(deaths).toEqual(['code SIGKILL', expect.stringMatching(/^code SIGKILL$|did not start/)]);
  rmSync(folder, { recursive: true, force: true });
});

it('one with a crashed connection stops entirely and is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-postgres-'));
  const deaths: string[] = [];
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'of-the-test', (how) => deaths.push(how));
  const connect = async () => {
    const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  };
  try {
    const client = await connect();
    const crashed = await client?.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(crashed?.rows[0]?.pid ?? NaN, 'SIGKILL');
    // By itself Postgres would retry its recovery without ending, and stay half started on a full disk (18.4).
    await waitUntil(
      () => Promise.resolve(deaths),
      ([first]) => first !== undefined,
    );
    const again = await waitUntil(connect, (connected) => connected !== undefined, 40_000);
    await again?.end();
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(deaths[0]).toMatch(/^code /);
});

it('one whose port was occupied by a silent process meanwhile comes back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-postgres-'));
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'of-the-test');
  const port = Number(new URL(postgres.url).port);
  // Below the range of ephemeral ports, so that no connection takes the port of a restarting server.
  expect(port).toBeLessThan(32_768);
  const silent: Socket[] = [];
  const other = createServer((socket) => silent.push(socket.on('error', () => undefined)));
  const isTaken = () =>
    new Promise<boolean>((resolve) => {
      other.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
  const [pid] = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await waitUntil(isTaken, (taken) => taken);
  await waitUntil(
    () => Promise.resolve(silent.length),
    (count) => count > 0,
  );
  // Long enough for the server to find its port in use.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  other.close();
  const client = await waitUntil(
    async () => {
      const asking = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 2000 });
      asking.on('error', () => undefined);
      return asking.connect().then(
        () => asking,
        () => undefined,
      );
    },
    (connected) => connected !== undefined,
    30_000,
  );
  await client?.end();
  for (const socket of silent) socket.destroy();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a running one is found by its folder, and not once it has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-postgres-'));
  const ask = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client.end();
  };
  const postgres = await startEmbeddedPostgres(folder, 'of-the-test');
  try {
    expect(findRunningPostgres(folder, 'of-the-test')).toBe(postgres.url);
    await ask(postgres.url);
    await postgres.stop();
    // An operator's own Postgres may listen only on a Unix socket.
    for (const url of [postgres.url, `postgres://plinth@localhost/plinth?host=${encodeURIComponent(folder)}`]) {
      const refusal: unknown = await ask(url).catch((error: unknown) => error);
      expect([refusal, isDatabaseUnavailable(refusal)]).toEqual([expect.any(Error), true]);
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

it.runIf(process.getuid?.() === 0)('a copy of the folder that root made starts, with what was committed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-postgres-'));
  const ask = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ word: string }>(text);
    await client.end();
    return rows;
  };
  try {
    const first = await startEmbeddedPostgres(join(folder, 'postgres'), 'of-the-test');
    await ask(first.url, `create table kept as select 'here' as word`);
    await first.stop();
    execFileSync('cp', ['-r', join(folder, 'postgres'), join(folder, 'copy')]);
    const second = await startEmbeddedPostgres(join(folder, 'copy'), 'of-the-test');
    try {
      expect(await ask(second.url, 'select word from kept')).toEqual([{ word: 'here' }]);
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
