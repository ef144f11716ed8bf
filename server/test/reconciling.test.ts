import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { reconcilePurchases } from '../src/payments/reconcile.ts';
import { makeStripe } from '../src/payments/stripe.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/data/db.ts';
import { createLog } from '../src/platform/log.ts';
import { makeDatabase } from './database.ts';

it('reconciling reads hardly any of 100 000 purchases that ended long ago', { tags: ['slow'] }, async () => {
  const { url, drop } = await makeDatabase();
  // A single connection, because each reports its own reads.
  const { db, close } = openDatabase(url, { maxConnections: 1 });
  const countRead = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const found = await sql<{ read: number }>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'purchases'`.execute(db);
    return found.rows[0]?.read ?? -1;
  };
  try {
    await sql`
      insert into users (id, email) select 'usr_' || n, n || '@example.com' from generate_series(0, 9999) n`.execute(
      db,
    );
    await sql`
      insert into purchases
        (id, user_id, package, credits, price_cents, currency, processor, status, checkout_id, created_at)
      select 'pur_' || n, 'usr_' || n % 10000, 'basic', 10, 1000, 'USD', 'stripe',
        (array['failed', 'canceled', 'expired', 'paid'])[1 + n % 4], 'cs_' || n, now() - n * interval '10 minutes'
      from generate_series(1000, 101000) n`.execute(db);
    await sql`analyze purchases`.execute(db);
    const settings = { secretKey: 'sk_test_x', apiUrl: 'http://127.0.0.1:1', webhookSecrets: [], prices: {} };
    const stripe = makeStripe(settings, systemClock);
    const seller = { name: null, address: null, taxId: null, email: null };
    const before = await countRead();
    const options = { db, clock: systemClock, seller, log: createLog('error') };
    expect(await reconcilePurchases(options, [stripe])).toEqual([]);
    expect((await countRead()) - before).toBeLessThan(100);
  } finally {
    await close();
    await drop();
  }
});
