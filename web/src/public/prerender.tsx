import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { QueryClient } from '@tanstack/react-query';
import { makeRouter } from '../app-router.tsx';
import { createApi } from '../platform/api.ts';
import { CallbackWaiting } from '../auth/CallbackWaiting.tsx';
import { publicRoutes } from '../routes.tsx';

/** Runs at build, in Node. What `scripts/prerender.mjs` needs to know of the pages. */

export async function writePublicPages() {
  return Promise.all(
    publicRoutes.map(async ({ load, ...page }) => {
      const Screen = await load();
      return { ...page, screen: Screen.name, markup: await toMarkup(<Screen />) };
    }),
  );
}

/** What stands below a page while its script could not be fetched. */
export async function writeUnfetched(): Promise<string> {
  return toMarkup(
    <p className="error unfetched" role="alert">
      Part of this page could not be fetched. Check your connection and try again.
    </p>,
  );
}

/** The wait at `/auth/callback`, shown until the app takes over; the markup's screen is `CallbackScreen`. */
export async function writeCallbackShell(): Promise<string> {
  return toMarkup(<CallbackWaiting />);
}

export function listAppPaths(): string[] {
  const own = new Set(publicRoutes.map(({ path }) => path));
  return Object.keys(makeRouter(new QueryClient(), createApi()).routesByPath)
    .flatMap(toServed)
    .filter((path) => !own.has(path));
}

/** The router's `$name`, and its `{-$name}`, a last part that may be missing, as the server writes them. */
function toServed(path: string): string[] {
  const [whole, before, name] = /^(.*)\/\{-\$(\w+)\}$/.exec(path) ?? [];
  // What stands for any address is answered as one that does not exist.
  if (path.endsWith('/$')) return [];
  const paths = whole === undefined ? [path] : [before ?? '', `${before}/$${name}`];
  return paths.map((one) => one.replaceAll('/$', '/:'));
}

async function toMarkup(element: ReactNode): Promise<string> {
  const { prelude } = await prerender(element);
  return new Response(prelude).text();
}
