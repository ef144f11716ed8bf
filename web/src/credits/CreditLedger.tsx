import { useInfiniteQuery } from '@tanstack/react-query';
import { ledgerEntrySchema, type LedgerEntry } from '@plinth/contract/credits';
import { pageSchema } from '@plinth/contract/paging';
import { packages, receiptPath } from '@plinth/contract/payments';
import { nameTool, tools } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import './credits.css';
import { downloadStatement } from './statement.ts';
import { LEDGER_KEY } from './useCredits.ts';

const ledgerPage = pageSchema(ledgerEntrySchema);

/** Where the credits went, newest first. */
export function CreditLedger() {
  const api = useApi();
  const ledger = useInfiniteQuery({
    queryKey: LEDGER_KEY,
    queryFn: ({ pageParam }) => api.send(`/api/v1/credits/history?limit=20${pageParam}`, ledgerPage),
    initialPageParam: '',
    getNextPageParam: (page) => (page.nextCursor === null ? null : `&cursor=${encodeURIComponent(page.nextCursor)}`),
  });
  const entries = ledger.data?.pages.flatMap((page) => page.items) ?? [];

  if (ledger.isPending) return <div className="skeleton ledger-wait" />;
  if (ledger.isError) {
    return (
      <div className="ledger-error">
        <ErrorBox action={<Button onClick={() => void ledger.refetch()}>Try again</Button>}>
          Failed to load your credit history
        </ErrorBox>
      </div>
    );
  }
  if (entries.length === 0)
    return <p className="small ledger-none">Nothing yet. Every credit you get or spend is listed here.</p>;
  return (
    <>
      <LedgerTable entries={entries} />
      <div className="ledger-more">
        {ledger.hasNextPage && (
          <Button busy={ledger.isFetchingNextPage && 'Loading...'} onClick={() => void ledger.fetchNextPage()}>
            Show more
          </Button>
        )}
        <Button look="bare" icon={<Icon name="download" />} onClick={() => void downloadStatement(api)}>
          Download statement
        </Button>
      </div>
    </>
  );
}

function LedgerTable({ entries }: { entries: LedgerEntry[] }) {
  return (
    <table className="ledger num">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="opt">
            When
          </th>
          <th scope="col">Credits</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              {describeEntry(entry)}{' '}
              {entry.reason === 'purchase' && entry.purchaseId !== null && (
                <a className="link ledger-receipt" href={receiptPath(entry.purchaseId)}>
                  Receipt
                </a>
              )}
            </td>
            <td className="opt">{formatShortDateTime(entry.createdAt)}</td>
            <td className={entry.delta > 0 ? 'plus' : undefined}>
              {entry.delta > 0 ? `+${entry.delta}` : `−${-entry.delta}`}
            </td>
            <td>{entry.balanceAfter}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeEntry(entry: LedgerEntry): string {
  const tool = entry.tool && nameTool(tools[entry.tool]);
  switch (entry.reason) {
    case 'debit':
      return tool ?? 'Generation';
    case 'refund':
      return tool === null ? 'Returned' : `Returned: ${tool}`;
    case 'purchase':
      return entry.package === null ? 'Purchase' : `Purchase, ${packages[entry.package].name}`;
    case 'reversal':
      return 'Purchase taken back';
    case 'signup':
      return 'Starting credits';
    case 'adjustment':
      return 'Correction';
  }
}
