/** The engine's picture types. Pixels are stored row by row from the top left. */

/** In pixels. */
export type Size = { width: number; height: number };

/** In whole pixels, at least so many a side. */
export function scaleSize({ width, height }: Size, scale: number, min = 1): Size {
  return { width: Math.max(min, Math.round(width * scale)), height: Math.max(min, Math.round(height * scale)) };
}

/** One float per pixel. */
export type Plane = Size & { data: Float32Array };

/** One byte per pixel: 1 inside the mask, else 0. */
export type Mask = Size & { data: Uint8Array };

/** 8-bit sRGB, three bytes per pixel. */
export type Rgb = Size & { data: Uint8Array };

/** In pixels; `left` and `top` are the first column and row inside it. */
export type Box = { left: number; top: number; width: number; height: number };

/** In pixels; the centre of the first pixel is 0, 0. */
export type Point = { x: number; y: number };

/** All zeros. */
export function makePlane({ width, height }: Size): Plane {
  return { width, height, data: new Float32Array(width * height) };
}

/** All zeros. */
export function makeMask({ width, height }: Size): Mask {
  return { width, height, data: new Uint8Array(width * height) };
}

/** Converts a mask to floats 0 and 1. */
export function toPlane({ width, height, data }: Mask): Plane {
  return { width, height, data: new Float32Array(data) };
}

/** Converts alpha from 0..255 to 0..1. */
export function toAlpha({ width, height }: Size, bytes: Uint8Array): Plane {
  return { width, height, data: mapFloats(bytes, (value) => value / 255) };
}

/** Red (0), green (1) or blue (2) of every pixel, 0..255. */
export function readChannel({ data, width, height }: Rgb, channel: number): Plane {
  const out = makePlane({ width, height });
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = data[i * 3 + channel]!;
  return out;
}

/** Copies the values in a box of whole pixels inside the plane. */
export function cutPlane({ width, data }: Plane, box: Box): Plane {
  const out = makePlane(box);
  for (let y = 0; y < box.height; y += 1) {
    const from = (box.top + y) * width + box.left;
    out.data.set(data.subarray(from, from + box.width), y * box.width);
  }
  return out;
}

/** Writes a part back to the box from which `cutPlane` took it. */
export function pastePlane(plane: Plane, part: Plane, { left, top }: Box): void {
  for (let y = 0; y < part.height; y += 1)
    plane.data.set(part.data.subarray(y * part.width, (y + 1) * part.width), (top + y) * plane.width + left);
}

/** Copies the pixels in a box of whole pixels inside the picture. */
export function cutRgb({ data, width }: Rgb, box: Box): Rgb {
  const out = new Uint8Array(box.width * box.height * 3);
  for (let y = 0; y < box.height; y += 1) {
    const from = ((box.top + y) * width + box.left) * 3;
    out.set(data.subarray(from, from + box.width * 3), y * box.width * 3);
  }
  return { width: box.width, height: box.height, data: out };
}

/** Clips a box to a picture of this size, in whole pixels and to at least one pixel. */
export function clampBox(box: Box, { width, height }: Size): Box {
  const left = Math.min(width - 1, Math.max(0, Math.floor(box.left)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(box.top)));
  const right = Math.max(left + 1, Math.min(width, Math.ceil(box.left + box.width)));
  const bottom = Math.max(top + 1, Math.min(height, Math.ceil(box.top + box.height)));
  return { left, top, width: right - left, height: bottom - top };
}

/** Pads a box by `share` of its long side on every side. */
export function growBox(box: Box, share: number): Box {
  const margin = share * Math.max(box.width, box.height);
  return {
    left: box.left - margin,
    top: box.top - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}

/** Replaces `map` and `from` of typed arrays, whose iterator takes ten times as long and produces garbage. */
type MapValue = (value: number, i: number) => number;

/** Maps into bytes. */
export function mapBytes(values: ArrayLike<number>, map: MapValue): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(values.length);
  for (let i = 0; i < out.length; i += 1) out[i] = map(values[i]!, i);
  return out;
}

/** Maps into floats. */
export function mapFloats(values: ArrayLike<number>, map: MapValue): Float32Array<ArrayBuffer> {
  const out = new Float32Array(values.length);
  for (let i = 0; i < out.length; i += 1) out[i] = map(values[i]!, i);
  return out;
}

/** Smoothstep: 0 up to `from`, 1 from `to` on; descending if `from` > `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
