import { softBlur } from '../pixels/planes.ts';

export interface Mirrored {
  /** Linear light, premultiplied, interleaved. */
  rgb: Float32Array;
  cover: Float32Array;
}

interface Placed {
  /** Linear light, interleaved. */
  rgb: Float32Array;
  alpha: Float32Array;
  width: number;
  height: number;
  left: number;
  top: number;
}

const NEAR_BASE = 0.9; // columns that end higher do not touch the floor
const REACH = 0.45;

/** The product upside down below its foot, every column from its own lowest pixel, fading with depth. */
export function mirrorProduct(product: Placed, width: number, height: number, blurPx: number): Mirrored {
  const rgb = [0, 1, 2].map(() => new Float32Array(width * height));
  const cover = new Float32Array(width * height);
  for (let x = 0; x < product.width; x += 1) {
    const column = product.left + x;
    if (column < 0 || column >= width) continue;
    const bottom = lowest(product, x);
    if (bottom < NEAR_BASE * product.height) continue;
    for (let row = 0; row < Math.min(bottom, REACH * product.height); row += 1) {
      const y = product.top + bottom + row;
      if (y < 0 || y >= height) continue;
      const from = (bottom - row) * product.width + x;
      const weight = product.alpha[from]! * (1 - row / (REACH * product.height)) ** 1.6;
      cover[y * width + column] = weight;
      for (let c = 0; c < 3; c += 1) rgb[c]![y * width + column] = product.rgb[from * 3 + c]! * weight;
    }
  }
  const blurred = rgb.map((plane) => softBlur(plane, width, height, blurPx));
  const out = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) for (let c = 0; c < 3; c += 1) out[i * 3 + c] = blurred[c]![i]!;
  return { rgb: out, cover: softBlur(cover, width, height, blurPx) };
}

function lowest({ alpha, width, height }: Placed, x: number): number {
  for (let y = height - 1; y > 0; y -= 1) if (alpha[y * width + x]! > 0.5) return y;
  return 0;
}
