import type { PartState } from '@plinth/contract/status';
import { sql } from 'kysely';
import { secondsAfter } from '../platform/clock.ts';
import { type Db, onlyRow } from '../platform/data/db.ts';

const SAMPLE_SIZE = 5;
const WINDOW_SECONDS = 3600;

/** The health of the payment company by the newest checkouts of the last hour: all, some or none opened. */
export async function readCheckoutState(db: Db, now: Date): Promise<PartState> {
  const found = await sql<{ all: number; opened: number }>`
    select count(*) as all, count(checkout_url) as opened from (
      select checkout_url from purchases
      where created_at > ${secondsAfter(now, -WINDOW_SECONDS)} and (checkout_url is not null or status = 'failed')
      order by created_at desc limit ${SAMPLE_SIZE}) p`.execute(db);
  const { all, opened } = onlyRow(found);
  if (opened === all) return 'up';
  return opened === 0 ? 'down' : 'slow';
}
