import type { Size } from '../platform/pan-zoom.ts';

/** A photo to be marked; `size` is the unit of its marks, `background` is what an earlier cut-out left out. */
export type Loaded = { photo: Blob; size: Size; background: Background | null };
/** A mask's address, white where nothing is taken, and a test for a point. */
type Background = { address: string; isProductAt: (x: number, y: number) => boolean };

/** Longer side in pixels; edges are not shown at a higher resolution. */
const PAINTED_SIDE_PX = 1024;

/** Prepares a photo and its cut-out for painting. @throws if one of them cannot be drawn */
export async function loadPicture(photo: Blob, cutout: Blob | null): Promise<Loaded> {
  const { width, height } = await measure(photo);
  const share = Math.min(1, PAINTED_SIDE_PX / Math.max(width, height));
  const size = { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
  return { photo, size, background: cutout && (await drawBackground(cutout, size)) };
}

async function measure(photo: Blob): Promise<Size> {
  const bitmap = await createImageBitmap(photo);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

async function drawBackground(cutout: Blob, { width, height }: Size): Promise<Background> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.globalCompositeOperation = 'destination-out';
  pen.imageSmoothingQuality = 'high';
  const bitmap = await createImageBitmap(cutout);
  pen.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { address: canvas.toDataURL(), isProductAt: (x, y) => pen.getImageData(x, y, 1, 1).data[3]! < 128 };
}
