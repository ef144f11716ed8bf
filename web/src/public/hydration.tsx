import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client';
import { ErrorScreen } from '../ErrorScreen.tsx';

/** Components of the islands in the prerendered pages, by element id. */
const islands: Record<string, () => Promise<ComponentType>> = {
  'agent-settings': async () => (await import('../developers/AgentSettings.tsx')).AgentSettings,
  door: async () => (await import('../auth/LoginPage.tsx')).LoginIsland,
  'first-call': async () => (await import('../developers/FirstCall.tsx')).FirstCall,
  'hero-picture': async () => (await import('../landing/HeroPicture.tsx')).HeroPicture,
  'status-figures': async () => (await import('../status/StatusFigures.tsx')).StatusFigures,
  'try-here': async () => (await import('../try/TryHere.tsx')).TryHere,
  'verify-here': async () => (await import('../verify/VerifyHere.tsx')).VerifyHere,
};

/** Hydrates an island. Resolves once it is interactive. Needs no router and no query cache. */
export async function hydrateIsland(island: HTMLElement): Promise<void> {
  const load = islands[island.id];
  if (load === undefined) throw new Error(`nobody knows the island ${island.id}`);
  // One after the other: together they would block the page for one long task.
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

/** Development only: renders a whole page. */
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

/** Renders a part, with an error message in its place if it throws. */
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
