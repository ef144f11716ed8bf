import { beforeAll, describe, expect, it } from 'vitest';
import type { Matter } from '../src/matting/matter.ts';
import { dilate } from '../src/matting/regions.ts';
import { segment } from '../src/matting/segment.ts';
import { shrinkPicture } from '../src/pixels/decode.ts';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { resizePlane } from '../src/pixels/planes.ts';
import { composedCases, findShortcomings, measureRemoval, photoCases } from './removal.ts';
import { outdoorCases } from './outdoors.ts';
import { findSceneShortcomings, measureScene, SCENE_CASES, thumbnailDifference, type SceneRow } from './scenes.ts';

beforeAll(loadOpenCv);

const MANY_PICTURES_MS = 240_000; // some take seconds each, and the machine may be busy

describe('remove-background', { timeout: MANY_PICTURES_MS }, () => {
  it('is good enough on product photos and shows none that it got wrong', async () => {
    const rows = await measureRemoval(photoCases());
    expect(findShortcomings(rows)).toEqual([]);
    const shown = rows.filter((row) => !row.wasRefused).map((row) => row.name.split(' ')[0]);
    const mustShow = [
      'mug',
      'dropper',
      'handbag',
      'teddy',
      'ringvase',
      'kettle',
      'candle',
      'person-li',
      'person-nora',
      'person-tom',
      'headphones',
    ];
    expect(shown).toEqual(expect.arrayContaining(mustShow));
  });

  it('is good enough on walls, sweeps, wood, bricks and beside other things, clean and as a phone sees them', async () => {
    expect(findShortcomings(await measureRemoval(composedCases(['mug', 'kettle'], ['mug'])))).toEqual([]);
  });

  it('shows the whole of clothes on stones, not the print or the buttons on them, and people with their hair', async () => {
    expect(findShortcomings(await measureRemoval(outdoorCases()))).toEqual([]);
  });

  it.each([
    ['a matter without colours, by outlines only', (guess: Uint8Array) => guess],
    [
      'a matter that leaves a rim',
      (_: Uint8Array, mask: Uint8Array, width: number, height: number) => dilate(mask, width, height, 5),
    ],
  ])('would be noticed: %s', async (name, worsen) => {
    const worse: Matter = {
      name,
      matte: async (picture) => {
        const small = await shrinkPicture(picture, 512);
        const { guess, mask, width, height } = await segment(small, async () => {});
        const bad = Float32Array.from(worsen(guess, mask, width, height));
        return resizePlane(bad, width, height, picture.width, picture.height);
      },
    };
    const rows = await measureRemoval(composedCases(['mug'], []), worse);
    expect(findShortcomings(rows).length).toBeGreaterThan(1);
  });
});

describe('replace-background', { timeout: MANY_PICTURES_MS }, () => {
  const rows: SceneRow[] = [];

  it('gives the asked-for scenes, each its own, with the product untouched and standing on the floor', async () => {
    for (const sceneCase of SCENE_CASES) rows.push(await measureScene(sceneCase));
    expect(findSceneShortcomings(rows)).toEqual([]);
  });

  it('would notice a product that was touched, or one that floats', () => {
    const [row] = rows as [SceneRow];
    expect(findSceneShortcomings([{ ...row, untouched: 0.999 }])).toHaveLength(1);
    expect(findSceneShortcomings([{ ...row, contact: 0.99 }])).toHaveLength(1);
  });

  it.each([
    'polka dots',
    'on a wooden table by the window in the morning',
    'elegant white marble podium with soft shadows',
  ])('shows another seed otherwise and the same seed again: %s', async (prompt) => {
    const sceneCase = SCENE_CASES.find((candidate) => candidate.prompt === prompt)!;
    const [one, other, again] = [
      await measureScene(sceneCase, 1),
      await measureScene(sceneCase, 2),
      await measureScene(sceneCase, 1),
    ];
    expect(thumbnailDifference(one.thumbnail, other.thumbnail)).toBeGreaterThan(4);
    expect(again.thumbnail).toEqual(one.thumbnail);
  });
});
