import { Link, type LinkProps } from '@tanstack/react-router';
import { ledgerEntrySchema, type LedgerEntry } from '@plinth/contract/credits';
import { packages, receiptPath } from '@plinth/contract/payments';
import { nameTool, tools } from '@plinth/contract/tools';
import { toApiError, type Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { usePages } from '../platform/pages.ts';
import { Button } from '../ui/Button.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { PagedTable } from '../ui/DataTable.tsx';
import { saveAloud } from '../ui/above/save-aloud.ts';
import { LEDGER_KEY } from './useCredits.ts';

const PATH = '/api/v1/credits/history?limit=20';
const STATEMENT = '/api/v1/credits/statement';

type LedgerProps = { linkTo: (generationId: string) => LinkProps | null };

export function CreditLedger({ linkTo }: LedgerProps) {
  const api = useApi();
  return (
    <PagedTable
      list={usePages(LEDGER_KEY, PATH, ledgerEntrySchema)}
      label="Credits"
      failed="Failed to load your credit history"
      none="Nothing yet. Every credit you get or spend is listed here."
      columns={[
        { head: 'What', cell: (entry) => <EntryName entry={entry} linkTo={linkTo} /> },
        { head: 'When', isOptional: true, cell: ({ createdAt }) => formatShortDateTime(createdAt) },
        { head: 'Credits', cell: ({ delta }) => (delta > 0 ? <b className="is-good">+{delta}</b> : `−${-delta}`) },
        { head: 'Balance', cell: ({ balanceAfter }) => balanceAfter },
      ]}
      actions={
        <Button look="borderless" icon={<Icon name="download" />} onClick={() => void saveStatement(api)}>
          Download statement
        </Button>
      }
    />
  );
}

const saveStatement = (api: Api) =>
  saveAloud(
    'statement',
    async () => new File([await api.file(STATEMENT, 'text/csv')], 'plinth-credits.csv'),
    (cause) => toApiError(cause).message,
  );

function EntryName({ entry, linkTo }: LedgerProps & { entry: LedgerEntry }) {
  const name = describeEntry(entry);
  const link = entry.generationId === null ? null : linkTo(entry.generationId);
  return (
    <>
      {link === null ? (
        name
      ) : (
        <Link {...link} className="underlined">
          {name}
        </Link>
      )}{' '}
      {entry.reason === 'purchase' && entry.purchaseId !== null && (
        <a className="underlined" href={receiptPath(entry.purchaseId)}>
          Receipt
        </a>
      )}
    </>
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
