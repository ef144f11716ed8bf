import { sql } from 'kysely';
import { expiryLimit, type Library } from '../media/library.ts';
import { changeInBatches, ONE_BATCH } from '../platform/data/batches.ts';
import type { Tx } from '../platform/data/db.ts';
import { overwriteEvents } from '../platform/data/events.ts';
import { overwriteAnswers } from '../platform/http/idempotency.ts';

/** A user's words, and provider messages that may repeat them, are private: they live as long as the pictures. */
export async function deleteExpiredWords(library: Pick<Library, 'db' | 'clock' | 'ttlSeconds'>): Promise<void> {
  const { db } = library;
  const before = expiryLimit(library);
  await changeInBatches(
    db,
    sql`
      update generations set input = '{}', understood = null, not_drawn = null,
        error_message = case when error_code = 'provider_rejected' then null else error_message end
      where ctid = any(array(
        select ctid from generations where created_at <= ${before} and finished_at is not null
          and (input <> '{}' or understood is not null
            or (error_code = 'provider_rejected' and error_message is not null))
        ${ONE_BATCH}))`,
  );
  await overwriteAnswers(db, before, ['%'], ['input'], null);
  await overwriteEvents(db, before, {
    where: { error: { code: 'provider_rejected' } },
    path: ['error', 'message'],
    value: '',
  });
}

/** Deletes one user's words immediately. */
export async function deleteWordsOf(tx: Tx, userId: string): Promise<void> {
  await sql`
    update generations set input = '{}', understood = null, not_drawn = null, error_message = null
    where user_id = ${userId}`.execute(tx);
}
