import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { until } from './makers.ts';

it('an embedded Postgres that dies is there again at the same address, with what was committed', async () => {
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
  /** Kills the server unless it was killed already; between two lives there is none. */
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
      // One that is killed before the product has met it is started again without a word: then the next one, too.
      let killed = 0;
      await until(
        async () => {
          killed = killAnother(killed);
          return deaths.length;
        },
        (count) => count >= times,
      );
      const rows = await until(
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
  expect(deaths).toEqual(['code SIGKILL', 'code SIGKILL']);
  rmSync(folder, { recursive: true, force: true });
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
