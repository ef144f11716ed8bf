import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { toolIds } from '@plinth/contract/tools';
import { importLayout } from './bars.ts';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { StumbledScreen } from './StumbledScreen.tsx';
import { Toasts } from './ui/toast.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
});

// Public
const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./landing/LandingScreen.tsx'), 'LandingScreen'),
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./auth/LoginScreen.tsx'), 'LoginScreen'),
});
const callback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  component: lazyRouteComponent(() => import('./auth/CallbackScreen.tsx'), 'CallbackScreen'),
});

// Behind the session gate
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./SignedIn.tsx'), 'SignedIn'),
});
const success = createRoute({
  getParentRoute: () => signedIn,
  path: '/success',
  component: lazyRouteComponent(() => import('./payments/SuccessScreen.tsx'), 'SuccessScreen'),
});
const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  component: lazyRouteComponent(importLayout, 'DashboardLayout'),
});
const dashboardStart = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: `/dashboard/${toolIds[0]}`, replace: true });
  },
});
const toolRoutes = toolIds.map((toolId) =>
  createRoute({
    getParentRoute: () => dashboard,
    path: `/${toolId}`,
    component: lazyRouteComponent(async () => {
      const { ToolOfUser } = await import('./ToolOfUser.tsx');
      return { default: () => <ToolOfUser toolId={toolId} /> };
    }),
  }),
);
const history = createRoute({
  getParentRoute: () => dashboard,
  path: '/history',
  component: lazyRouteComponent(() => import('./HistoryWithRunning.tsx'), 'HistoryWithRunning'),
});
const credits = createRoute({
  getParentRoute: () => dashboard,
  path: '/credits',
  beforeLoad: ({ search }: { search: { success?: unknown } }) => {
    if (search.success === true) throw redirect({ to: '/success', replace: true });
  },
  component: lazyRouteComponent(() => import('./CreditsWithLedger.tsx'), 'CreditsWithLedger'),
});
const changePassword = createRoute({
  getParentRoute: () => dashboard,
  path: '/change-password',
  component: lazyRouteComponent(() => import('./auth/ChangePasswordScreen.tsx'), 'ChangePasswordScreen'),
});

const routeTree = root.addChildren([
  landing,
  login,
  callback,
  signedIn.addChildren([
    success,
    dashboard.addChildren([dashboardStart, ...toolRoutes, history, credits, changePassword]),
  ]),
]);

/** Every screen of the product and where it lives. */
export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: StumbledScreen,
    defaultNotFoundComponent: NotFoundScreen,
  });
}
