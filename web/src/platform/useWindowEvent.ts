import { useEffect, useEffectEvent } from 'react';

/** Hears what happens to the window, or came up to it, for as long as the component is there. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  onEvent: (event: WindowEventMap[Name]) => void,
): void {
  const hear = useEffectEvent(onEvent);
  useEffect(() => {
    const ending = new AbortController();
    window.addEventListener(name, (event) => hear(event), ending);
    return () => ending.abort();
  }, [name]);
}
