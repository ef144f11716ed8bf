import { describe, expect, it } from 'vitest';
import {
  drawChair,
  findSceneShortcomings,
  measureScene,
  measureStanding,
  SCENE_CASES,
  thumbnailDifference,
  type SceneRow,
} from './scenes.ts';

const MANY_PICTURES_MS = 240_000; // the machine may be busy

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

  it.each(['wooden table, morning light', 'plain studio', 'white marble podium', 'brick wall in a street', 'beach'])(
    'sets a chair down on all its thin legs, whole: %s',
    async (prompt) => {
      const { isWhole, contact } = await measureStanding(drawChair(), prompt);
      expect(isWhole).toBe(true);
      expect(contact).toBeLessThan(0.85);
    },
  );
});
