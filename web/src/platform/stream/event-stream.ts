import { createParser } from 'eventsource-parser';
import type { Api } from '../api.ts';

/** The id is that of the last event so far, empty before the first. */
export type StreamEvent = { id: string; name: string; data: string };

/** The server's events, plus one of the reader's own: missed events are unknown, so everything must be refetched. */
export const RESYNC: StreamEvent = { id: '', name: 'resync', data: '{}' };

export type StreamOptions = {
  onEvent: (event: StreamEvent) => void;
  /** Id of the last event received; the stream resumes after it. */
  lastId?: string;
  /** Silence timeout; the server sends a comment at least every 15 s. */
  silenceMs?: number;
  retryMs?: number;
};

/**
 * Reads the server's events until the signal aborts, reconnecting by itself. Uses fetch because EventSource gives up
 * after one 503 and hides a 401.
 */
export async function readEvents(api: Api, path: string, signal: AbortSignal, options: StreamOptions): Promise<void> {
  const state = { lastId: options.lastId ?? '', isFirst: true, retryMs: options.retryMs ?? 3000, failures: 0 };
  while (!signal.aborted) {
    await readOnce(api, path, signal, options, state);
    if (signal.aborted) return;
    await pause(Math.min(state.retryMs * 2 ** Math.min(state.failures, 4), 30_000), signal);
  }
}

type State = { lastId: string; isFirst: boolean; retryMs: number; failures: number };

async function readOnce(api: Api, path: string, signal: AbortSignal, options: StreamOptions, state: State) {
  const silence = new AbortController();
  const silenceMs = options.silenceMs ?? 40_000;
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const headers: Record<string, string> = state.lastId === '' ? {} : { 'last-event-id': state.lastId };
    const response = await api.stream(path, headers, AbortSignal.any([signal, silence.signal]));
    if (!state.isFirst && state.lastId === '') options.onEvent(RESYNC);
    state.failures = 0;
    const parser = createParser({
      onEvent: ({ id = state.lastId, event = 'message', data }) => {
        state.lastId = id;
        options.onEvent({ id, name: event, data });
      },
      onRetry: (retryMs) => (state.retryMs = retryMs),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      parser.feed(part.value);
    }
  } catch {
    // Whatever broke the stream: wait, then reconnect.
    state.failures += 1;
  } finally {
    clearTimeout(timer);
    state.isFirst = false;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return new Promise((resolve) => end.addEventListener('abort', () => resolve()));
}
