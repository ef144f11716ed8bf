import { Link } from '@tanstack/react-router';
import { packages, type Purchase, purchaseSchema, type PurchaseStatus } from '@plinth/contract/payments';
import { usePages } from '../platform/pages.ts';
import { formatPrice, formatShortDateTime, plural } from '../ui/format.ts';
import { PagedTable } from '../ui/DataTable.tsx';
import { BillingForm } from './BillingForm.tsx';
import { Panel } from './Panel.tsx';

const PATH = '/api/v1/purchases?limit=10';
const STATES: Record<PurchaseStatus, { says: string; look: string }> = {
  pending: { says: 'Open', look: '' },
  paid: { says: 'Paid', look: 'is-good' },
  failed: { says: 'Declined', look: 'in-error' },
  expired: { says: 'Expired', look: '' },
  canceled: { says: 'Canceled', look: '' },
  review: { says: 'Under review', look: 'in-warning' },
};

export function PurchasesPart() {
  const list = usePages(['purchases', 'list'], PATH, purchaseSchema);
  return (
    <>
      <Panel title="Purchases">
        <PagedTable
          list={list}
          label="Purchases"
          failed="Your purchases could not be loaded."
          none={
            <>
              Nothing yet.{' '}
              <Link className="textlink" to="/dashboard/credits">
                Buy credits
              </Link>
            </>
          }
          columns={[
            { head: 'What', cell: (purchase) => <What {...purchase} /> },
            { head: 'When', isOptional: true, cell: ({ createdAt }) => formatShortDateTime(createdAt) },
            { head: 'Price', cell: ({ price }) => formatPrice(price.amount) },
            { head: 'Receipt', cell: ({ receipt }) => (receipt === null ? '–' : <Receipt {...receipt} />) },
          ]}
        />
      </Panel>
      {/* Only below what stands: nothing jumps. */}
      {!list.isLoading && (
        <Panel title="Billing details">
          <p className="small">They stand on receipts of purchases you make from now on. Earlier receipts stay.</p>
          <BillingForm />
        </Panel>
      )}
    </>
  );
}

function What({ package: packageKey, credits, status }: Purchase) {
  const { says, look } = STATES[status];
  return (
    <>
      {packages[packageKey].name}, {plural(credits, 'credit')} <span className={`badge ${look}`}>{says}</span>
    </>
  );
}

function Receipt({ number, url, pdfUrl }: NonNullable<Purchase['receipt']>) {
  return (
    <>
      <a className="underlined" href={url}>
        {number}
      </a>{' '}
      <a className="underlined" href={pdfUrl} aria-label={`${number} as PDF`}>
        PDF
      </a>
    </>
  );
}
