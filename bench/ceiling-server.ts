import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { hashPassword } from '../server/src/auth/passwords.ts';
import { migrate } from '../server/src/commands/migrate.ts';
import { openDatabase } from '../server/src/platform/data/db.ts';
import { startEmbeddedPostgres } from '../server/src/platform/machine/embedded-postgres.ts';

/** The server of ceilings.ts: the minimum cost of the product's work, with the product's own modules. */

const PEOPLE = 200;
sharp.cache(false);
const folder = mkdtempSync(join(tmpdir(), 'plinth-ceiling-'));
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), randomUUID());
await migrate(postgres.url);
const { pool, close } = openDatabase(postgres.url);
await pool.query(
  `insert into users (id, email) select 'usr_' || n, n || '@example.com' from generate_series(1, ${PEOPLE}) n`,
);
await pool.query(`insert into user_credits (user_id) select id from users`);
await pool.query(`
  insert into credit_ledger (user_id, delta, reason) select id, 1000000, 'adjustment' from users`);
await pool.query(`
  insert into sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at, expires_at)
  select 'ses_' || id, sha256(id::bytea), id, '', now(), now(), now() + interval '1 day' from users`);

const READ_SESSION = {
  name: 'session',
  text: `select s.id, s.user_id, s.last_seen_at from sessions s join users u on u.id = s.user_id
    where s.token_hash = sha256($1::bytea) and s.ended_at is null and s.expires_at > now() and u.deleted_at is null`,
};
const READ_CREDITS = { name: 'credits', text: 'select credits from user_credits where user_id = $1' };
const DEBIT = { name: 'debit', text: 'select deduct_user_credits($1, 1)' };

const server = createServer((request, response) => {
  const [path, index] = (request.url ?? '').split('?');
  const values = [`usr_${(Number(index) % PEOPLE) + 1}`];
  const work = async () => {
    if (path === '/debit') await pool.query({ ...DEBIT, values });
    if (path !== '/reads') return;
    await pool.query({ ...READ_SESSION, values });
    await pool.query({ ...READ_CREDITS, values });
  };
  work().then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

type Request = { id: string; photo?: string; hash?: true };
process.on('message', ({ id, photo, hash }: Request) => {
  const work = async () => {
    if (hash === true) await hashPassword('a password of the bench');
    // As the product re-encodes an upload (server/src/media/uploads.ts).
    if (photo !== undefined)
      await sharp(photo)
        .autoOrient()
        .toColourspace('srgb')
        .jpeg({ quality: 95, chromaSubsampling: '4:2:0', optimiseCoding: false })
        .toBuffer();
  };
  void work().then(() => process.send?.({ id }));
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  void close()
    .then(() => postgres.stop())
    .finally(() => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      process.exit(0);
    });
});
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
