// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeSession } from '../test/makers.ts';
import { clearBrowser, renderScreen } from '../test/screen.tsx';
import { inTurn, json, startServer } from '../test/server.ts';
import { shownUser } from './auth/useSession.ts';
import { changeDraft, readDraft } from './generations/memory.ts';
import { SignedIn } from './SignedIn.tsx';

beforeEach(clearBrowser);

const session = (id: string) => json(makeSession({ user: { ...makeSession().user, id } }));
/** As if another tab had been looked at before, or from now on. */
function show(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

test('a tab that is shown again asks whose it is, and shows nothing of somebody else', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const { origin, asked } = await startServer({
    'GET /api/v1/session': inTurn(session('usr_1'), session('usr_1'), session('usr_2')),
    'GET /api/v1/credits': json({ credits: 10 }),
    'GET /api/v1/events': () => {},
  });
  const asks = () => asked.filter((request) => request === 'GET /api/v1/session').length;
  const { queryClient } = renderScreen(<SignedIn />, { origin });
  await waitFor(() => expect(asked).toContain('GET /api/v1/events'));
  changeDraft('remover', () => ({ prompt: 'words of the first person' }));
  act(() => show(true));
  expect(asks()).toBe(1);
  act(() => show(false));
  await waitFor(() => expect(asks()).toBe(2));
  expect(readDraft('remover')).toEqual({ prompt: 'words of the first person' });
  act(() => show(true));
  act(() => show(false));
  await waitFor(() => expect(asks()).toBe(3));
  expect(shownUser(queryClient)).toBe('usr_1');
});
