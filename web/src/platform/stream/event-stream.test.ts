import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inTurn, refuse, startServer, type Answer } from '../../../test/server.ts';
import { createApi } from '../api.ts';
import { readEvents, type StreamEvent } from './event-stream.ts';

function streamOf(text: string): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  };
}

/** Unless silence is what is asked for, a busy machine must not be taken for it. */
async function read(answer: Answer, silenceMs = 30_000) {
  const lastIds: (string | undefined)[] = [];
  const { origin } = await startServer({
    'GET /events': (request, response) => {
      lastIds.push(request.headers['last-event-id'] as string | undefined);
      return answer(request, response);
    },
  });
  const events: StreamEvent[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void readEvents(createApi({ origin }), '/events', end.signal, {
    onEvent: (event) => events.push(event),
    retryMs: 5,
    silenceMs,
  });
  return { lastIds, events, signal: end.signal };
}

test('an event may come in pieces, with comments and lines of any kind between', async () => {
  const { events } = await read(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of ['retry: 5\n\n: ping\n\nid: 4', '1\r\nevent: cre', 'dits\r\ndata: {"credits"', ':9}\r\n\r\n']) {
      response.write(part);
      await setTimeout(5);
    }
    response.end();
  });
  await vi.waitFor(() => expect(events[0]).toEqual({ id: '41', name: 'credits', data: '{"credits":9}' }));
});

test('a broken stream is opened again and says what it heard last', async () => {
  const first = streamOf('retry: 5\n\nid: 7\nevent: hello\ndata: {}\n\n');
  const second = streamOf('id: 8\nevent: credits\ndata: {}\n\n');
  const { lastIds, events } = await read(inTurn(first, refuse('temporarily_unavailable'), second));
  await vi.waitFor(() => expect(events.map(({ name }) => name)).toEqual(expect.arrayContaining(['hello', 'credits'])));
  expect(lastIds.slice(0, 3)).toEqual([undefined, '7', '7']);
  expect(events.map(({ name }) => name)).not.toContain('resync');
});

test('without an id to go on from, everything must be read again', async () => {
  const { events } = await read(streamOf('event: hello\ndata: {}\n\n'));
  await vi.waitFor(() => expect(events.map(({ name }) => name)).toContain('resync'));
});

test('a stream that opens late says that something may have been missed', async () => {
  const { events } = await read(
    inTurn(refuse('temporarily_unavailable'), streamOf('id: 3\nevent: hello\ndata: {}\n\n')),
  );
  await vi.waitFor(() => expect(events.slice(0, 2).map(({ name }) => name)).toEqual(['resync', 'hello']));
});

test('a stream that falls silent is given up and opened again', async () => {
  const { lastIds } = await read((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 3\nevent: hello\ndata: {}\n\n');
  }, 100);
  await vi.waitFor(() => expect(lastIds.length).toBeGreaterThan(1), 3000);
  expect(lastIds[1]).toBe('3');
});

test('a stream that is opened again and again leaves nothing behind', async () => {
  const { lastIds, signal } = await read(refuse('temporarily_unavailable'));
  await vi.waitFor(() => expect(lastIds.length).toBeGreaterThan(3));
  expect(getEventListeners(signal, 'abort').length).toBeLessThan(2);
});
