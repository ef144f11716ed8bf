import { Component, type ComponentType, type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ErrorScreen } from '../ErrorScreen.tsx';
import { publicRoutes } from '../routes.tsx';

/** Takes over the part of a written page that needs a script. Resolves once it answers to what somebody does. */
export async function hydratePart(part: HTMLElement, page: string): Promise<void> {
  const { island, withPhoto } = findRoute(page) ?? {};
  const own = [island, withPhoto].find((one) => one?.elementId === part.id);
  if (own === undefined || own === null) return;
  // One after the other: run together, they would hold the page for one long moment.
  await untilNextTask();
  const Part = await own.load();
  await untilNextTask();
  await hydrate(part, Part);
}

export async function renderPage(root: HTMLElement, page: string): Promise<void> {
  const Screen = await findRoute(page)?.load();
  if (Screen !== undefined) createRoot(root).render(frame(Screen));
}

function findRoute(page: string) {
  return publicRoutes.find(({ path }) => path === page);
}

function hydrate(element: HTMLElement, Part: ComponentType): Promise<void> {
  return new Promise((done) => {
    function IslandPart() {
      useEffect(done, []);
      return <Part />;
    }
    hydrateRoot(element, frame(IslandPart));
  });
}

function frame(Part: ComponentType) {
  return (
    <StrictMode>
      <ScreenBoundary>
        <Part />
      </ScreenBoundary>
    </StrictMode>
  );
}

function untilNextTask(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

type BoundaryProps = { children: ReactNode };

/** Shows that a screen broke, in its place. React catches errors in classes only. */
class ScreenBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => this.setState({ error: null });

  override render() {
    if (this.state.error === null) return this.props.children;
    return <ErrorScreen error={this.state.error} onRetry={this.retry} />;
  }
}
