import { estimateForeground } from '../matting/foreground.ts';
import type { Picture } from '../pixels/decode.ts';
import type { Box } from './subject.ts';

const PAD = 16; // pixels: the colours of an edge come from what lies on both sides of it

/** The product's own colours where any of it is, black elsewhere: interleaved sRGB 0..255 of the picture's size. */
export function findColours(picture: Picture, alpha: Float32Array): Float32Array {
  const { width, height } = picture;
  const colours = new Float32Array(width * height * 3);
  const part = findPart(alpha, width, height);
  if (!part) return colours;
  const size = { width: part.right - part.left, height: part.bottom - part.top };
  const rgb = cut(picture.rgb, new Uint8Array(size.width * size.height * 3), width, part, 3);
  const cover = cut(alpha, new Float32Array(size.width * size.height), width, part, 1);
  const front = estimateForeground({ ...size, rgb }, cover);
  for (let row = 0; row < size.height; row += 1) {
    const from = row * size.width * 3;
    colours.set(front.subarray(from, from + size.width * 3), ((part.top + row) * width + part.left) * 3);
  }
  return colours;
}

/** The smallest part with all of the cover in it, and a little round about. */
function findPart(alpha: Float32Array, width: number, height: number): Box | undefined {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (alpha[y * width + x]! <= 0) continue;
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
      if (y < box.top) box.top = y;
      box.bottom = y + 1;
    }
  }
  if (box.right === 0) return undefined;
  return {
    left: Math.max(0, box.left - PAD),
    top: Math.max(0, box.top - PAD),
    right: Math.min(width, box.right + PAD),
    bottom: Math.min(height, box.bottom + PAD),
  };
}

function cut<T extends Uint8Array | Float32Array>(from: T, to: T, width: number, part: Box, channels: number): T {
  const columns = (part.right - part.left) * channels;
  for (let y = part.top; y < part.bottom; y += 1) {
    const start = (y * width + part.left) * channels;
    to.set(from.subarray(start, start + columns), (y - part.top) * columns);
  }
  return to;
}
