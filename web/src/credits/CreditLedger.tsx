import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ledgerEntrySchema, type LedgerEntry } from '@plinth/contract/credits';
import { packages, receiptPath } from '@plinth/contract/payments';
import { nameTool, tools } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { itemsOf, pagesQuery } from '../platform/pages.ts';
import { Button } from '../ui/Button.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { Loaded, ShowMore } from '../ui/Loaded.tsx';
import './credits.css';
import { downloadStatement } from './statement.ts';
import { LEDGER_KEY } from './useCredits.ts';

const PATH = '/api/v1/credits/history?limit=20';

type LedgerProps = {
  /** Where the result of a generation is seen; null where it is kept no more. */
  linkTo?: (generationId: string) => LinkProps | null;
};

/** Where the credits went, newest first. */
export function CreditLedger({ linkTo = () => null }: LedgerProps) {
  const api = useApi();
  const ledger = useInfiniteQuery({ ...pagesQuery(api, LEDGER_KEY, PATH, ledgerEntrySchema), select: itemsOf });
  return (
    <Loaded
      query={ledger}
      failed="Failed to load your credit history"
      waiting={<div className="skeleton ledger-wait" />}
    >
      {(entries) =>
        entries.length === 0 ? (
          <p className="small">Nothing yet. Every credit you get or spend is listed here.</p>
        ) : (
          <div className="stack">
            <LedgerTable entries={entries} linkTo={linkTo} />
            <div className="cluster">
              <ShowMore list={ledger} />
              <Button look="borderless" icon={<Icon name="download" />} onClick={() => void downloadStatement(api)}>
                Download statement
              </Button>
            </div>
          </div>
        )
      }
    </Loaded>
  );
}

function LedgerTable({ entries, linkTo }: Required<LedgerProps> & { entries: LedgerEntry[] }) {
  return (
    <table className="ledger figures">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="optional">
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
              <EntryName entry={entry} link={entry.generationId === null ? null : linkTo(entry.generationId)} />{' '}
              {entry.reason === 'purchase' && entry.purchaseId !== null && (
                <a className="underlined ledger-receipt" href={receiptPath(entry.purchaseId)}>
                  Receipt
                </a>
              )}
            </td>
            <td className="optional">{formatShortDateTime(entry.createdAt)}</td>
            <td className={entry.delta > 0 ? 'is-plus' : undefined}>
              {entry.delta > 0 ? `+${entry.delta}` : `−${-entry.delta}`}
            </td>
            <td>{entry.balanceAfter}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EntryName({ entry, link }: { entry: LedgerEntry; link: LinkProps | null }) {
  const name = describeEntry(entry);
  if (link === null) return name;
  return (
    <Link {...link} className="underlined">
      {name}
    </Link>
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
