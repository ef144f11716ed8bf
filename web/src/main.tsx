import './platform/no-eval.ts';
import { StrictMode } from 'react';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { enterSession, leaveSession, shownUser } from './auth/useSession.ts';
import { createApi, isRetryable, toApiError } from './platform/api.ts';
import { deleteExpired } from './platform/storage/database.ts';
import { ApiContext } from './platform/useApi.ts';
import { sendWithProgress } from './platform/upload.ts';
import { makeRouter } from './app-router.tsx';
import { applyChosenTheme } from './ui/theme.ts';
import { loadToasts } from './ui/above/toast.tsx';
import './ui/sheets/ui.css';
import './ui/sheets/overlays.css';

if (import.meta.env.DEV) applyChosenTheme();
const HOUR_MS = 3_600_000;
// A browser without storage has nothing to sweep.
const sweep = () => void deleteExpired(Date.now() - MEDIA_TTL_SECONDS * 1000).catch(() => undefined);
sweep();
setInterval(sweep, HOUR_MS);
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isRetryable(toApiError(error)),
    },
  },
});
const api = createApi({
  sendWithProgress,
  shownUser: () => shownUser(queryClient),
  onSession: (session) => enterSession(queryClient, session),
  onSessionEnd: (sentence) => leaveSession(queryClient, sentence),
});
const router = makeRouter(queryClient, api);

/** Head start of the first screen's downloads before the other screens are fetched for offline use. */
const FIRST_SCREEN_MS = 5000;
setTimeout(() => {
  if (!navigator.onLine) return;
  // A screen that fails is fetched again when it is opened.
  loadToasts().catch(() => undefined);
  for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined);
}, FIRST_SCREEN_MS);

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <ApiContext value={api}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ApiContext>
  </StrictMode>,
);
