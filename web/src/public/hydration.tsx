import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client';
import { ErrorScreen } from '../ErrorScreen.tsx';

/** What stands in the islands of the written pages, by the id of their elements. */
const islands: Record<string, () => Promise<ComponentType>> = {
  door: async () => (await import('../auth/LoginPage.tsx')).Door,
  'first-call': async () => (await import('../developers/FirstCall.tsx')).FirstCall,
  'hero-picture': async () => (await import('../landing/HeroPicture.tsx')).HeroPicture,
  'status-figures': async () => (await import('../status/StatusFigures.tsx')).StatusFigures,
  'try-here': async () => (await import('../try/TryHere.tsx')).TryHere,
  'verify-here': async () => (await import('../verify/VerifyHere.tsx')).VerifyHere,
};

/** Takes over an island. Resolves once it answers to what somebody does. Works without router and query cache. */
export async function hydrateIsland(island: HTMLElement): Promise<void> {
  const load = islands[island.id];
  if (load === undefined) throw new Error(`nobody knows the island ${island.id}`);
  // One after the other: run together, they would hold the page for one long moment.
  await untilNextTask();
  const Part = await load();
  await untilNextTask();
  await new Promise<void>((done) => {
    function Alive() {
      useEffect(done, []);
      return <Part />;
    }
    show(<Alive />, (content, options) => hydrateRoot(island, content, options));
  });
}

/** While developing: shows a whole page. */
export async function renderPage(element: HTMLElement, page: string): Promise<void> {
  const { publicRoutes } = await import('../routes.tsx');
  const Screen = await publicRoutes.find(({ path }) => path === page)?.load();
  if (Screen === undefined) return;
  show(<Screen />, (content, options) => {
    const root = createRoot(element, options);
    root.render(content);
    return root;
  });
}

/** Shows a part, and in its place that it broke, should it do so. */
function show(part: ReactNode, begin: (content: ReactNode, options: RootOptions) => Root): void {
  const content = <StrictMode>{part}</StrictMode>;
  const root = begin(content, {
    onUncaughtError(error) {
      reportError(error);
      root.render(<ErrorScreen error={error} onRetry={() => root.render(content)} />);
    },
  });
}

function untilNextTask(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
