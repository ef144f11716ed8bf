import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ledgerEntrySchema, type LedgerEntry } from '@plinth/contract/credits';
import { generationSchema } from '@plinth/contract/generations';
import { pageSchema } from '@plinth/contract/paging';
import { packages, purchaseSchema } from '@plinth/contract/payments';
import { nameTool, tools } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import './credits.css';
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
  const names = useEntryNames(ledger.data?.pages.length ?? 0);
  const entries = ledger.data?.pages.flatMap((page) => page.items) ?? [];

  if (ledger.isPending) return <div className="skeleton mt-4 h-60" />;
  if (ledger.isError) {
    return (
      <div className="mt-4">
        <ErrorBox action={<Button onClick={() => void ledger.refetch()}>Try again</Button>}>
          Failed to load your credit history
        </ErrorBox>
      </div>
    );
  }
  if (entries.length === 0)
    return <p className="small mt-3">Nothing yet. Every credit you get or spend is listed here.</p>;
  return (
    <>
      <LedgerTable entries={entries} names={names} />
      {ledger.hasNextPage && (
        <div className="mt-5">
          <Button busy={ledger.isFetchingNextPage && 'Loading...'} onClick={() => void ledger.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

type Names = { generations: Map<string, string>; purchases: Map<string, string> };

function LedgerTable({ entries, names }: { entries: LedgerEntry[]; names: Names | undefined }) {
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
            <td>{describeEntry(entry, names)}</td>
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

function describeEntry(entry: LedgerEntry, names: Names | undefined): string {
  const tool = names?.generations.get(entry.generationId ?? '');
  const bought = names?.purchases.get(entry.purchaseId ?? '');
  switch (entry.reason) {
    case 'debit':
      return tool ?? 'Generation';
    case 'refund':
      return tool === undefined ? 'Returned' : `Returned: ${tool}`;
    case 'purchase':
      return bought === undefined ? 'Purchase' : `Purchase, ${bought}`;
    case 'reversal':
      return 'Purchase taken back';
    case 'signup':
      return 'Starting credits';
    case 'adjustment':
      return 'Correction';
  }
}

/** The ledger names ids only; the tool and the package behind them come from the newest generations and purchases. */
function useEntryNames(pageCount: number): Names | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...LEDGER_KEY, 'names', pageCount],
    enabled: pageCount > 0,
    placeholderData: (previous) => previous,
    queryFn: async (): Promise<Names> => {
      const [generations, purchases] = await Promise.all([
        api.send('/api/v1/generations?limit=100', pageSchema(generationSchema)),
        api.send('/api/v1/purchases?limit=100', pageSchema(purchaseSchema)),
      ]);
      return {
        generations: new Map(generations.items.map(({ id, tool }) => [id, nameTool(tools[tool])])),
        purchases: new Map(purchases.items.map(({ id, package: key }) => [id, packages[key].name])),
      };
    },
  });
  return data;
}
