/**
 * Drawing happens in the encoder's colour space, which saves a conversion per frame and 3/4 of the chroma work. BT.709
 * rather than BT.601: players assume it from 720 lines on, and the file states it (see mp4.ts).
 */
import { makePlane, type Plane } from '../pixels/plane.ts';
import type { Canvas } from './canvas.ts';

/**
 * A plane of luma and two of chroma at half the width and height; sides are even. Y'CbCr 4:2:0, BT.709, limited range
 * (16..235, 16..240).
 */
export type Planes = { y: Plane; u: Plane; v: Plane };

const RED = 0.2126;
const BLUE = 0.0722;
const GREEN = 1 - RED - BLUE;
const LUMA_SCALE = 219 / 255;
const U_SCALE = 224 / 255 / (2 * (1 - BLUE));
const V_SCALE = 224 / 255 / (2 * (1 - RED));

/** Converts interleaved sRGB 0..255 to planes; chroma is the mean of four pixels (ITU-R BT.709-6, items 3.2-3.5). */
export function toYuv(rgb: Uint8Array | Float32Array, width: number, height: number): Planes {
  const half = { width: width / 2, height: height / 2 };
  const out = { y: makePlane({ width, height }), u: makePlane(half), v: makePlane(half) };
  const [y, u, v] = [out.y.data, out.u.data, out.v.data];
  for (let row = 0; row < height; row += 1) {
    const halfRow = (row >> 1) * (width >> 1);
    for (let column = 0; column < width; column += 1) {
      const i = row * width + column;
      const blue = rgb[i * 3 + 2]!;
      const red = rgb[i * 3]!;
      const light = RED * red + GREEN * rgb[i * 3 + 1]! + BLUE * blue;
      const j = halfRow + (column >> 1);
      y[i] = 16 + LUMA_SCALE * light;
      u[j]! += 32 + (U_SCALE / 4) * (blue - light);
      v[j]! += 32 + (V_SCALE / 4) * (red - light);
    }
  }
  return out;
}

/** A plane at luma size and, averaged over 2 x 2, at chroma size. */
export function halve(plane: Plane): Planes {
  const { data, width, height } = plane;
  const half = makePlane({ width: width / 2, height: height / 2 });
  for (let y = 0; y < height; y += 1) {
    const row = (y >> 1) * half.width;
    for (let x = 0; x < width; x += 1) half.data[row + (x >> 1)]! += data[y * width + x]! / 4;
  }
  return { y: plane, u: half, v: half };
}

/** One sRGB colour 0..255 as limited-range Y'CbCr. */
export function toYuvColour(red: number, green: number, blue: number): [number, number, number] {
  const light = RED * red + GREEN * green + BLUE * blue;
  return [16 + LUMA_SCALE * light, 128 + U_SCALE * (blue - light), 128 + V_SCALE * (red - light)];
}

/** Converts a drawn frame to interleaved sRGB bytes. */
export function toRgb({ y, u, v, width, height }: Canvas): Uint8Array {
  const out = new Uint8ClampedArray(width * height * 3);
  for (let i = 0; i < y.length; i += 1) {
    const column = i % width;
    const j = (((i - column) / width) >> 1) * (width / 2) + (column >> 1);
    const light = (y[i]! - 16) / LUMA_SCALE;
    const blue = light + (u[j]! - 128) / U_SCALE;
    const red = light + (v[j]! - 128) / V_SCALE;
    out[i * 3] = red;
    out[i * 3 + 1] = (light - RED * red - BLUE * blue) / GREEN;
    out[i * 3 + 2] = blue;
  }
  return new Uint8Array(out.buffer);
}
