import type { DeletionReceipt } from '@plinth/contract/media';
import type { Page } from '@plinth/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/data/db.ts';
import { type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

type ReceiptRow = Row<'generatedMedia', 'id' | 'createdAt' | 'sha256'> & {
  deletedAt: NonNullable<Column<'generatedMedia', 'deletedAt'>>;
  cause: NonNullable<Column<'generatedMedia', 'deletionCause'>>;
  isUpload: boolean;
  cursor: string;
};

/** What was deleted of a person, last deleted first. */
export async function listReceipts(db: Db, userId: string, page: PageRequest): Promise<Page<DeletionReceipt>> {
  const { createdAt: deletedAt = null, id = null } = page.after ?? {};
  const pageOf = (table: RawBuilder<unknown>, isUpload: boolean) => sql`(
    select id, created_at as "createdAt", deleted_at as "deletedAt", deletion_cause as cause, sha256,
      ${isUpload}::boolean as "isUpload", deleted_at::text as cursor
    ${table}
    where user_id = ${userId} and deletion_cause is not null and sha256 is not null
      and (${page.after === null} or (deleted_at, id) < (${deletedAt}::timestamptz, ${id}))
    order by deleted_at desc, id desc limit ${page.limit + 1})`;
  const found = await sql<ReceiptRow>`
    ${pageOf(sql`from uploads`, true)} union all ${pageOf(sql`from generated_media`, false)}
    order by "deletedAt" desc, id desc limit ${page.limit + 1}`.execute(db);
  return toPage(found.rows, page, (row) => ({ createdAt: row.cursor, id: row.id }), toReceipt);
}

function toReceipt({ id, isUpload, createdAt, deletedAt, cause, sha256 }: ReceiptRow): DeletionReceipt {
  return {
    id,
    kind: isUpload ? 'upload' : 'result',
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt.toISOString(),
    cause,
    sha256,
  };
}
