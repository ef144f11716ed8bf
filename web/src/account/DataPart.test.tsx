// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { DeletionReceipt } from '@plinth/contract/media';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { DeletedFiles } from './DataPart.tsx';

const receipt = (part: Partial<DeletionReceipt>): DeletionReceipt => ({
  id: 'med_1',
  kind: 'result',
  createdAt: '2026-11-21T10:00:00.000Z',
  deletedAt: '2026-11-23T10:00:00.000Z',
  cause: 'expired',
  sha256: 'ab12'.repeat(16),
  ...part,
});
const RECEIPTS = 'GET /api/v1/media/receipts';

test('each deleted file stands there with its kind, its end and its digest, and older ones follow', async () => {
  const first = {
    items: [receipt({}), receipt({ id: 'upl_1', kind: 'upload', cause: 'by you' })],
    nextCursor: 'older',
  };
  const { origin, asked } = await startServer({ [RECEIPTS]: json(first) });
  renderScreen(<DeletedFiles />, { origin });
  await screen.findByRole('table');
  const rows = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/^Result.*time\u00a0was\u00a0up(ab12){16}$/);
  expect(rows[1]).toMatch(/^Photo.*by\u00a0you(ab12){16}$/);
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toContain('cursor=older');
});

test('says so where nothing was deleted', async () => {
  const { origin } = await startServer({ [RECEIPTS]: json({ items: [], nextCursor: null }) });
  renderScreen(<DeletedFiles />, { origin });
  expect(await screen.findByText(/Nothing yet/)).toBeDefined();
});
