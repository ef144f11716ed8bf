import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { makeScene, type SceneRequest } from './make-scene.ts';
import { scaleSize } from '../pixels/plane.ts';
import { getPlate } from './plates.ts';
import type { Product } from './product.ts';

const UPLOAD = { width: 96, height: 96 };
const BOX = { left: 30, top: 24, width: 36, height: 48 };

/** A grey box. */
function makeBox(changes: Partial<Product> = {}): Product {
  const size = BOX.width * BOX.height;
  const rgb = new Uint8Array(3 * size).fill(128);
  const alpha = new Uint8Array(size).fill(255);
  return { ...BOX, data: rgb, alpha, isCut: false, isCutBelow: false, ...changes };
}

const make = (words: string, changes: Partial<SceneRequest> = {}) =>
  makeScene({ product: makeBox(), upload: UPLOAD, brief: readBrief(words), ...changes });

const sideOf = ({ light }: { light: { azimuthDeg: number } }) =>
  Math.sin((light.azimuthDeg * Math.PI) / 180) > 0 ? 'right' : 'left';

describe('a scene', () => {
  it("shows the photo's whole product in the photo's aspect ratio", async () => {
    const { picture, frame, product: own, words } = await make('marble');
    const product = scaleSize(own, frame.productScale);
    expect(picture.width).toBe(picture.height);
    expect(picture.data).toHaveLength(3 * picture.width ** 2);
    expect([product.width, product.height]).toEqual([
      Math.round(BOX.width * frame.productScale),
      Math.round(BOX.height * frame.productScale),
    ]);
    const row = frame.top + Math.floor(product.height / 2);
    const middle = row * picture.width + frame.left + Math.floor(product.width / 2);
    expect([...picture.data.subarray(3 * middle, 3 * middle + 3)]).toEqual([128, 128, 128]);
    expect(words).toEqual({ understood: ['marble'], notDrawn: [] });
  });

  it('is deterministic', async () => {
    const [one, same] = [await make('marble'), await make('marble')];
    expect(Buffer.compare(one.picture.data, same.picture.data)).toBe(0);
  });

  it('of a variation uses another set that matches equally well, if there is one', async () => {
    const variations = [undefined, 1];
    const sets = await Promise.all(variations.map(async (variation) => (await make('marble', { variation })).plate.id));
    expect(new Set(sets).size).toBe(2);
  });

  it('rotates a product in place at the same size, without changing set or view', async () => {
    const upright = await make('marble');
    const { plate, frame, finalPlacement } = await make('marble', { placement: { rotate: 30 } });
    expect(plate.id).toBe(upright.plate.id);
    expect(frame).toMatchObject({ crop: upright.frame.crop, productScale: upright.frame.productScale });
    expect(finalPlacement.size).toBe(upright.finalPlacement.size);
    expect(finalPlacement.x).toBeCloseTo(upright.finalPlacement.x, 2);
    expect(finalPlacement.y).toBeCloseTo(upright.finalPlacement.y, 2);
  });

  it('reports where a rotated product leaves the frame, and draws only the visible part', async () => {
    const { finalPlacement, picture } = await make('macro, marble', { placement: { scale: 4, rotate: 45 } });
    const [left, top, right, bottom] = finalPlacement.box;
    expect([left < 0, top < 0, right > 1, bottom > 0.5]).toEqual([true, true, true, true]);
    const middle = (picture.width + 1) * (picture.height >> 2) * 3;
    expect([...picture.data.subarray(middle, middle + 3)]).toEqual([128, 128, 128]);
  });

  it('leaves its input unchanged', async () => {
    const product = makeBox();
    const before = { ...product, data: product.data.slice(), alpha: product.alpha.slice() };
    await make('dramatic light', { product });
    expect(product).toEqual(before);
  });
});

describe('the light of a scene', () => {
  it.each(['left', 'right'] as const)('comes from the %s if the words say so', async (side) => {
    const { plate } = await make(`wooden table, light from the ${side}`);
    expect(sideOf(plate)).toBe(side);
    expect(plate.isMirrored).toBe(sideOf(getPlate(plate.id)) !== side);
  });

  it('comes from where the set has it, where nothing tells, and in some variations from the other side', async () => {
    expect((await make('wooden table')).plate.isMirrored).toBe(false);
    expect((await make('wooden table', { variation: 0 })).plate.isMirrored).toBe(true);
    expect((await make('wooden table', { variation: 1 })).plate.isMirrored).toBe(false);
  });

  it('stays on the side that words tell in every variation', async () => {
    for (const variation of [0, 1]) {
      expect(sideOf((await make('wooden table, light from the left', { variation })).plate)).toBe('left');
    }
  });
});

describe('a product at the border of its photo', () => {
  it('keeps its position if it is cut off', async () => {
    const product = makeBox({ left: 0, top: 48, isCut: true, isCutBelow: true });
    const { frame } = await make('marble', { product });
    expect(frame).toMatchObject({ left: 0, top: frame.height / 2, productScale: frame.height / 96 });
  });

  it('may be a single invisible pixel', async () => {
    const dot = { width: 1, height: 1, data: Uint8Array.of(9, 9, 9), alpha: Uint8Array.of(0) };
    const { picture } = await make('marble', { product: makeBox(dot) });
    expect(picture.data).toHaveLength(3 * picture.width * picture.height);
  });
});
