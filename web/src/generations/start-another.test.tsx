// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeGeneration, makeResult, makeSession } from '../../test/makers.ts';
import { clearBrowser, pictureFile, renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { withStore } from '../platform/storage/database.ts';
import { useMemory } from './memory.ts';
import { ToolScreen } from './ToolScreen.tsx';

beforeEach(clearBrowser);

/** Stores a piece of memory, like an earlier page. */
const keep = (piece: string, value: object) =>
  withStore('readwrite', (store) =>
    store.put({ key: `${makeSession().user.id} tools ${piece}`, at: Date.now(), value }),
  );

test('after a reload the one that was left for another is still not sold twice, and is no news', async () => {
  await keep('stages/remover', { shown: null, row: [], left: 'gen_1', readFailureId: null, attempt: null });
  await keep('made/gen_1', { image: `/vase.jpg/${pictureFile().size}` });
  const servedBy = { kind: 'built-in', name: 'Built-in engine' };
  const entry = { id: 'remover', ...tools['remover'], servedBy, returnable: true, fields: [] };
  const made = makeGeneration({ tool: 'remover', status: 'succeeded', result: makeResult() });
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json({ items: [], nextCursor: null }),
    'GET /api/v1/generations/gen_1': json(made),
    'GET /api/v1/tools': json({ items: [entry], returnsLeft: 2 }),
  });
  renderScreen(<ToolScreen toolId="remover" />, { origin });
  await userEvent.setup().upload(await screen.findByLabelText(/^Image/), pictureFile());
  expect(await screen.findByText(/^As it is, this gives the same result again/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Download Result' })).toBe(null);
  await waitFor(() => expect(useMemory.getState().seen.has('gen_1')).toBe(true));
});
