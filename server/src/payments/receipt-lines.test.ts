import { expect, it } from 'vitest';
import { writeReceiptLines } from './receipt-lines.ts';
import { renderReceiptPage } from './receipt-page.ts';
import type { Receipt } from './receipts.ts';
import { renderSandboxPage } from './sandbox-page.ts';

/** The contents of a receipt and of the sandbox page. */

const receipt: Receipt = {
  number: 'R-000001',
  issuedAt: new Date('2027-03-04T23:30:00.000Z'),
  seller: { name: null, address: null, taxId: null, email: null },
  buyerEmail: 'ada@example.com',
  billing: null,
  packageName: 'standard',
  credits: 20,
  grossCents: 1500,
  taxCents: 240,
  currency: 'USD',
  takenBackCents: 0,
  processor: 'stripe',
  companyReceiptUrl: null,
};

it('a receipt states seller, buyer, item and amounts', () => {
  expect(writeReceiptLines(receipt)).toEqual({
    title: 'Receipt R-000001',
    note: null,
    seller: ['Plinth'],
    facts: [
      ['Date', 'March 4, 2027'],
      ['For', 'ada@example.com'],
    ],
    item: '1 × Standard package, 20 credits',
    sums: [
      { label: 'Net', sum: '$12.60' },
      { label: 'Tax', sum: '$2.40' },
      { label: 'Total paid', sum: '$15.00', isTotal: true },
    ],
  });
});

it.each(['\n', '\r\n', '\r'])('a receipt has its address in one line, whichever line break it had: %j', (lineBreak) => {
  const billing = { company: null, vat_id: null, address: ['Mill Lane 2 ', ' Leeds'].join(lineBreak) };
  expect(writeReceiptLines({ ...receipt, billing }).facts.at(-1)).toEqual(['Address', 'Mill Lane 2, Leeds']);
});

it('a receipt states the credits bought then, and amounts in the currency’s minor units', () => {
  const lines = writeReceiptLines({ ...receipt, credits: 25, currency: 'JPY' });
  expect(lines.item).toBe('1 × Standard package, 25 credits');
  expect(lines.sums.map(({ sum }) => sum)).toEqual(['¥1,260', '¥240', '¥1,500']);
  expect(writeReceiptLines({ ...receipt, currency: '' }).sums[2]?.sum).toBe('15.00');
});

it.each([
  // Stripe counts these in hundredths, although the currency has none or Intl does not show them.
  ['ISK', 'ISK 15.00'],
  ['UGX', 'UGX 15.00'],
  ['HUF', 'HUF 15.00'],
  ['TWD', 'NT$15.00'],
  ['KRW', '₩1,500'],
  ['XOF', 'F CFA 1,500'],
  ['KWD', 'KWD 1.500'],
])('a receipt in %s states the amount as the payment company counted it', (currency, expected) => {
  const total = writeReceiptLines({ ...receipt, currency }).sums[2]?.sum;
  expect(total?.replaceAll(/\s/g, ' ')).toBe(expected);
});

it('a receipt states all details of seller and buyer, and refunds', () => {
  const lines = writeReceiptLines({
    ...receipt,
    seller: { name: 'Shop & Co', address: 'Main St 1\nTown', taxId: 'DE1', email: 'shop@example.com' },
    billing: { company: 'Ada Ltd', address: 'Side St 2\n  City', vat_id: 'GB2' },
    takenBackCents: 500,
    processor: 'sandbox',
  });
  expect(lines.note).toBe('A test purchase: no money was paid.');
  expect(lines.seller).toEqual(['Shop & Co', 'Main St 1', 'Town', 'Tax number: DE1', 'shop@example.com']);
  expect(lines.facts.slice(2)).toEqual([
    ['Company', 'Ada Ltd'],
    ['Address', 'Side St 2, City'],
    ['VAT number', 'GB2'],
  ]);
  expect(lines.sums.at(-1)).toEqual({ label: 'Given back since', sum: '-$5.00' });
});

it('the receipt page escapes text and links the payment company’s receipt', () => {
  const seller = { name: `<b>"A" & 'B'</b>`, address: null, taxId: null, email: null };
  const page = renderReceiptPage({ ...receipt, seller, companyReceiptUrl: 'https://pay.example/?a=1&b=2' });
  expect(page).toContain('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;');
  expect(page).toContain('href="https://pay.example/?a=1&amp;b=2"');
  expect(renderReceiptPage(receipt)).not.toContain('Receipt of the payment company');
});

it('the sandbox page states that an order is already paid', () => {
  const sums = { credits: 10, priceCents: 1000, currency: 'USD' };
  const order = { purchaseId: 'pur_1', packageName: 'basic', ...sums } as const;
  const expected = 'This order is already paid.';
  expect(renderSandboxPage({ ...order, status: 'paid' }, 'a-token')).toContain(expected);
  expect(renderSandboxPage({ ...order, status: 'pending' }, 'a-token')).not.toContain(expected);
});
