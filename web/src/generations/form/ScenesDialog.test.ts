// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { rememberScene, useMemory } from '../memory.ts';
import { findScenes, groupScenes } from './ScenesDialog.tsx';

const scene = (words: string) => ({ id: words.replaceAll(' ', '-'), words, imageUrl: '' });
const all = [
  ...['wooden table', 'light wood, from above', 'snow, fir trees', 'smoke', 'white marble podium'],
  ...['workshop, tools on the wall', 'sideboard with a vase', 'striped wallpaper', 'watercolour'],
].map(scene);
const wordsOf = (scenes: readonly { words: string }[]) => scenes.map(({ words }) => words);

beforeEach(() => localStorage.clear());

test('a scene stands in the first group that its words name, and in the last where none does', () => {
  expect(groupScenes(all).map(([name, some]) => [name, wordsOf(some)])).toEqual([
    ['Wood', ['wooden table']],
    ['Stone', ['white marble podium']],
    ['Rooms', ['sideboard with a vase']],
    ['Seasons and feasts', ['snow, fir trees']],
    ['From above', ['light wood, from above']],
    ['Shops and places', ['workshop, tools on the wall']],
    ['Patterns', ['striped wallpaper', 'watercolour']],
    ['Moods and more', ['smoke']],
  ]);
});

test('a search finds the beginnings of words, also of a group', () => {
  expect(wordsOf(findScenes(all, 'woo'))).toEqual(['wooden table', 'light wood, from above']);
  expect(wordsOf(findScenes(all, 'Season'))).toEqual(['snow, fir trees']);
  expect(wordsOf(findScenes(all, 'above wood'))).toEqual(['light wood, from above']);
  expect(findScenes(all, 'oden')).toEqual([]);
  expect(findScenes(all, '  ')).toHaveLength(all.length);
});

test('what was used last comes first, each once, and only a few', () => {
  for (const id of ['a', 'b', 'a', 'c', 'd', 'e']) rememberScene(id);
  expect(useMemory.getState().lastScenes).toEqual(['e', 'd', 'c', 'a']);
});
