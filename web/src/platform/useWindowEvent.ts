import { useEffect, useEffectEvent } from 'react';

/** Listens to an event on the window, bubbled events included, while the component is mounted. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  onEvent: (event: WindowEventMap[Name]) => void,
): void {
  const handle = useEffectEvent(onEvent);
  useEffect(() => {
    const ending = new AbortController();
    window.addEventListener(name, (event) => handle(event), ending);
    return () => ending.abort();
  }, [name]);
}
