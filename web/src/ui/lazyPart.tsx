import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the script before the part is drawn: it is then there at once. Throws nothing: drawing it asks again. */
  prepare: () => void;
};

/**
 * A part of a screen whose script is fetched when it is first drawn; `instead` stands there until it came, and where it
 * did not come and is `spare`. One that is needed takes its screen along.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode = () => null,
  need: 'needed' | 'spare' = 'needed',
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const remember = async () => (loaded = await load());
  const come = async () => ({ default: await remember().catch(miss) });
  const miss = (cause: unknown): ComponentType<Props> => {
    if (need === 'spare') return instead;
    throw cause;
  };
  function Part(props: Props) {
    // One for each time it is drawn anew: React asks no second time for what could not be fetched.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? lazy(come));
    return <Suspense fallback={instead(props)}>{createElement(shown, props)}</Suspense>;
  }
  return Object.assign(Part, { prepare: () => void remember().catch(() => undefined) });
}
