import { useEffect, useEffectEvent } from 'react';

/** Closes the top layer with a phone's Back button instead of leaving the screen. Mounted while that layer is open. */
export function CloseRequest({ onClose }: { onClose: () => void }): null {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => { onclose: () => void; destroy: () => void } };
    if (CloseWatcher === undefined || !matchMedia('(pointer: coarse)').matches) return;
    const watcher = new CloseWatcher();
    watcher.onclose = () => close();
    return () => watcher.destroy();
  }, []);
  return null;
}
