import { useInfiniteQuery } from '@tanstack/react-query';
import { type DeletionReceipt, deletionReceiptSchema } from '@plinth/contract/media';
import { pageSchema } from '@plinth/contract/paging';
import '../credits/credits.css';
import { MEDIA_KEY } from '../media/media-queries.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatDateTime, formatShortDateTime } from '../ui/format.ts';

const receiptPage = pageSchema(deletionReceiptSchema);
const PAGE_SIZE = 5;
const WHAT = { upload: 'Photo', result: 'Result' } as const;
// Each on one line of a narrow cell.
const WHY = { expired: 'time\u00a0was\u00a0up', 'by you': 'by\u00a0you' } as const;

/** What is left of every photo and result that was deleted. */
export function DeletedFiles() {
  const api = useApi();
  const receipts = useInfiniteQuery({
    queryKey: [...MEDIA_KEY, 'receipts'],
    queryFn: ({ pageParam }) => api.send(`/api/v1/media/receipts?limit=${PAGE_SIZE}${pageParam}`, receiptPage),
    initialPageParam: '',
    getNextPageParam: (page) => (page.nextCursor === null ? null : `&cursor=${encodeURIComponent(page.nextCursor)}`),
  });
  if (receipts.isPending) return null;
  if (receipts.isError) {
    return (
      <ErrorBox action={<Button onClick={() => void receipts.refetch()}>Try again</Button>}>
        Failed to load your deleted files
      </ErrorBox>
    );
  }
  const shown = receipts.data.pages.flatMap((page) => page.items);
  if (shown.length === 0) return <p className="small">Nothing yet. Every file that is deleted is listed here.</p>;
  return (
    <>
      <ReceiptTable receipts={shown} />
      {receipts.hasNextPage && (
        <div className="at-start">
          <Button busy={receipts.isFetchingNextPage && 'Loading...'} onClick={() => void receipts.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function ReceiptTable({ receipts }: { receipts: DeletionReceipt[] }) {
  return (
    <table className="ledger num" aria-label="Deleted files">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="opt">
            Made
          </th>
          <th scope="col">Deleted</th>
          <th scope="col">SHA-256</th>
        </tr>
      </thead>
      <tbody>
        {receipts.map(({ id, kind, createdAt, deletedAt, cause, sha256 }) => (
          <tr key={id}>
            <td>{WHAT[kind]}</td>
            <td className="opt">{formatShortDateTime(createdAt)}</td>
            <td title={formatDateTime(deletedAt)}>
              {formatShortDateTime(deletedAt)}, {WHY[cause]}
            </td>
            <td>
              <code className="digest" title={sha256}>
                {sha256}
              </code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
