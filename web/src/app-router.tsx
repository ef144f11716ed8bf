import { useCallback } from 'react';
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
import { importLayout } from './bars.ts';
import { listAppRoutes, type AppRoute } from './routes.tsx';
import { StumbledScreen } from './StumbledScreen.tsx';
import { LinkContext } from './ui/link-context.ts';
import { Toasts } from './ui/toast.tsx';

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
  component: lazyRouteComponent(() => import('./SignedIn.tsx'), 'SignedIn'),
});
const dashboard = createRoute({
  getParentRoute: () => session,
  id: 'dashboard-layout',
  component: lazyRouteComponent(importLayout, 'DashboardLayout'),
});

function toRoute(route: AppRoute, parent: AnyRoute): AnyRoute {
  const { path, leadsTo, load } = route;
  return createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: ({ search }: { search: Record<string, unknown> }) => {
      const to = leadsTo?.(search) ?? null;
      if (to !== null) throw redirect({ to, replace: true });
    },
    ...(load === undefined ? {} : { component: lazyRouteComponent(async () => ({ default: await load() })) }),
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
    defaultNotFoundComponent: lazyRouteComponent(() => import('./NotFoundSignedIn.tsx'), 'NotFoundSignedIn'),
  });
}
