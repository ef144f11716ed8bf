import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { packages, type Purchase, purchaseSchema, type PurchaseStatus } from '@plinth/contract/payments';
import '../credits/credits.css';
import { itemsOf, pagesQuery } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';
import { formatPrice, formatShortDateTime, plural } from '../ui/format.ts';
import { Loaded, ShowMore } from '../ui/Loaded.tsx';
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

/** What was bought, with its receipts, and what they say of the buyer. */
export function PurchasesPart() {
  return (
    <>
      <Panel title="Purchases">
        <Purchases />
      </Panel>
      <Panel title="Billing details">
        <p className="small">They stand on receipts of purchases you make from now on. Earlier receipts stay.</p>
        <BillingForm />
      </Panel>
    </>
  );
}

function Purchases() {
  const api = useApi();
  const purchases = useInfiniteQuery({
    ...pagesQuery(api, ['purchases', 'list'], PATH, purchaseSchema),
    staleTime: 0,
    select: itemsOf,
  });
  return (
    <Loaded query={purchases} failed="Your purchases could not be loaded.">
      {(bought) =>
        bought.length === 0 ? (
          <p className="small">
            Nothing yet.{' '}
            <Link className="textlink" to="/dashboard/credits">
              Buy credits
            </Link>
          </p>
        ) : (
          <>
            <PurchaseTable purchases={bought} />
            <div className="at-start">
              <ShowMore list={purchases} />
            </div>
          </>
        )
      }
    </Loaded>
  );
}

function PurchaseTable({ purchases }: { purchases: Purchase[] }) {
  return (
    <table className="ledger figures" aria-label="Purchases">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="optional">
            When
          </th>
          <th scope="col">Price</th>
          <th scope="col">Receipt</th>
        </tr>
      </thead>
      <tbody>
        {purchases.map((purchase) => (
          <PurchaseRow key={purchase.id} purchase={purchase} />
        ))}
      </tbody>
    </table>
  );
}

function PurchaseRow({ purchase }: { purchase: Purchase }) {
  const { package: packageKey, credits, price, status, createdAt, receipt } = purchase;
  const { says, look } = STATES[status];
  return (
    <tr>
      <td>
        {packages[packageKey].name}, {plural(credits, 'credit')} <span className={`badge ${look}`}>{says}</span>
      </td>
      <td className="optional">{formatShortDateTime(createdAt)}</td>
      <td>{formatPrice(price.amount)}</td>
      <td>
        {receipt === null ? (
          '–'
        ) : (
          <>
            <a className="underlined" href={receipt.url}>
              {receipt.number}
            </a>{' '}
            <a className="underlined" href={receipt.pdfUrl} aria-label={`${receipt.number} as PDF`}>
              PDF
            </a>
          </>
        )}
      </td>
    </tr>
  );
}
