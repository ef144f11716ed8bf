// @vitest-environment jsdom
import type { IncomingMessage } from 'node:http';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { errors } from '@plinth/contract/errors';
import { purchaseSchema } from '@plinth/contract/payments';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer } from '../../test/server.ts';
import { PurchasesPart } from './PurchasesPart.tsx';

const purchase = (part: object) =>
  purchaseSchema.parse({
    id: 'pur_1',
    package: 'standard',
    credits: 20,
    price: { amount: 1500, currency: 'USD' },
    status: 'paid',
    checkoutUrl: '/sandbox/checkout/1',
    createdAt: '2026-11-21T10:00:00.000Z',
    completedAt: '2026-11-21T10:01:00.000Z',
    receipt: { number: 'R-1', url: '/receipt', pdfUrl: '/receipt.pdf' },
    ...part,
  });
const PURCHASES = 'GET /api/v1/purchases';
const READ = 'GET /api/v1/account/billing';
const WRITE = 'PUT /api/v1/account/billing';
const empty = { company: null, vatId: null, address: null };

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

test('each purchase stands there with its state, and a paid one with its receipts', async () => {
  const open = purchase({ id: 'pur_2', status: 'pending', receipt: null, completedAt: null });
  const { origin } = await startServer({
    [PURCHASES]: json({ items: [open, purchase({})], nextCursor: null }),
    [READ]: json(empty),
  });
  renderScreen(<PurchasesPart />, { origin });
  await screen.findByRole('table', { name: 'Purchases' });
  const rows = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/^Standard, 20 credits Open.*\$15–$/);
  expect(rows[1]).toMatch(/^Standard, 20 credits Paid.*\$15R-1 PDF$/);
  expect(screen.getByRole('link', { name: 'R-1 as PDF' }).getAttribute('href')).toBe('/receipt.pdf');
});

test('billing details are saved without the spaces of a VAT number, and what is wrong is said at its field', async () => {
  let sent: unknown;
  const { detail } = errors.billing_invalid;
  let answer = refuse('billing_invalid', [{ field: 'vatId', code: 'billing_invalid', detail }]);
  const { origin } = await startServer({
    [PURCHASES]: json({ items: [], nextCursor: null }),
    [READ]: json(empty),
    [WRITE]: (request, response) => answer(request, response),
  });
  renderScreen(<PurchasesPart />, { origin });
  const user = userEvent.setup();
  const vatId = await screen.findByLabelText(/^VAT number/);
  await user.type(vatId, 'DE 123 456/789');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Use letters and digits only.')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(vatId));
  answer = async (request, response) => {
    sent = await readBody(request);
    await json(sent)(request, response);
  };
  await user.clear(vatId);
  await user.type(vatId, 'DE 123 456 789{Enter}');
  expect(await screen.findByText('Billing details saved.')).toBeDefined();
  expect(sent).toEqual({ ...empty, vatId: 'DE123456789' });
});
