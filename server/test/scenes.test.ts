import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scene } from '@plinth/contract/generations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishScenes } from '../src/generations/scenes.ts';
import { createLog } from '../src/platform/log.ts';
import { startTestApp, type TestApp } from './app.ts';
import { until } from './makers.ts';

let app: TestApp;
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
beforeAll(async () => {
  app = await startTestApp({}, clock, 'built-in');
});
afterAll(() => app.close());

const list = async (of = app) => ((await (await fetch(`${of.url}/api/v1/scenes`)).json()) as { items: Scene[] }).items;

/** An engine that first cannot say what it has, and then has these. */
async function startEngine(answers: unknown[]): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url !== '/scenes') return void response.end(`picture of ${request.url}`);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(answer === undefined ? 500 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const publish = async (scenes: unknown) => {
  const { url, server } = await startEngine([scenes]);
  await publishScenes(app.db, url, createLog('error'), AbortSignal.timeout(5000));
  server.close();
  aheadMs += 61_000;
};
const oak = { id: 'oak', words: 'wooden table', picture: '/scenes/oak.webp' };
const sand = { id: 'sand', words: 'sand, low sun', picture: '/scenes/sand.webp' };

it('are shown as soon as the engine has told them', async () => {
  expect(await list()).toEqual([]);
  await publish({ scenes: [oak] });
  aheadMs = 0;
  expect((await list()).map(({ id }) => id)).toEqual(['oak']);
  aheadMs = 61_000;
});

it('are shown to everybody in the order of the engine, with pictures that may be kept', async () => {
  await publish({ scenes: [oak, sand] });
  const scenes = await list();
  expect(scenes.map(({ id, words }) => [id, words])).toEqual([
    ['oak', 'wooden table'],
    ['sand', 'sand, low sun'],
  ]);
  const picture = await fetch(`${app.url}${scenes[0]?.imageUrl}`);
  expect(await picture.text()).toBe('picture of /scenes/oak.webp');
  expect(picture.headers.get('content-type')).toBe('image/webp');
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetch(`${app.url}/assets/scenes/other.webp`)).status).toBe(404);
});

it('are those of the newest engine after a minute, and never half of them', { tags: ['slow'] }, async () => {
  await publish({ scenes: [oak] });
  await publish({ scenes: [sand] });
  expect((await list()).map(({ id }) => id)).toEqual(['sand']);
  await publish({ scenes: [oak, { ...sand, picture: 'http://elsewhere.example/x.webp' }] });
  expect((await list()).map(({ id }) => id)).toEqual(['sand']);
});

it('are none where a hosted provider serves', async () => {
  const hosted = await startTestApp();
  expect(await until(() => list(hosted), Array.isArray)).toEqual([]);
  await hosted.close();
});
