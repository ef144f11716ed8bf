import { onTestFinished, vi } from 'vitest';

/** The Back of a phone, as its browser hands it to what lies on top: all that wait for it, oldest first. */
export function stubPhoneBack() {
  const watchers: { onclose: () => void; destroy: () => void }[] = [];
  class CloseWatcher {
    onclose = () => {};
    destroy = vi.fn();
    constructor() {
      watchers.push(this);
    }
  }
  vi.stubGlobal('CloseWatcher', CloseWatcher);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(pointer: coarse)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  onTestFinished(() => void vi.unstubAllGlobals());
  return watchers;
}
