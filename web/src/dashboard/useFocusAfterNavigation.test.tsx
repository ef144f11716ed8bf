// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { expect, test } from 'vitest';
import '../../test/screen.tsx';
import { HISTORY_PATH, linkToHistory } from '../media/viewer-path.ts';
import { useFocusAfterNavigation } from './useFocusAfterNavigation.ts';

function Layout() {
  useFocusAfterNavigation();
  return (
    <main>
      <Outlet />
    </main>
  );
}

function Stage() {
  return (
    <>
      <h1 tabIndex={-1}>Stage</h1>
      <Link {...linkToHistory('med_1')} tabIndex={-1}>
        the picture
      </Link>
      <Link {...linkToHistory('med_1')}>View large</Link>
    </>
  );
}

test('a new screen is read from its title; back from the large view the focus is where it was opened', async () => {
  const root = createRootRoute({ component: Layout });
  const title = (text: string) => () => <h1 tabIndex={-1}>{text}</h1>;
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/dashboard/remover', component: Stage }),
      createRoute({ getParentRoute: () => root, path: '/dashboard/credits', component: title('Credits') }),
      createRoute({ getParentRoute: () => root, path: `${HISTORY_PATH}/{-$mediaId}`, component: title('History') }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/dashboard/remover'] }),
  });
  render(<RouterProvider router={router} />);
  await screen.findByRole('link', { name: 'View large' });
  const expectFocus = (role: string, name: string) =>
    waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, { name })));
  await act(() => router.navigate(linkToHistory('med_1')));
  await expectFocus('heading', 'History');
  act(() => router.history.back());
  await expectFocus('link', 'View large');
  await act(() => router.navigate({ to: '/dashboard/credits' }));
  await expectFocus('heading', 'Credits');
  act(() => router.history.back());
  await expectFocus('heading', 'Stage');
});
