import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the script before the part is drawn: it is then there at once. Throws nothing: drawing it asks again. */
  prepare: () => void;
};

/** A part of a screen whose script is fetched when it is first drawn; `instead` stands there until it came. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode = () => null,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const remember = async () => (loaded = await load());
  const Coming: ComponentType<Props> = lazy(async () => ({ default: await remember() }));
  function Part(props: Props) {
    const [shown] = useState(() => loaded ?? Coming);
    return <Suspense fallback={instead(props)}>{createElement(shown, props)}</Suspense>;
  }
  return Object.assign(Part, { prepare: () => void remember().catch(() => undefined) });
}
