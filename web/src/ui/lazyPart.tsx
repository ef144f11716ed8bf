import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the script ahead, so that the part renders at once. Never throws: rendering fetches again. */
  prepare: () => void;
};

/**
 * A part of a screen whose script is fetched on first render. `instead` is shown until it arrives, and stays if it
 * fails and the part is `spare`. A failure of a necessary part is its screen's failure.
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
    // A new lazy component per mount: React never retries a failed import.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? lazy(come));
    return <Suspense fallback={instead(props)}>{createElement(shown, props)}</Suspense>;
  }
  return Object.assign(Part, { prepare: () => void remember().catch(() => undefined) });
}
