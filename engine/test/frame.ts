import type { Canvas } from '../src/video/canvas.ts';

// BT.709, limited range, as the encoder draws it (src/video/yuv.ts).
const RED = 0.2126;
const BLUE = 0.0722;
const GREEN = 1 - RED - BLUE;
const LUMA_SCALE = 219 / 255;
const U_SCALE = 224 / 255 / (2 * (1 - BLUE));
const V_SCALE = 224 / 255 / (2 * (1 - RED));

/** A drawn frame back to interleaved sRGB bytes. */
export function frameToRgb({ bytes: frame, width, height }: Canvas): Uint8Array {
  const pixels = width * height;
  const out = new Uint8ClampedArray(pixels * 3);
  for (let i = 0; i < pixels; i += 1) {
    const column = i % width;
    const row = (i - column) / width;
    const j = pixels + (row >> 1) * (width / 2) + (column >> 1);
    const light = (frame[i]! - 16) / LUMA_SCALE;
    const blue = light + (frame[j]! - 128) / U_SCALE;
    const red = light + (frame[j + pixels / 4]! - 128) / V_SCALE;
    out[i * 3] = red;
    out[i * 3 + 1] = (light - RED * red - BLUE * blue) / GREEN;
    out[i * 3 + 2] = blue;
  }
  return new Uint8Array(out.buffer);
}
