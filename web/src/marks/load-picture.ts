import { DARK, makeCanvas, penOf } from './canvas.ts';
import type { Size } from './marks.ts';

/** A photo, and, smaller, what of it is not taken: dark where nothing is, empty where there is no cut-out yet. */
export type Loaded = { photo: HTMLCanvasElement; untaken: HTMLCanvasElement; hasCutout: boolean };

/** Longer sides in pixels: more of the photo is not seen, and no edge is shown more exactly. */
const SHOWN_SIDE_PX = 2560;
const PAINTED_SIDE_PX = 1024;

/**
 * Makes a photo, and the cut-out that was made of it, ready to be painted on. Without a cut-out everything is taken.
 * @throws when the browser cannot draw one of them
 */
export async function loadPicture(picture: Blob, cutout: Blob | null): Promise<Loaded> {
  const bitmap = await createImageBitmap(picture);
  const photo = makeCanvas(shrink(bitmap, SHOWN_SIDE_PX));
  fill(photo, bitmap);
  const untaken = makeCanvas(shrink(photo, PAINTED_SIDE_PX));
  if (cutout !== null) {
    const pen = penOf(untaken);
    pen.fillStyle = DARK;
    pen.fillRect(0, 0, untaken.width, untaken.height);
    pen.globalCompositeOperation = 'destination-out';
    fill(untaken, await createImageBitmap(cutout));
  }
  return { photo, untaken, hasCutout: cutout !== null };
}

function shrink({ width, height }: Size, side: number): Size {
  const share = Math.min(1, side / Math.max(width, height));
  return { width: width * share, height: height * share };
}

function fill(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const pen = penOf(canvas);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
}
