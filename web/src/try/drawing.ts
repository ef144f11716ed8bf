import marble from 'engine-assets/plates/marble-podium.webp?url';
import morning from 'engine-assets/plates/morning-table.webp?url';
import type { Mask, Rgb } from '../../../engine/src/pixels/plane.ts';
import { makeCanvas, readRgb, shrink } from './canvas.ts';
import { fetchWhole } from './network.ts';
import { placeProduct, type Placing } from './placing.ts';
import { SCENE_SIDE, scenes } from './scenes.ts';

const OPAQUE = 250; // of 255
const OPEN_SHARE = 0.01; // of the picture: less is an artefact
const MOST_SIDE = 1024; // pixels: as large as the page shows it on a dense screen
const PICTURES = { 'marble-podium': marble, 'morning-table': morning };

/**
 * The photo as its camera held it, small enough to be worked on at once; with the cover 0..255 that it brought where it
 * is cut out already. @throws Unreadable
 */
export async function readPicture(photo: Blob): Promise<Rgb & { alpha?: Uint8Array }> {
  const bitmap = await createImageBitmap(photo).catch((cause: unknown) => {
    throw new Unreadable('the browser cannot read it', { cause });
  });
  const size = shrink(bitmap, MOST_SIDE);
  const { context } = makeCanvas(size);
  context.drawImage(bitmap, 0, 0, size.width, size.height);
  bitmap.close();
  const { alpha, ...picture } = readRgb(context);
  const open = alpha.reduce((count, cover) => count + (cover < OPAQUE ? 1 : 0), 0);
  return open > OPEN_SHARE * alpha.length ? { ...picture, alpha } : picture;
}

export class Unreadable extends Error {}

/** The cut-out in each of the scenes, in their order; `alpha` is its cover 0..255. @throws NotFetched */
export async function drawInScenes(product: OffscreenCanvas, alpha: Mask): Promise<OffscreenCanvas[]> {
  return Promise.all(
    scenes.map(async ({ id, stand }) => {
      const { canvas, context } = makeCanvas({ width: MOST_SIDE, height: MOST_SIDE });
      context.scale(MOST_SIDE / SCENE_SIDE, MOST_SIDE / SCENE_SIDE);
      context.drawImage(await getScene(PICTURES[id]), 0, 0, SCENE_SIDE, SCENE_SIDE);
      const placing = placeProduct(alpha, stand);
      if (placing !== undefined) setDown(context, product, placing);
      return canvas;
    }),
  );
}

function setDown(context: OffscreenCanvasRenderingContext2D, product: OffscreenCanvas, placing: Placing): void {
  const { from, to, shadow } = placing;
  // Wide and faint from the room, narrow and dark where it stands.
  drawShadow(context, shadow, 1.5, 0.28);
  drawShadow(context, shadow, 1.08, 0.42);
  context.drawImage(product, from.left, from.top, from.width, from.height, to.left, to.top, to.width, to.height);
}

type Shadow = Placing['shadow'];

function drawShadow(context: OffscreenCanvasRenderingContext2D, shadow: Shadow, spread: number, strength: number) {
  const fading = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  fading.addColorStop(0, `rgb(24 18 14 / ${strength})`);
  fading.addColorStop(0.6, `rgb(24 18 14 / ${strength * 0.6})`);
  fading.addColorStop(1, 'rgb(24 18 14 / 0)');
  context.save();
  context.translate(shadow.x, shadow.y);
  context.scale(shadow.along * spread, shadow.across * spread);
  context.fillStyle = fading;
  context.fillRect(-1, -1, 2, 2);
  context.restore();
}

const known = new Map<string, Promise<ImageBitmap>>();

/** Kept once it is there, so that the next photo needs no network. */
function getScene(url: string): Promise<ImageBitmap> {
  const asked = known.get(url) ?? fetchWhole(url).then((bytes) => createImageBitmap(new Blob([bytes])));
  known.set(url, asked);
  asked.catch(() => known.delete(url));
  return asked;
}
