import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/commands/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = 'plinth_template';

/** One Postgres for the whole run, with a migrated database that every test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  const postgres = await startEmbeddedPostgres(folder, 'only-for-this-run');
  const url = postgres.url.replace(/\/plinth$/, '');
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  // Nothing here outlives the run: no fsync, no autovacuum. Takes effect at once, for all connections.
  for (const safety of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
    await client.query(`alter system set ${safety} = off`);
  await client.query('select pg_reload_conf()');
  await client.query(`create database ${TEMPLATE}`);
  await migrate(`${url}/${TEMPLATE}`);
  await client.end();
  project.provide('postgresUrl', url);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
