import { smoothColours, type Painting } from './live-edge.ts';
import type { Size } from './marks.ts';

export type Loaded = { photo: HTMLCanvasElement; painting: Painting; hasCutout: boolean };

/** Longer sides in pixels: more of the photo is not seen, and more of the painting could not be kept up with. */
const SHOWN_SIDE_PX = 2560;
const PAINTED_SIDE_PX = 1024;

/**
 * Makes a photo, and the cut-out that was made of it, ready to be painted on. Without a cut-out everything is taken.
 * @throws when the browser cannot draw one of them
 */
export async function loadPicture(photo: Blob, cutout: Blob | null): Promise<Loaded> {
  const shown = await drawBlob(photo, (size) => shrink(size, SHOWN_SIDE_PX));
  const size = shrink(shown, PAINTED_SIDE_PX);
  const small = makeCanvas(size);
  small.pen.drawImage(shown, 0, 0, size.width, size.height);
  const colours = smoothColours(small.pen.getImageData(0, 0, size.width, size.height).data, size);
  const alpha = new Uint8ClampedArray(size.width * size.height).fill(255);
  if (cutout !== null) {
    const cut = await drawBlob(cutout, () => size);
    const rgba = penOf(cut).getImageData(0, 0, size.width, size.height).data;
    for (let at = 0; at < alpha.length; at += 1) alpha[at] = rgba[at * 4 + 3]!;
  }
  return { photo: shown, painting: { ...size, colours, alpha }, hasCutout: cutout !== null };
}

function shrink({ width, height }: Size, side: number): Size {
  const share = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

async function drawBlob(blob: Blob, fit: (size: Size) => Size): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(blob);
  const size = fit(bitmap);
  const { canvas, pen } = makeCanvas(size);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, size.width, size.height);
  bitmap.close();
  return canvas;
}

function makeCanvas({ width, height }: Size): { canvas: HTMLCanvasElement; pen: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return { canvas, pen: penOf(canvas) };
}

function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('no canvas');
  return pen;
}
