import { useEffect, useEffectEvent } from 'react';

/**
 * Where there is no Escape key: the Back of a phone closes what lies on top instead of leaving the screen. Drawn in
 * that, it is there as long as that is open.
 */
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
