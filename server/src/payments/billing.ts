import { errors } from '@plinth/contract/errors';
import { type BillingDetails, billingDetailsSchema } from '@plinth/contract/payments';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db, Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import { fieldErrors } from '../platform/errors.ts';
import { requireSession } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/http.ts';
import { addRoute } from '../platform/http/route.ts';

/** What a person wants to read of themselves on receipts. */

export function addBillingRoutes(http: FastifyInstance, { db }: { db: Db }): void {
  addRoute(http, 'get /account/billing', (request) => readBilling(db, requireSession(request).userId));
  addRoute(http, 'put /account/billing', async (request) => {
    const { userId } = requireSession(request);
    const { company, vatId, address } = parseDetails(request.body);
    await sql`
      insert into billing_details (user_id, company, vat_id, address)
      select id, ${company}, ${vatId}, ${address} from buyers where id = ${userId} and deleted_at is null
      on conflict (user_id) do update set company = excluded.company, vat_id = excluded.vat_id,
        address = excluded.address`.execute(db);
    return { company, vatId, address };
  });
}

/** @throws AppError billing_invalid with every field that is wrong, unknown_field */
function parseDetails(body: unknown): BillingDetails {
  const parsed = billingDetailsSchema.safeParse(body);
  if (parsed.success) {
    const { company, vatId, address } = parsed.data;
    return { company: company || null, vatId: vatId || null, address: address || null };
  }
  const { detail } = errors.billing_invalid;
  const names = parsed.error.issues.map(({ path }) => String(path[0] ?? ''));
  const [first, ...more] = [...new Set(names)].map((field) => ({ field, code: 'billing_invalid' as const, detail }));
  // Whoever sends no object, or a field that there is not, is told so like everywhere else.
  if (first === undefined || names.includes('')) return parseBody(billingDetailsSchema, body, 'billing_invalid');
  throw fieldErrors([first, ...more]);
}

async function readBilling(db: Db, userId: string): Promise<BillingDetails> {
  const found = await sql<Row<'billingDetails', 'company' | 'vatId' | 'address'>>`
    select company, vat_id as "vatId", address from billing_details where user_id = ${userId}`.execute(db);
  return found.rows[0] ?? { company: null, vatId: null, address: null };
}

export async function forgetBilling(tx: Tx, userId: string): Promise<void> {
  await sql`delete from billing_details where user_id = ${userId}`.execute(tx);
}
