import { useCallback, type ComponentType } from 'react';
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
  type AnyRoute,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { toolIds } from '@plinth/contract/tools';
import { importLayout } from './dashboard/bars.ts';
import { listAppRoutes, type AppRoute } from './routes.tsx';
import { StumbledScreen } from './StumbledScreen.tsx';
import { LinkContext } from './ui/link-context.ts';
import { Toasts } from './ui/toast.tsx';

/**
 * A screen that is fetched when it is opened. The router reloads the page when a file is missing, as after an update;
 * without a line that would end on the browser's own page, so there the error is another one.
 */
function lazyScreen(load: () => Promise<ComponentType>) {
  return lazyRouteComponent(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw navigator.onLine ? cause : new Error('The screen could not be fetched.', { cause });
    }
  });
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <LinkContext value={(props) => <Link {...props} />}>
      <Outlet />
      <Toasts />
    </LinkContext>
  ),
});
const session = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyScreen(async () => (await import('./SignedIn.tsx')).SignedIn),
});
const dashboard = createRoute({
  getParentRoute: () => session,
  id: 'dashboard-layout',
  component: lazyScreen(async () => (await importLayout()).DashboardLayout),
});

function toRoute(route: AppRoute, parent: AnyRoute): AnyRoute {
  const { path, leadsTo, load } = route;
  return createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: ({
      search,
      params,
    }: {
      search: Record<string, unknown>;
      params: Record<string, string | undefined>;
    }) => {
      const to = leadsTo?.(search, params) ?? null;
      if (to !== null) throw redirect({ to, replace: true });
    },
    ...(load === undefined ? {} : { component: lazyScreen(load) }),
  });
}

function routesIn(frame: AppRoute['frame'], parent: AnyRoute): AnyRoute[] {
  return listAppRoutes(toolIds)
    .filter((route) => route.frame === frame)
    .map((route) => toRoute(route, parent));
}

const routeTree = root.addChildren([
  ...routesIn('none', root),
  session.addChildren([...routesIn('session', session), dashboard.addChildren(routesIn('dashboard', dashboard))]),
]);

/** A screen whose file could not be fetched is fetched once more before it is shown again. */
function StumbledRoute({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => void router.invalidate().then(reset), [router, reset]);
  return <StumbledScreen error={error} onRetry={retry} />;
}

/** The routed app: every address that is no public page. */
export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: StumbledRoute,
    defaultNotFoundComponent: lazyScreen(async () => (await import('./public/NotFoundSignedIn.tsx')).NotFoundSignedIn),
  });
}
