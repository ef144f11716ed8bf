import type { Api } from './api.ts';

/** The id is that of the last event so far, empty before the first. */
export type StreamEvent = { id: string; name: string; data: string };

/** What the server says, and a reader to itself, when nobody knows what was missed: everything must be read again. */
export const RESYNC: StreamEvent = { id: '', name: 'resync', data: '{}' };

export type StreamOptions = {
  onEvent: (event: StreamEvent) => void;
  /** The id of the last event that was heard; the stream begins behind it. */
  lastId?: string;
  /** How long silence may last; the server sends a comment at least every 15 s. */
  silenceMs?: number;
  retryMs?: number;
};

/**
 * Reads the server's events until the signal ends it, connecting again by itself. Made with fetch and not with
 * EventSource, because that gives up for good after one 503 and hides a 401.
 */
export async function readEvents(api: Api, path: string, signal: AbortSignal, options: StreamOptions): Promise<void> {
  const state = { lastId: options.lastId ?? '', isFirst: true, retryMs: options.retryMs ?? 3000, failures: 0 };
  while (!signal.aborted) {
    await readOnce(api, path, signal, options, state);
    if (signal.aborted) return;
    const waitMs = Math.min(state.retryMs * 2 ** Math.min(state.failures, 4), 30_000);
    await pause(waitMs, signal);
  }
}

type State = { lastId: string; isFirst: boolean; retryMs: number; failures: number };

async function readOnce(
  api: Api,
  path: string,
  signal: AbortSignal,
  options: StreamOptions,
  state: State,
): Promise<void> {
  const silence = new AbortController();
  const silenceMs = options.silenceMs ?? 40_000;
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const headers: Record<string, string> = state.lastId === '' ? {} : { 'last-event-id': state.lastId };
    const response = await api.stream(path, headers, AbortSignal.any([signal, silence.signal]));
    if (!state.isFirst && state.lastId === '') options.onEvent(RESYNC);
    state.failures = 0;
    const parse = createParser(options.onEvent, state);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      parse(part.value);
    }
  } catch {
    // Whatever broke the stream, the answer is the same: wait, then connect again.
    state.failures += 1;
  } finally {
    clearTimeout(timer);
    state.isFirst = false;
  }
}

/** The WHATWG event-stream format, as far as our server speaks it. */
export function createParser(onEvent: (event: StreamEvent) => void, state: { lastId: string; retryMs: number }) {
  let rest = '';
  let event = { name: 'message', data: '' };

  const readLine = (line: string) => {
    if (line === '') {
      if (event.data !== '') onEvent({ ...event, id: state.lastId });
      event = { name: 'message', data: '' };
      return;
    }
    const [field = '', ...parts] = line.split(':');
    const value = parts.join(':').replace(/^ /, '');
    if (field === 'event') event.name = value;
    if (field === 'data') event.data += event.data === '' ? value : `\n${value}`;
    if (field === 'id') state.lastId = value;
    if (field === 'retry' && /^\d+$/.test(value)) state.retryMs = Number(value);
  };

  return (text: string) => {
    rest += text;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(readLine);
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
