// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { lookSchema, standardLook } from '@plinth/contract/looks';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { Packshot } from './ExportDialog.tsx';

const createdAt = '2026-11-21T10:00:00.000Z';
const soft = lookSchema.parse({ id: 'look_1', name: 'Soft', createdAt, ...standardLook, shadow: 'soft' });

function Stateful() {
  const [lookId, setLookId] = useState<string | null>('look_1');
  return <Packshot mediaId="med_1" lookId={lookId} onChoose={setLookId} />;
}

test('the packshot is saved as it is seen, and it is said what the other files are made by', async () => {
  const { origin, asked } = await startServer({ 'GET /api/v1/looks': json({ items: [soft] }) });
  renderScreen(<Stateful />, { origin });
  const user = userEvent.setup();
  await screen.findByRole('option', { name: 'Soft' });
  const save = () => user.click(screen.getByRole('button', { name: 'Packshot' }));
  const saved = () =>
    asked
      .filter((one) => one.startsWith('GET /api/v1/media/med_1/packshot'))
      .map((one) => JSON.parse(new URL(one.slice(4), origin).searchParams.get('settings') ?? '') as object);
  await save();
  await waitFor(() => expect(saved()).toEqual([{ ...standardLook, shadow: 'soft' }]));

  await user.click(screen.getByRole('button', { name: 'Shadow, margins, canvas' }));
  await user.click(screen.getByRole('button', { name: 'Reflection' }));
  await screen.findByText('Not saved yet: files for marketplaces are still made by Soft.');
  await save();
  await waitFor(() => expect(saved()[1]).toEqual({ ...standardLook, shadow: 'reflection' }));

  await user.selectOptions(screen.getByRole('combobox', { name: /^Look/ }), '');
  expect(screen.queryByText(/^Not saved yet/)).toBe(null);
  await save();
  await waitFor(() => expect(saved()[2]).toEqual(standardLook));
});
