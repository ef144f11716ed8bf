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

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
