import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, removeFolder, startEngine } from '../../test/engine.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1' });
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

it('lists its scenes with words and a small picture each, without a key', async () => {
  const response = await engine.call('GET', '/scenes', { key: null });
  const { scenes } = (await response.json()) as { scenes: { id: string; words: string; picture: string }[] };
  expect(scenes.length).toBeGreaterThan(20);
  for (const { id, words, picture } of [scenes[0]!, scenes.at(-1)!]) {
    expect(words).toMatch(/\w/);
    expect(picture).toBe(`/scenes/${id}.webp`);
    const shown = await engine.call('GET', picture, { key: null });
    expect(shown.headers.get('content-type')).toBe('image/webp');
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format).toBe('webp');
  }
});

it.each(['/scenes/none.webp', '/scenes/none', '/scenes/..%2f..%2fplates.json.webp', '/scenes/__proto__.webp'])(
  'has nothing under %s',
  async (path) => {
    expect((await engine.call('GET', path, { key: null })).status).toBe(404);
  },
);
