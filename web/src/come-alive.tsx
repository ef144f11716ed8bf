import { StrictMode, useEffect, type ComponentType } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ScreenBoundary } from './ScreenBoundary.tsx';

/** Takes over markup that the build wrote of this component. Resolves once it answers to what somebody does. */
export function hydrate(element: HTMLElement, Part: ComponentType): Promise<void> {
  return new Promise((done) => {
    function AlivePart() {
      useEffect(done, []);
      return <Part />;
    }
    hydrateRoot(element, frame(AlivePart));
  });
}

/** Renders into an empty element. */
export function render(element: HTMLElement, Part: ComponentType): void {
  createRoot(element).render(frame(Part));
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
