import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../src/platform/data/db.ts';
import { TEMPLATE } from './postgres-setup.ts';

/** A database of this test file's own, cloned from the migrated template. */
export async function makeDatabase(): Promise<Database & { drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('postgresUrl');
  await onServer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const database = openDatabase(`${server}/${name}`);
  return {
    ...database,
    drop: async () => {
      await database.close();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

/** One connection of each test process to the server itself; each that is opened takes 30 ms of processor time. */
let server: pg.Pool | undefined;

async function onServer(url: string, statement: string): Promise<void> {
  server ??= new pg.Pool({ connectionString: `${url}/postgres`, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server goes at the end of the run.
    .on('error', () => undefined);
  await server.query(statement);
}
