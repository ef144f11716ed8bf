import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scene } from '@plinth/contract/generations';
import { expect, it, onTestFinished } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';

const ASSETS = join(import.meta.dirname, '..', '..', 'engine', 'assets');

const start = async (place: 'hosted' | 'built-in'): Promise<TestApp> => {
  const app = await startTestApp({ ROLE: 'web' }, undefined, place);
  onTestFinished(() => app.close());
  return app;
};
const list = async (of: TestApp) =>
  ((await (await fetch(`${of.url}/api/v1/scenes`)).json()) as { items: Scene[] }).items;

it('are shown to everybody in the order of the engine, with pictures that may be kept', async () => {
  const { plates } = JSON.parse(await readFile(join(ASSETS, 'plates', 'plates.json'), 'utf8')) as {
    plates: { id: string; says: string }[];
  };
  const app = await start('built-in');
  const scenes = await list(app);
  expect(scenes.length).toBeGreaterThan(20);
  expect(scenes.map(({ id, words }) => [id, words])).toEqual(plates.map(({ id, says }) => [id, says]));
  expect(new Set(scenes.map(({ imageUrl }) => imageUrl)).size).toBe(scenes.length);
  for (const { id, imageUrl } of [scenes[0]!, scenes.at(-1)!]) {
    const picture = await fetch(`${app.url}${imageUrl}`);
    const wanted = await readFile(join(ASSETS, 'thumbnails', `${id}.webp`));
    expect(Buffer.compare(Buffer.from(await picture.arrayBuffer()), wanted)).toBe(0);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  for (const file of ['other.webp', '..%2f..%2fplates%2fplates.json', '__proto__'])
    expect((await fetch(`${app.url}/assets/scenes/${file}`)).status).toBe(404);
});

it('are none where a hosted provider serves', async () => {
  expect(await list(await start('hosted'))).toEqual([]);
});
