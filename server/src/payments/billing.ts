import type { BillingDetails } from '@plinth/contract/payments';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db, Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import { requireUser } from '../platform/http/caller.ts';
import { addRoute, readBody } from '../platform/http/route.ts';

/** The buyer's details on receipts. */

export function addBillingRoutes(http: FastifyInstance, { db }: { db: Db }): void {
  addRoute(http, 'get /account/billing', (request) => readBilling(db, requireUser(request).userId));
  addRoute(http, 'put /account/billing', async (request) => {
    const { userId } = requireUser(request);
    const body = readBody('put /account/billing', request);
    const [company, vatId, address] = [body.company, body.vatId, body.address].map((text) => text || null);
    await sql`
      insert into billing_details (user_id, company, vat_id, address)
      select id, ${company}, ${vatId}, ${address} from buyers where id = ${userId} and deleted_at is null for share
      on conflict (user_id) do update set company = excluded.company, vat_id = excluded.vat_id,
        address = excluded.address`.execute(db);
    return { company, vatId, address };
  });
}

async function readBilling(db: Db, userId: string): Promise<BillingDetails> {
  const found = await sql<Row<'billingDetails', 'company' | 'vatId' | 'address'>>`
    select company, vat_id as "vatId", address from billing_details where user_id = ${userId}`.execute(db);
  return found.rows[0] ?? { company: null, vatId: null, address: null };
}

export async function deleteBilling(tx: Tx, userId: string): Promise<void> {
  await sql`delete from billing_details where user_id = ${userId}`.execute(tx);
}
