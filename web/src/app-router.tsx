import type { ComponentType } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { z } from 'zod';
import { sessionSchema } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { toolIds, type ToolId } from '@plinth/contract/tools';
import { ACCOUNT_PATH, isAccountPart, linkToAccount } from './account/parts.ts';
import { takeReturnPath } from './auth/return-path.ts';
import { enterSession, leaveTo, neverResolves, sessionQuery } from './auth/useSession.ts';
import type { Api } from './platform/api.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import { LinkContext } from './ui/link-context.ts';
import { say, sayOnNextPage, Toasts } from './ui/above/toast.tsx';

type LazyScreen<Name extends string> = [load: () => Promise<Record<Name, ComponentType>>, name: Name];

/**
 * Fetches a screen when it is opened. The router reloads the page if a file is missing, as after an update. Offline
 * that would show the browser's own error page, so the error differs there.
 */
function lazyScreen<Name extends string>(...[load, name]: LazyScreen<Name>) {
  const loadOrExplain = () =>
    load().catch((cause: unknown) => {
      throw navigator.onLine ? cause : new Error('The screen could not be fetched.', { cause });
    });
  return lazyRouteComponent(loadOrExplain, name);
}

/** Query strings are untrusted: an unexpected value counts as missing. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const root = createRootRouteWithContext<{ queryClient: QueryClient; api: Api }>()({
  component: () => (
    <LinkContext value={(props) => <Link {...props} />}>
      <Outlet />
      <Toasts />
    </LinkContext>
  ),
});
/** Return from Google: the server created the session or passes the reason why not. */
const callback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  validateSearch: z.object({ error: optional(z.unknown()) }),
  beforeLoad: async ({ context: { api, queryClient }, search: { error } }) => {
    const made = error === undefined ? await api.send('/api/v1/session', sessionSchema).catch(() => null) : null;
    if (made === null) {
      sayOnNextPage('wrong', sentences.callbackFailed);
      leaveTo('/login');
      return neverResolves();
    }
    enterSession(queryClient, made);
    say.done(sentences.callbackDone);
    throw redirect({ href: takeReturnPath(), replace: true });
  },
  pendingComponent: lazyScreen(() => import('./auth/CallbackWaiting.tsx'), 'CallbackWaiting'),
  pendingMs: 0,
  pendingMinMs: 0,
});

/** The gate: every route behind it has a session. */
const session = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { api, queryClient } }) => {
    await queryClient.ensureQueryData(sessionQuery(api, queryClient));
  },
  component: lazyScreen(() => import('./SignedIn.tsx'), 'SignedIn'),
  errorComponent: lazyScreen(() => import('./SessionUnread.tsx'), 'SessionUnread'),
});
const success = createRoute({
  getParentRoute: () => session,
  path: '/success',
  component: lazyScreen(() => import('./dashboard/SuccessWithPhoto.tsx'), 'SuccessWithPhoto'),
});

const dashboard = createRoute({
  getParentRoute: () => session,
  id: 'dashboard-layout',
  component: lazyScreen(() => import('./dashboard/DashboardLayout.tsx'), 'DashboardLayout'),
});
const FIRST_TOOL = `/dashboard/${toolIds[0]}` as `/dashboard/${ToolId}`;
const start = createRoute({
  getParentRoute: () => dashboard,
  path: '/dashboard',
  beforeLoad: () => {
    throw redirect({ to: FIRST_TOOL, replace: true });
  },
});
const toToolRoute = (toolId: ToolId) =>
  createRoute({
    getParentRoute: () => dashboard,
    path: `/dashboard/${toolId}`,
    validateSearch: z.object({ photo: optional(z.string()), then: optional(z.literal('export')) }),
    component: lazyScreen(async () => {
      const { ToolScreen } = await import('./generations/ToolScreen.tsx');
      return { ToolRoute: () => <ToolScreen key={toolId} toolId={toolId} /> };
    }, 'ToolRoute'),
  });
const inDashboard = <Path extends string, Name extends string>(path: Path, ...screen: LazyScreen<Name>) =>
  createRoute({ getParentRoute: () => dashboard, path, component: lazyScreen(...screen) });
// With the id of a result, shows that result large.
const history = inDashboard(
  '/dashboard/history/{-$mediaId}',
  () => import('./dashboard/HistoryWithRunning.tsx'),
  'HistoryWithRunning',
);
const check = inDashboard('/dashboard/check', () => import('./dashboard/CheckWithRemover.tsx'), 'CheckWithRemover');
const runs = inDashboard('/dashboard/catalogue', () => import('./runs/list/RunsScreen.tsx'), 'RunsScreen');
const newRun = inDashboard('/dashboard/catalogue/new', () => import('./runs/new/NewRunScreen.tsx'), 'NewRunScreen');
const run = inDashboard('/dashboard/catalogue/$runId', () => import('./runs/working/RunScreen.tsx'), 'RunScreen');
const credits = createRoute({
  getParentRoute: () => dashboard,
  path: '/dashboard/credits',
  validateSearch: z.object({ success: optional(z.boolean()), package: optional(z.string()) }),
  beforeLoad: ({ search }) => {
    if (search.success === true) throw redirect({ to: '/success', replace: true });
  },
  component: lazyScreen(() => import('./dashboard/CreditsWithLedger.tsx'), 'CreditsWithLedger'),
});
const password = inDashboard(
  '/dashboard/change-password',
  () => import('./auth/ChangePasswordScreen.tsx'),
  'ChangePasswordScreen',
);
const account = createRoute({
  getParentRoute: () => dashboard,
  path: `${ACCOUNT_PATH}/{-$part}`,
  validateSearch: z.object({ delete: optional(z.string()) }),
  beforeLoad: ({ params: { part } }) => {
    if (part !== undefined && !isAccountPart(part)) throw redirect({ ...linkToAccount('profile'), replace: true });
  },
  component: lazyScreen(() => import('./account/AccountScreen.tsx'), 'AccountScreen'),
});
const elsewhere = createRoute({
  getParentRoute: () => dashboard,
  path: '/dashboard/$',
  beforeLoad: ({ params }) => {
    // The router also uses this route for the address without a parameter.
    if (params._splat === undefined || params._splat === '') throw redirect({ to: FIRST_TOOL, replace: true });
  },
  component: lazyScreen(() => import('./dashboard/NotFoundInside.tsx'), 'NotFoundInside'),
});

const insideRoutes = [start, history, check, runs, newRun, run, credits, password, account, elsewhere] as const;
const routeTree = root.addChildren([
  callback,
  session.addChildren([success, dashboard.addChildren([...toolIds.map(toToolRoute), ...insideRoutes])]),
]);

function ErrorRoute({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return <ErrorScreen error={error} onRetry={() => void router.invalidate().then(reset)} />;
}

export function makeRouter(queryClient: QueryClient, api: Api) {
  return createRouter({
    routeTree,
    context: { queryClient, api },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorRoute,
    defaultNotFoundComponent: lazyScreen(() => import('./public/NotFoundScreen.tsx'), 'NotFoundScreen'),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
