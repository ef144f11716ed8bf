import type { Rgb, Size } from '../../../engine/src/pixels/plane.ts';

export function makeCanvas({ width, height }: Size) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('the browser draws nothing');
  context.imageSmoothingQuality = 'high';
  return { canvas, context };
}

/** `alpha`: 0..255 per pixel; opaque by default. */
export function drawRgb({ width, height, data }: Rgb, alpha?: Uint8Array): OffscreenCanvas {
  const { canvas, context } = makeCanvas({ width, height });
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i += 1) {
    image.data.set(data.subarray(i * 3, i * 3 + 3), i * 4);
    image.data[i * 4 + 3] = alpha?.[i] ?? 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

export function readRgb(context: OffscreenCanvasRenderingContext2D): Rgb & { alpha: Uint8Array } {
  const { width, height, data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  return {
    width,
    height,
    data: new Uint8Array(data.filter((_, i) => i % 4 !== 3)),
    alpha: new Uint8Array(data.filter((_, i) => i % 4 === 3)),
  };
}

/** Resizes with the browser's smoothing, which suffices because pictures shrink by a small factor only. */
export function resizeRgb(picture: Rgb, to: Size): Rgb {
  const { context } = makeCanvas(to);
  context.drawImage(drawRgb(picture), 0, 0, to.width, to.height);
  return readRgb(context);
}

/** Scales a size down to a long side of at most `longSide` pixels. */
export function shrink({ width, height }: Size, longSide: number): Size {
  const scale = Math.min(1, longSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
