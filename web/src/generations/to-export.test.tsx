// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { makeGeneration, makeMedia, makeResult } from '../../test/makers.ts';
import { clearBrowser, renderScreen } from '../../test/screen.tsx';
import { json, startServer, type Answer } from '../../test/server.ts';
import { pictureOf } from './drafts.ts';
import { readDraft } from './memory.ts';
import { ToolScreen } from './ToolScreen.tsx';

beforeEach(clearBrowser);

const dialog = () => screen.queryByRole('dialog', { name: 'Export for marketplaces' });
const download = () => screen.findByRole('button', { name: 'Download Result' });

const photo: Answer = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/webp' }).end('photo');

async function setUp() {
  const made = makeGeneration({ tool: 'remover', status: 'succeeded', result: makeResult() });
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json({ items: [], nextCursor: null }),
    'GET /api/v1/generations/gen_1': json(made),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/media/med_2': json(makeMedia({ id: 'med_2', originalFilename: 'other.png' })),
    'GET /api/v1/media/med_1/preview': photo,
    'GET /api/v1/media/med_2/preview': photo,
    'GET /api/v1/media/med_1/checks': json({ items: [] }),
    'GET /api/v1/tools': json({ items: [], nextCursor: null }),
    'POST /api/v1/tools/remover/generations': json(made, 202),
  });
  return {
    user: userEvent.setup(),
    open: (at: string) => renderScreen(<ToolScreen toolId="remover" />, { origin, at }),
  };
}

test('what is made for an export is exported at once, also after another screen, until that is closed', async () => {
  const { user, open } = await setUp();
  open('/?photo=med_1&then=export');
  await screen.findByText('product-shot-1772600000000.png');
  await user.click(screen.getByRole('button', { name: /^Remove Background.*1 credit$/ }));
  await waitFor(() => expect(dialog()).not.toBe(null));
  cleanup();
  open('/');
  await waitFor(() => expect(dialog()).not.toBe(null));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(dialog()).toBe(null));
  expect(pictureOf(readDraft('remover'), 'image')?.isForExport).toBe(false);
  expect(await download()).toBeTruthy();
});

test('a photo from another screen stands beside nothing but its own result, which is exported if it was handed for that', async () => {
  const { user, open } = await setUp();
  open('/?photo=med_1');
  await screen.findByText('product-shot-1772600000000.png');
  await user.click(screen.getByRole('button', { name: /^Remove Background.*1 credit$/ }));
  await download();
  expect(dialog()).toBe(null);
  cleanup();
  open('/?photo=med_2&then=export');
  await screen.findByText('other.png');
  expect(screen.queryByRole('button', { name: 'Download Result' })).toBe(null);
  cleanup();
  open('/?photo=med_1&then=export');
  await waitFor(() => expect(dialog()).not.toBe(null));
});
