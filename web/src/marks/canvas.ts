import type { Size } from './marks.ts';

/** What covers a photo, and stands beside white on it. */
export const DARK = '#0c0d0d';

export function makeCanvas({ width, height }: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas;
}

/** @throws where the browser draws nothing */
export function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  return pen;
}
