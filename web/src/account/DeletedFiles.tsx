import { useInfiniteQuery } from '@tanstack/react-query';
import { type DeletionReceipt, deletionReceiptSchema } from '@plinth/contract/media';
import '../credits/credits.css';
import { MEDIA_KEY } from '../media/media-queries.ts';
import { itemsOf, pagesQuery } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';
import { formatDateTime, formatShortDateTime } from '../ui/format.ts';
import { Loaded, ShowMore } from '../ui/Loaded.tsx';

const PATH = '/api/v1/media/receipts?limit=5';
const WHAT = { upload: 'Photo', result: 'Result' } as const;
// Each on one line of a narrow cell.
const WHY = { expired: 'time\u00a0was\u00a0up', 'by you': 'by\u00a0you' } as const;

/** What is left of every photo and result that was deleted. */
export function DeletedFiles() {
  const api = useApi();
  const query = pagesQuery(api, [...MEDIA_KEY, 'receipts'], PATH, deletionReceiptSchema);
  const receipts = useInfiniteQuery({ ...query, select: itemsOf });
  return (
    <Loaded query={receipts} failed="Failed to load your deleted files">
      {(shown) =>
        shown.length === 0 ? (
          <p className="small">Nothing yet. Every file that is deleted is listed here.</p>
        ) : (
          <>
            <ReceiptTable receipts={shown} />
            <div className="at-start">
              <ShowMore list={receipts} />
            </div>
          </>
        )
      }
    </Loaded>
  );
}

function ReceiptTable({ receipts }: { receipts: DeletionReceipt[] }) {
  return (
    <table className="ledger figures" aria-label="Deleted files">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="optional">
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
            <td className="optional">{formatShortDateTime(createdAt)}</td>
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
