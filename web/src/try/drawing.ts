import marble from 'engine-assets/plates/marble-podium.webp?url';
import morning from 'engine-assets/plates/morning-table.webp?url';
import type { Mask, Rgb } from '../../../engine/src/pixels/plane.ts';
import { makeCanvas, readRgb, shrink } from './canvas.ts';
import { fetchWhole } from './network.ts';
import { placeProduct, type Placing } from './placing.ts';
import { SCENE_SIDE, scenes } from './scenes.ts';

const OPAQUE = 250; // of 255
const MIN_TRANSPARENT_SHARE = 0.01; // of the picture: less is an artefact
const MAX_SIDE = 1024; // pixels: as large as the page shows it on a dense screen
const PICTURES = { 'marble-podium': marble, 'morning-table': morning };

/**
 * Decodes a photo, rotated upright and scaled down to MAX_SIDE. Also returns its alpha 0..255 if it is a cut-out
 * already. @throws Unreadable
 */
export async function readPicture(photo: Blob): Promise<Rgb & { alpha?: Uint8Array }> {
  const bitmap = await createImageBitmap(photo).catch((cause: unknown) => {
    throw new Unreadable('the browser cannot read it', { cause });
  });
  const size = shrink(bitmap, MAX_SIDE);
  const { context } = makeCanvas(size);
  context.drawImage(bitmap, 0, 0, size.width, size.height);
  bitmap.close();
  const { alpha, ...picture } = readRgb(context);
  const transparent = alpha.reduce((count, value) => count + (value < OPAQUE ? 1 : 0), 0);
  return transparent > MIN_TRANSPARENT_SHARE * alpha.length ? { ...picture, alpha } : picture;
}

export class Unreadable extends Error {}

/** Draws the cut-out in each scene, in their order. `alpha`: 0..255. @throws NotFetched */
export async function drawInScenes(product: OffscreenCanvas, alpha: Mask): Promise<OffscreenCanvas[]> {
  return Promise.all(
    scenes.map(async ({ id, stand }) => {
      const { canvas, context } = makeCanvas({ width: MAX_SIDE, height: MAX_SIDE });
      context.scale(MAX_SIDE / SCENE_SIDE, MAX_SIDE / SCENE_SIDE);
      context.drawImage(await getScene(PICTURES[id]), 0, 0, SCENE_SIDE, SCENE_SIDE);
      const placing = placeProduct(alpha, stand);
      if (placing !== undefined) drawProduct(context, product, placing);
      return canvas;
    }),
  );
}

function drawProduct(context: OffscreenCanvasRenderingContext2D, product: OffscreenCanvas, placing: Placing): void {
  const { from, to, shadow } = placing;
  // A wide, faint ambient shadow, and a narrow, dark contact shadow.
  drawShadow(context, shadow, 1.5, 0.28);
  drawShadow(context, shadow, 1.08, 0.42);
  context.drawImage(product, from.left, from.top, from.width, from.height, to.left, to.top, to.width, to.height);
}

type Shadow = Placing['shadow'];

function drawShadow(context: OffscreenCanvasRenderingContext2D, shadow: Shadow, spread: number, strength: number) {
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  gradient.addColorStop(0, `rgb(24 18 14 / ${strength})`);
  gradient.addColorStop(0.6, `rgb(24 18 14 / ${strength * 0.6})`);
  gradient.addColorStop(1, 'rgb(24 18 14 / 0)');
  context.save();
  context.translate(shadow.x, shadow.y);
  context.scale(shadow.along * spread, shadow.across * spread);
  context.fillStyle = gradient;
  context.fillRect(-1, -1, 2, 2);
  context.restore();
}

const sceneCache = new Map<string, Promise<ImageBitmap>>();

/** Loads a scene's picture. Caches it, so that the next photo needs no request. */
function getScene(url: string): Promise<ImageBitmap> {
  const loading = sceneCache.get(url) ?? fetchWhole(url).then((bytes) => createImageBitmap(new Blob([bytes])));
  sceneCache.set(url, loading);
  loading.catch(() => sceneCache.delete(url));
  return loading;
}
