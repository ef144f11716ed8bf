// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { linkOptions } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '@plinth/contract/credits';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { CreditLedger } from './CreditLedger.tsx';

const entry = (part: Partial<LedgerEntry>): LedgerEntry => ({
  id: `txn_${part.balanceAfter}`,
  delta: -1,
  balanceAfter: 0,
  reason: 'debit',
  generationId: 'gen_1',
  purchaseId: null,
  tool: 'remover',
  package: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  ...part,
});

test('every line says what it was for, by what the entry itself carries', async () => {
  const bought = { reason: 'purchase', generationId: null, tool: null, purchaseId: 'pur_1' } as const;
  const items = [
    entry({ balanceAfter: 5, reason: 'refund', delta: 1 }),
    entry({ balanceAfter: 4 }),
    entry({ balanceAfter: 3, tool: null }),
    entry({ balanceAfter: 2, ...bought, package: 'standard', delta: 20 }),
    entry({ balanceAfter: 1, ...bought, delta: 1 }),
  ];
  const { origin, asked } = await startServer({ 'GET /api/v1/credits/history': json({ items, nextCursor: null }) });
  renderScreen(<CreditLedger linkTo={() => null} />, { origin });
  await screen.findByRole('table');
  const cells = [...document.querySelectorAll('tbody td:first-child')].map(({ textContent }) => textContent.trim());
  expect(cells).toEqual([
    'Returned: Remover Background',
    'Remover Background',
    'Generation',
    'Purchase, Standard Receipt',
    'Purchase Receipt',
  ]);
  const [receipt] = screen.getAllByRole('link', { name: 'Receipt' });
  expect(receipt?.getAttribute('href')).toBe('/api/v1/purchases/pur_1/receipt');
  expect(asked).toHaveLength(1);
});

test('a line leads to its picture for as long as that is kept', async () => {
  const items = [entry({ balanceAfter: 2 }), entry({ balanceAfter: 1, generationId: 'gen_2', tool: 'image-to-video' })];
  const { origin } = await startServer({ 'GET /api/v1/credits/history': json({ items, nextCursor: null }) });
  const target = linkOptions({ to: '/dashboard/history/{-$mediaId}', params: { mediaId: 'med_1' } });
  const linkTo = (generationId: string) => (generationId === 'gen_1' ? target : null);
  renderScreen(<CreditLedger linkTo={linkTo} />, { origin });
  const link = await screen.findByRole('link', { name: 'Remover Background' });
  expect(link.getAttribute('href')).toBe('/dashboard/history/med_1');
  expect(screen.queryByRole('link', { name: /Video/ })).toBe(null);
});

test('the whole ledger is saved as a table', async () => {
  const asks: (string | undefined)[] = [];
  const { origin } = await startServer({
    'GET /api/v1/credits/history': json({ items: [entry({})], nextCursor: null }),
    'GET /api/v1/credits/statement': (request, response) => {
      asks.push(request.headers.accept);
      response.end('# count: 1\r\n');
    },
  });
  renderScreen(<CreditLedger linkTo={() => null} />, { origin });
  fireEvent.click(await screen.findByRole('button', { name: 'Download statement' }));
  await screen.findByText('Download started!');
  expect(asks).toEqual(['text/csv']);
});
