import type { DeletionReceipt } from '@plinth/contract/media';
import type { Page } from '@plinth/contract/paging';
import { sql } from 'kysely';
import type { Db } from '../platform/data/db.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

type ReceiptRow = Row<'generatedMedia', 'id' | 'createdAt' | 'sha256'> & {
  deletedAt: NonNullable<Column<'generatedMedia', 'deletedAt'>>;
  cause: NonNullable<Column<'generatedMedia', 'deletionCause'>>;
  isUpload: boolean;
  cursor: string;
};

/** A user's deleted files, last deleted first. */
export async function listReceipts(db: Db, userId: string, page: PageRequest): Promise<Page<DeletionReceipt>> {
  const pageOf = (table: 'uploads' | 'generated_media') => sql`(
    select id, created_at as "createdAt", deleted_at as "deletedAt", deletion_cause as cause, sha256,
      ${table === 'uploads'}::boolean as "isUpload", deleted_at::text as cursor
    ${table === 'uploads' ? sql`from uploads` : sql`from generated_media`}
    where user_id = ${userId} and deletion_cause is not null and sha256 is not null
      ${pageClause(page, table, 'deleted_at')})`;
  const found = await sql<ReceiptRow>`
    ${pageOf('uploads')} union all ${pageOf('generated_media')}
    order by "deletedAt" desc, id desc limit ${page.limit + 1}`.execute(db);
  return toPage(found.rows, page, toReceipt);
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
