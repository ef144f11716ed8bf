// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { startServer } from '../../test/server.ts';
import { ExportDialog } from './ExportDialog.tsx';

test('while the picture is measured the focus is in the dialog already', async () => {
  const { origin } = await startServer({ 'GET /api/v1/media/med_1/checks': () => {} });
  const exported = { mediaId: 'med_1', toolId: 'remover', originalFilename: 'cutout.png' } as const;
  renderScreen(<ExportDialog {...exported} onClose={() => {}} />, { origin });
  const dialog = await screen.findByRole('dialog', { name: 'Export for marketplaces' });
  await waitFor(() => expect(dialog.contains(document.activeElement) && document.activeElement !== dialog).toBe(true));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Export for Amazon, main picture' }));
});
