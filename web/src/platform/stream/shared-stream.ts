import type { Api } from '../api.ts';
import { readEvents, RESYNC, type StreamEvent } from './event-stream.ts';

/** Priority of a tab: `first` if it is visible, `in line` if only its work goes on. */
export type Need = 'first' | 'in line' | 'none';

export type SharedStream = { need: (need: Need) => void; close: () => void };

/**
 * Shares one event stream between all tabs, because a browser opens only six connections to a server. The tab that
 * holds the lock reads the stream and broadcasts every event. Without the Locks API, as on a page without TLS, each tab
 * reads its own stream.
 * @param name identifies the account; tabs of other accounts use other names
 */
export function shareStream(api: Api, path: string, name: string, onEvent: (event: StreamEvent) => void): SharedStream {
  const channel = canShare() ? new BroadcastChannel(name) : null;
  let lastId = '';
  let holding: AbortController | null = null;
  let needed: Need = 'none';

  const receive = (event: StreamEvent) => {
    // The stream resumes after the last event this tab received.
    const isGap = event.name === 'hello' && lastId !== '' && event.id !== lastId;
    lastId = event.id;
    onEvent(event);
    if (isGap) onEvent(RESYNC);
  };
  const read = (signal: AbortSignal) =>
    readEvents(api, path, signal, {
      lastId,
      onEvent: (event) => {
        channel?.postMessage(event);
        receive(event);
      },
    });

  /** Reads the stream whenever this tab holds the lock, until released. */
  const hold = async (end: AbortSignal, isFirst: boolean): Promise<void> => {
    if (channel === null) return read(end);
    const taken = new AbortController();
    const options = isFirst ? { steal: true } : { signal: end };
    try {
      await navigator.locks.request(name, options, () => read(AbortSignal.any([end, taken.signal])));
    } catch (cause) {
      taken.abort();
      // Released while waiting, or stolen by a visible tab. Where storage is forbidden, locks are as well.
      if (!(cause instanceof DOMException && cause.name === 'AbortError')) return read(end);
    }
    if (!end.aborted) await hold(end, false);
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => receive(data));
  const need = (next: Need) => {
    const before = needed;
    needed = next;
    // A tab keeps the lock while its work goes on.
    if (next === before || (next === 'in line' && before === 'first')) return;
    holding?.abort();
    holding = next === 'none' ? null : new AbortController();
    if (holding !== null) void hold(holding.signal, next === 'first');
  };
  return {
    need,
    close: () => {
      need('none');
      channel?.close();
    },
  };
}

const canShare = () => 'locks' in navigator && typeof BroadcastChannel === 'function';
