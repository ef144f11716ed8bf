import type { Api } from '../api.ts';
import { readEvents, RESYNC, type StreamEvent } from './event-stream.ts';

/** How much a tab needs the stream: `first` when it is looked at, `in line` when only its work goes on. */
export type Need = 'first' | 'in line' | 'none';

export type SharedStream = { need: (need: Need) => void; close: () => void };

/**
 * The server's events for all tabs of this browser by one stream, because a browser opens only six lines to a server.
 * The tab that holds the lock reads it and passes every event on. Without locks, as on a page without TLS, a tab reads
 * a stream of its own.
 * @param name whose events these are: tabs of another account have another name
 */
export function shareStream(api: Api, path: string, name: string, onEvent: (event: StreamEvent) => void): SharedStream {
  const channel = canShare() ? new BroadcastChannel(name) : null;
  let lastId = '';
  let holding: AbortController | null = null;
  let needed: Need = 'none';

  const hear = (event: StreamEvent) => {
    // A stream begins behind what this tab heard last.
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
        hear(event);
      },
    });

  /** Reads the stream whenever this tab has the lock, until it is let go. */
  const hold = async (end: AbortSignal, isFirst: boolean): Promise<void> => {
    if (channel === null) return read(end);
    const taken = new AbortController();
    const options = isFirst ? { steal: true } : { signal: end };
    try {
      await navigator.locks.request(name, options, () => read(AbortSignal.any([end, taken.signal])));
    } catch (cause) {
      taken.abort();
      // Let go while it waited, or taken by a tab that is looked at. Where storage is forbidden, locks are, too.
      if (!(cause instanceof DOMException && cause.name === 'AbortError')) return read(end);
    }
    if (!end.aborted) await hold(end, false);
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => hear(data));
  const need = (next: Need) => {
    const before = needed;
    needed = next;
    // What a tab has it keeps while its work goes on.
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
