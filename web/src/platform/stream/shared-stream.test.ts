import { locks } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../test/server.ts';
import { createApi } from '../api.ts';
import type { StreamEvent } from './event-stream.ts';
import { shareStream } from './shared-stream.ts';

// As a page with TLS has them.
vi.stubGlobal('navigator', { locks });

/** A server that greets each stream with the newest id, and tabs of one browser that share its events. */
async function setUp() {
  const open = new Set<{ write: (text: string) => void; lastId: unknown }>();
  let newest = 1;
  const send = (to: { write: (text: string) => void }, name: string, id: number) =>
    to.write(`id: ${id}\nevent: ${name}\ndata: {}\n\n`);
  const { origin, asked } = await startServer({
    'GET /events': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const lastId = request.headers['last-event-id'];
      const stream = { write: (text: string) => void response.write(text), lastId };
      open.add(stream);
      send(stream, 'hello', lastId === undefined ? newest : Number(lastId));
      for (let id = Number(lastId); id < newest; id += 1) send(stream, 'credits', id + 1);
      response.on('close', () => open.delete(stream));
    },
  });
  const api = createApi({ origin });
  const openTab = (account = origin) => {
    const heard: string[] = [];
    const hear = ({ name, id }: StreamEvent) => void heard.push(`${name} ${id}`);
    const stream = shareStream(api, '/events', `events of ${account}`, hear);
    onTestFinished(() => stream.close());
    return { heard, stream };
  };
  const tell = () => {
    newest += 1;
    for (const stream of open) send(stream, 'credits', newest);
  };
  return { open, asked, openTab, tell };
}

test('seven tabs hear the same by one stream, and the next takes over from where the last one was', async () => {
  const { open, openTab, tell } = await setUp();
  const tabs = Array.from({ length: 7 }, () => openTab());
  for (const { stream, heard } of tabs) {
    stream.need('first');
    await vi.waitFor(() => expect(heard).toContain('hello 1'));
  }
  await vi.waitFor(() => expect(open.size).toBe(1));
  tell();
  for (const { heard } of tabs) await vi.waitFor(() => expect(heard).toContain('credits 2'));
  tabs[6]?.stream.close();
  await vi.waitFor(() => expect([...open].map(({ lastId }) => lastId)).toEqual(['2']));
  tell();
  for (const { heard } of tabs.slice(0, 6)) await vi.waitFor(() => expect(heard).toContain('credits 3'));
  expect(tabs.flatMap(({ heard }) => heard)).not.toContain('resync ');
});

test('a hidden tab lets go at once; one whose work goes on waits in line, behind the one that is looked at', async () => {
  const { open, openTab, asked } = await setUp();
  const [hidden, working, shown] = [openTab(), openTab(), openTab()];
  hidden.stream.need('first');
  await vi.waitFor(() => expect(open.size).toBe(1));
  hidden.stream.need('none');
  await vi.waitFor(() => expect(open.size).toBe(0));
  working.stream.need('first');
  await vi.waitFor(() => expect(open.size).toBe(1));
  working.stream.need('in line');
  shown.stream.need('first');
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  await vi.waitFor(() => expect(open.size).toBe(1));
  shown.stream.need('none');
  await vi.waitFor(() => expect(asked).toHaveLength(4));
  expect(open.size).toBe(1);
});

test('a tab that was without the stream reads on where it stopped', async () => {
  const { open, openTab, tell } = await setUp();
  const tab = openTab();
  tab.stream.need('first');
  await vi.waitFor(() => expect(tab.heard).toEqual(['hello 1']));
  tab.stream.need('none');
  await vi.waitFor(() => expect(open.size).toBe(0));
  tell();
  tab.stream.need('first');
  await vi.waitFor(() => expect(tab.heard).toEqual(['hello 1', 'hello 1', 'credits 2']));
});

test('who hears a stream begin behind what was heard reads everything again', async () => {
  const { open, openTab, tell } = await setUp();
  const old = openTab();
  old.stream.need('first');
  await vi.waitFor(() => expect(old.heard).toEqual(['hello 1']));
  old.stream.need('none');
  await vi.waitFor(() => expect(open.size).toBe(0));
  tell();
  openTab().stream.need('first');
  await vi.waitFor(() => expect(old.heard).toEqual(['hello 1', 'hello 2', 'resync ']));
});

test('tabs of two accounts never hear each other', async () => {
  const { open, openTab } = await setUp();
  const [one, other] = [openTab('usr_1'), openTab('usr_2')];
  one.stream.need('first');
  await vi.waitFor(() => expect(one.heard).toEqual(['hello 1']));
  other.stream.need('first');
  await vi.waitFor(() => expect(open.size).toBe(2));
  await vi.waitFor(() => expect(other.heard).toEqual(['hello 1']));
  expect(one.heard).toEqual(['hello 1']);
});

test('without locks, or where they are forbidden, each tab reads a stream of its own', async () => {
  const forbidden = { request: async () => Promise.reject(new DOMException('No storage', 'SecurityError')) };
  for (const without of [{}, { locks: forbidden }]) {
    vi.stubGlobal('navigator', without);
    const { open, openTab } = await setUp();
    const tabs = [openTab(), openTab()];
    for (const { stream } of tabs) stream.need('first');
    await vi.waitFor(() => expect(open.size).toBe(2));
    tabs[0]?.stream.need('none');
    await vi.waitFor(() => expect(open.size).toBe(1));
  }
  vi.stubGlobal('navigator', { locks });
});
