// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { useResultKeys } from './ResultView.tsx';

function Stage() {
  useResultKeys(tools['remover'], makeResult());
  return (
    <>
      <button>Outside</button>
      <section className="stage" aria-label="Result" tabIndex={-1}>
        <input type="range" />
        <input type="text" />
      </section>
    </>
  );
}

test('keys act on the result only while the focus is on its stage, and not in a field', async () => {
  const { origin, asked } = await startServer({ 'GET /api/v1/media/med_1/download': json({}) });
  const { router } = renderScreen(<Stage />, { origin });
  const stage = await screen.findByRole('region', { name: 'Result' });
  fireEvent.keyDown(screen.getByRole('button'), { key: 'd' });
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'd' });
  fireEvent.keyDown(stage, { key: 'd', ctrlKey: true });
  fireEvent.keyDown(screen.getByRole('slider'), { key: 'Enter' });
  expect([asked, router.state.location.pathname]).toEqual([[], '/']);
  fireEvent.keyDown(screen.getByRole('slider'), { key: 'd' });
  await waitFor(() => expect(asked).toEqual(['GET /api/v1/media/med_1/download']));
  fireEvent.keyDown(stage, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/history/med_1'));
});
