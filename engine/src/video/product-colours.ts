import { spreadForeground } from '../cutout/foreground.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, type Plane, type Rgb } from '../pixels/plane.ts';

const PAD = 16; // pixels: the colours of an edge come from what lies on both sides of it

/** The product's own colours where any of it is, black elsewhere: interleaved sRGB 0..255 of the picture's size. */
export function findColours(picture: Rgb, alpha: Plane): Float32Array {
  const { width, height } = picture;
  const colours = new Float32Array(width * height * 3);
  const box = findBox(threshold(alpha, 0), PAD);
  if (!box) return colours;
  const front = spreadForeground(cutRgb(picture, box), cutPlane(alpha, box));
  for (let row = 0; row < box.height; row += 1) {
    const from = row * box.width * 3;
    colours.set(front.subarray(from, from + box.width * 3), ((box.top + row) * width + box.left) * 3);
  }
  return colours;
}
