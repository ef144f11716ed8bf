import { packages } from '@plinth/contract/payments';
import type { Receipt } from './receipts.ts';

type ReceiptLines = {
  title: string;
  /** The note on test purchases. */
  note: string | null;
  seller: string[];
  facts: [string, string][];
  item: string;
  sums: { label: string; sum: string; isTotal?: boolean }[];
};

export function writeReceiptLines(receipt: Receipt): ReceiptLines {
  const { billing, seller, credits, grossCents, taxCents, takenBackCents } = receipt;
  const { name } = packages[receipt.packageName];
  const money = makeMoneyFormat(receipt.currency);
  const address = seller.address?.split('\n') ?? [];
  const taxId = seller.taxId === null ? [] : [`Tax number: ${seller.taxId}`];
  return {
    title: `Receipt ${receipt.number}`,
    note: receipt.processor === 'sandbox' ? 'A test purchase: no money was paid.' : null,
    seller: [seller.name ?? 'Plinth', ...address, ...taxId, ...(seller.email === null ? [] : [seller.email])],
    facts: [
      ['Date', receipt.issuedAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })],
      ['For', receipt.buyerEmail],
      ...fact('Company', billing?.company),
      ...fact('Address', billing?.address?.replace(/\s*[\r\n]\s*/g, ', ')),
      ...fact('VAT number', billing?.vat_id),
    ],
    item: `1 × ${name} package, ${credits} credits`,
    sums: [
      { label: 'Net', sum: money(grossCents - taxCents) },
      { label: 'Tax', sum: money(taxCents) },
      { label: 'Total paid', sum: money(grossCents), isTotal: true },
      ...(takenBackCents > 0 ? [{ label: 'Given back since', sum: money(-takenBackCents) }] : []),
    ],
  };
}

// Stripe's rule: króna and Ugandan shillings have no hundredths but are counted in them; Intl also differs on forints.
const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ');

/** Formats an amount in the payment companies' minor units; an unknown currency has hundredths and no symbol. */
function makeMoneyFormat(currency: string): (units: number) => string {
  const digits = NO_DECIMALS.includes(currency) ? 0 : THREE_DECIMALS.includes(currency) ? 3 : 2;
  const options = { minimumFractionDigits: digits, ...(currency && ({ style: 'currency', currency } as const)) };
  const format = new Intl.NumberFormat('en-US', options);
  return (units) => format.format(units / 10 ** digits);
}

const fact = (label: string, text: string | null | undefined): [string, string][] => (text ? [[label, text]] : []);
