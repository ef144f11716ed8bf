import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeAll, vi } from 'vitest';
import type { ReactElement } from 'react';
import { createApi } from '../src/platform/api.ts';
import { deleteStored, openPersistentStores } from '../src/platform/storage/persistent-store.ts';
import { ApiContext } from '../src/platform/useApi.ts';
import { UserContext } from '../src/platform/useUser.ts';
import { LinkContext } from '../src/ui/link-context.ts';
import { loadToasts, Toasts } from '../src/ui/above/toast.tsx';
import { makeSession } from './makers.ts';
import { resetStores } from './stores.ts';

/** What a screen shows may wait for a module of its own, which a busy machine compiles for more than a second. */
configure({ asyncUtilTimeout: 5000 });

// What jsdom does not have.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList;
URL.createObjectURL = () => 'blob:test';
URL.revokeObjectURL = () => {};
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
HTMLElement.prototype.setPointerCapture = () => {};
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
HTMLImageElement.prototype.decode = () => Promise.resolve();
vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(800);
vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(800);

// So that no test waits for the file of the first toast.
beforeAll(async () => void (await loadToasts()));

/** A browser that never saw this person. */
export async function clearBrowser(): Promise<void> {
  localStorage.clear();
  await deleteStored(makeSession().user.id);
}

/** What a reload takes with it: the screen, and all that the page alone knew. */
export function leavePage(): void {
  cleanup();
  resetStores();
}

afterEach(() => {
  toast.dismiss();
  leavePage();
});

/** A screen in its surroundings: the real client against the test's server, a router, the toasts. */
export function renderScreen(
  screen: ReactElement,
  { origin, path = '/', at = path }: { origin: string; path?: string; at?: string },
) {
  openPersistentStores(makeSession().user.id);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = createRootRoute({
    component: () => (
      <LinkContext value={(props) => <Link {...props} />}>
        <Outlet />
        <Toasts />
      </LinkContext>
    ),
  });
  const here = createRoute({ getParentRoute: () => root, path: path.split('?')[0] ?? '/', component: () => screen });
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <p>Elsewhere</p> });
  const router = createRouter({
    routeTree: root.addChildren([here, elsewhere]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  const api = createApi({ origin });
  const view = render(
    <ApiContext value={api}>
      <QueryClientProvider client={queryClient}>
        <UserContext value={makeSession().user}>
          <RouterProvider router={router} />
        </UserContext>
      </QueryClientProvider>
    </ApiContext>,
  );
  return { ...view, api, queryClient, router };
}

export function pictureFile(name = 'vase.jpg', type = 'image/jpeg'): File {
  return new File([new Uint8Array(2048)], name, { type });
}
