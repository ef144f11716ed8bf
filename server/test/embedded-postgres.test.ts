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
  try {
    await ask(`create table kept as select 'here' as word`);
    for (let times = 1; times <= 2; times += 1) {
      const pid = readPid();
      process.kill(pid, 'SIGKILL');
      await until(
        async () => deaths.length,
        (count) => count >= times,
      );
      const rows = await until(
        () => ask('select word from kept'),
        (found) => found !== undefined,
        40_000,
      );
      expect(rows).toEqual([{ word: 'here' }]);
      expect(readPid()).not.toBe(pid);
    }
  } finally {
    await postgres.stop();
  }
  expect(await ask('select 1')).toBeUndefined();
  expect(deaths).toEqual(['code SIGKILL', 'code SIGKILL']);
  rmSync(folder, { recursive: true, force: true });
});
