import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placeProduct } from './placing.ts';
import { makeMask } from '../../../engine/src/pixels/plane.ts';
import { SCENE_SIDE, scenes } from './scenes.ts';

const PLATES = new URL('../../../engine/assets/plates/plates.json', import.meta.url);
type Plates = { size: number; plates: { id: string; says: string; stand: object }[] };

test("has the engine's size, words and stand of each scene", () => {
  const { size, plates } = JSON.parse(readFileSync(PLATES, 'utf8')) as Plates;
  expect(SCENE_SIDE).toBe(size);
  for (const { id, words, stand } of scenes) {
    const { x, y } = stand;
    expect(plates.find((plate) => plate.id === id)).toMatchObject({ says: words, stand: { x, y } });
  }
});

test('places a product on its lower end, within the stand, with the shadow under its foot', () => {
  const stand = { x: 500, y: 800, maxWidth: 400, maxHeight: 300 };
  const alpha = makeMask({ width: 100, height: 100 });
  // A lamp: a broad shade, a narrow foot to the left.
  for (let y = 20; y < 80; y += 1) alpha.data.fill(255, y * 100 + 20, y * 100 + (y < 50 ? 60 : 30));
  const placing = placeProduct(alpha, stand);
  expect(placing?.from).toEqual({ left: 20, top: 20, width: 40, height: 60 });
  const { to, shadow } = placing ?? expect.fail('it is placed');
  expect(to.height).toBeLessThanOrEqual(stand.maxHeight);
  expect(to.width / to.height).toBeCloseTo(40 / 60);
  expect(to.left + to.width / 2).toBeCloseTo(stand.x);
  expect(Math.abs(to.top + to.height - stand.y)).toBeLessThan(0.03 * to.height);
  expect(shadow.x).toBeCloseTo(to.left + to.width / 8);
  expect(shadow.along).toBeCloseTo(to.width / 8);
});

test('places nothing if no pixel is visible', () => {
  expect(placeProduct(makeMask({ width: 10, height: 10 }), scenes[0].stand)).toBeUndefined();
});
