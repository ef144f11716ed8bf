import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react';

/** A part of a screen whose script is fetched when it is first drawn; `instead` stands there until it came. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ReactNode = null,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  return (props) => <Suspense fallback={instead}>{createElement(Part, props)}</Suspense>;
}
