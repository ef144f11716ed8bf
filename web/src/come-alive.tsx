import { StrictMode, type ComponentType } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ScreenBoundary } from './ScreenBoundary.tsx';

/** Takes over markup that the build wrote of this component. */
export function hydrate(element: HTMLElement, Part: ComponentType): void {
  hydrateRoot(element, frame(Part));
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
