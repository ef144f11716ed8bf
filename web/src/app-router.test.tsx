// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { sentences } from '@plinth/contract/errors';
import { makeSession } from '../test/makers.ts';
import '../test/screen.tsx';
import { type Answer, json, refuse, startServer } from '../test/server.ts';
import { makeRouter } from './app-router.tsx';
import { createApi } from './platform/api.ts';
import { ApiContext } from './platform/useApi.ts';

async function open(path: string, session: Answer) {
  const { origin } = await startServer({
    'GET /api/v1/session': session,
    'POST /api/v1/auth/refresh': refuse('no_active_session'),
  });
  window.history.replaceState(null, '', path);
  const [queryClient, api] = [new QueryClient(), createApi({ origin })];
  const router = makeRouter(queryClient, api);
  const app = (
    <ApiContext value={api}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ApiContext>
  );
  // The screens are fetched.
  await act(async () => void render(app));
  return router;
}

test('back from Google with a session it leads to the credits', async () => {
  const router = await open('/auth/callback', json(makeSession()));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/credits'));
  expect(await screen.findByText(sentences.callbackDone)).toBeTruthy();
});

/** The sentence left for the next page. jsdom goes to none. */
const readNote = () => {
  window.dispatchEvent(new Event('pagehide'));
  return sessionStorage.getItem('plinth-say-wrong');
};
afterEach(() => sessionStorage.clear());

test.each([
  ['an error', '/auth/callback?error=login_failed', json(makeSession())],
  ['no session', '/auth/callback', refuse('no_active_session')],
])('back from Google with %s it leaves with the sentence for it', async (_what, path, session) => {
  await open(path, session);
  await waitFor(() => expect(readNote()).toBe(sentences.callbackFailed));
});

test('back from Google it says that it waits, until the session is known', async () => {
  const late = Promise.withResolvers<void>();
  await open('/auth/callback', async (request, response) => {
    await late.promise;
    await refuse('no_active_session')(request, response);
  });
  expect((await screen.findByRole('status')).textContent).toBe(sentences.callbackWaiting);
  await waitFor(() => expect(document.title).toBe('Signing in · Plinth'));
  late.resolve();
  await waitFor(() => expect(readNote()).toBe(sentences.callbackFailed));
});
