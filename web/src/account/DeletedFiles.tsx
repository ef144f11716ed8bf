import { deletionReceiptSchema } from '@plinth/contract/media';
import { MEDIA_KEY } from '../media/media-queries.ts';
import { usePages } from '../platform/pages.ts';
import { formatShortDateTime } from '../ui/format.ts';
import { PagedTable } from '../ui/PagedTable.tsx';

const PATH = '/api/v1/media/receipts?limit=5';
const WHAT = { upload: 'Photo', result: 'Result' } as const;
const WHY = { expired: 'time\u00a0was\u00a0up', 'by you': 'by\u00a0you' } as const;

export function DeletedFiles() {
  return (
    <PagedTable
      list={usePages([...MEDIA_KEY, 'receipts'], PATH, deletionReceiptSchema)}
      label="Deleted files"
      failed="Failed to load your deleted files"
      none="Nothing yet. Every file that is deleted is listed here."
      columns={[
        { head: 'What', cell: ({ kind }) => WHAT[kind] },
        { head: 'Made', isOptional: true, cell: ({ createdAt }) => formatShortDateTime(createdAt) },
        { head: 'Deleted', cell: ({ deletedAt, cause }) => `${formatShortDateTime(deletedAt)}, ${WHY[cause]}` },
        { head: 'SHA-256', cell: ({ sha256 }) => <code className="digest cut-off at-end">{sha256}</code> },
      ]}
    />
  );
}
