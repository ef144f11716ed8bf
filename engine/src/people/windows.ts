// Cutting a window out of a picture and reading it at places between its pixels.
import sharp from 'sharp';
import type { Picture } from '../pixels/decode.ts';
import type { Box, Point } from './faces.ts';

export interface Window {
  picture: Picture;
  /** Pixels of the whole picture to pixels of the window. */
  place: (point: Point) => Point;
  left: number;
  top: number;
}

/**
 * The part of the picture under `box` (cut at the picture's edge), resized by `scale` with Lanczos; what is enlarged much is sharpened
 * a little, because it stands beside sharp pixels later.
 */
export async function cutWindow(picture: Picture, box: Box, scale = 1): Promise<Window> {
  const left = Math.min(picture.width - 2, Math.max(0, Math.floor(box.left)));
  const top = Math.min(picture.height - 2, Math.max(0, Math.floor(box.top)));
  const width = Math.max(2, Math.min(picture.width, Math.ceil(box.left + box.width)) - left);
  const height = Math.max(2, Math.min(picture.height, Math.ceil(box.top + box.height)) - top);
  const toWidth = Math.max(2, Math.round(width * scale));
  const toHeight = Math.max(2, Math.round(height * scale));
  const raw = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
  let cut = sharp(picture.rgb, raw).extract({ left, top, width, height });
  if (toWidth !== width || toHeight !== height)
    cut = cut.resize(toWidth, toHeight, { fit: 'fill', kernel: 'lanczos3' });
  if (scale > MUCH) cut = cut.sharpen({ sigma: 0.6 * scale, m1: 0.5, m2: 1.2 });
  const rgb = await cut.raw().toBuffer();
  const place = ({ x, y }: Point) => ({ x: ((x - left) * toWidth) / width, y: ((y - top) * toHeight) / height });
  return { picture: { width: toWidth, height: toHeight, rgb }, place, left, top };
}

const MUCH = 1.4;

/** The box with `share` of its larger side added on every side. */
export function growBox(box: Box, share: number): Box {
  const margin = share * Math.max(box.width, box.height);
  return {
    left: box.left - margin,
    top: box.top - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}

/** The whole pixels about what is marked, with a margin in pixels; nothing when nothing is. */
export function findPart(mask: Uint8Array, width: number, height: number, margin: number): Box | undefined {
  const first = mask.indexOf(1);
  if (first < 0) return undefined;
  let left = width;
  let right = 0;
  for (let i = first; i < mask.length; i += 1) {
    if (!mask[i]) continue;
    left = Math.min(left, i % width);
    right = Math.max(right, i % width);
  }
  left = Math.max(0, Math.floor(left - margin));
  right = Math.min(width, Math.ceil(right + margin + 1));
  const top = Math.max(0, Math.floor(Math.floor(first / width) - margin));
  const bottom = Math.min(height, Math.ceil(Math.floor(mask.lastIndexOf(1) / width) + margin + 1));
  return { left, top, width: right - left, height: bottom - top };
}

/** Red (0), green or blue of every pixel, 0..255. */
export function readChannel({ rgb, width, height }: Picture, channel: number): Float32Array {
  const out = new Float32Array(width * height);
  for (let i = 0; i < out.length; i += 1) out[i] = rgb[i * 3 + channel]!;
  return out;
}

/** The values under a box of whole pixels. */
export function cutPlane(plane: Float32Array, width: number, box: Box): Float32Array {
  const out = new Float32Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1) {
    const from = (box.top + y) * width + box.left;
    out.set(plane.subarray(from, from + box.width), y * box.width);
  }
  return out;
}

/**
 * Reads a plane bilinearly at every place of a map; places outside give the edge's value.
 * @param stride, offset address one channel of interleaved colours
 */
export function readAt(
  plane: ArrayLike<number>,
  size: { width: number; height: number },
  places: { x: Float32Array; y: Float32Array },
  stride = 1,
  offset = 0,
): Float32Array {
  const out = new Float32Array(places.x.length);
  for (let i = 0; i < out.length; i += 1) out[i] = readPoint(plane, size, places.x[i]!, places.y[i]!, stride, offset);
  return out;
}

/** Reads a plane bilinearly at one place; see `readAt`. */
export function readPoint(
  plane: ArrayLike<number>,
  { width, height }: { width: number; height: number },
  px: number,
  py: number,
  stride = 1,
  offset = 0,
): number {
  const x = Math.min(width - 1, Math.max(0, px));
  const y = Math.min(height - 1, Math.max(0, py));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1) * width;
  const fx = x - left;
  const fy = y - top;
  const above = top * width;
  return (
    (plane[(above + left) * stride + offset]! * (1 - fx) + plane[(above + right) * stride + offset]! * fx) * (1 - fy) +
    (plane[(bottom + left) * stride + offset]! * (1 - fx) + plane[(bottom + right) * stride + offset]! * fx) * fy
  );
}

/** A plane that lies over the whole of a larger picture. */
export interface SmallPlane {
  plane: Float32Array;
  width: number;
  height: number;
}

/** Reads it at a place given in pixels of the larger picture. */
export function readSmall(small: SmallPlane, large: { width: number; height: number }, x: number, y: number): number {
  const px = ((x + 0.5) * small.width) / large.width - 0.5;
  const py = ((y + 0.5) * small.height) / large.height - 0.5;
  return readPoint(small.plane, small, px, py);
}

/** The whole picture with new bytes under a window that was cut from it at its own size. */
export function putWindow(picture: Picture, { picture: piece, left, top }: Window, bytes: Uint8Array): Picture {
  const rgb = new Uint8Array(picture.rgb);
  for (let y = 0; y < piece.height; y += 1) {
    const row = bytes.subarray(y * piece.width * 3, (y + 1) * piece.width * 3);
    rgb.set(row, ((top + y) * picture.width + left) * 3);
  }
  return { ...picture, rgb };
}
