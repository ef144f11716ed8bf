import type { Decoded } from '../pixels/decode.ts';
import { cutMask, cutRgb } from '../pixels/plane.ts';
import { resizeBytes } from '../scenes/product.ts';

/** No layer is wider than this: beyond it a video of at most 1920 pixels gains nothing. */
const MOST_SIDE = 2048;

/**
 * Transparent parts become white, as shops show them; large pictures are made smaller. The alpha stays as the matte.
 */
export async function flattenPicture(picture: Decoded): Promise<Decoded> {
  const { width, height } = picture;
  const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
  if (scale === 1) return layOnWhite(picture);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const cut = (values: Uint8Array, channels: 1 | 3) => resizeBytes(values, picture, channels, size.width, size.height);
  const alpha = picture.alpha && (await cut(picture.alpha, 1));
  return { ...size, data: await cut(layOnWhite(picture).data, 3), ...(alpha && { alpha }) };
}

const DARK = 40; // of 255: the lines of a black frame
const EVEN = 14; // levels, standard deviation along such a line
const WIDEST = 0.12; // of the side
const STEP = 40; // levels between the frame and what it holds: a dark wall has no such end
const REACH = 4; // px over which it ends, as soft as JPEG makes it

/** Without a black frame around the photo, or bars beside it: they would go on beyond its edge. */
export function trimFrame(picture: Decoded): Decoded {
  const { width, height } = picture;
  const line = (side: 'left' | 'top' | 'right' | 'bottom', n: number) => {
    if (side === 'left') return measureLine(picture, n, width, height);
    if (side === 'right') return measureLine(picture, width - 1 - n, width, height);
    return measureLine(picture, (side === 'top' ? n : height - 1 - n) * width, 1, width);
  };
  const trim = (side: Parameters<typeof line>[0], length: number) => {
    let band = 0;
    while (band < WIDEST * length && line(side, band).mean < DARK && line(side, band).spread < EVEN) band += 1;
    const isFrame = band > 0 && band < WIDEST * length && line(side, band + REACH).mean - line(side, 0).mean > STEP;
    return isFrame ? band + REACH : 0;
  };
  const [left, right, top, bottom] = [
    trim('left', width),
    trim('right', width),
    trim('top', height),
    trim('bottom', height),
  ];
  if (left + right + top + bottom === 0) return picture;
  const box = { left, top, width: width - left - right, height: height - top - bottom };
  const data = cutRgb(picture, box).data;
  const alpha = picture.alpha && Uint8Array.from(cutMask({ width, height, data: picture.alpha }, box).data);
  return { width: box.width, height: box.height, data, ...(alpha && { alpha }) };
}

/** Mean and standard deviation of the light of every `stride`th pixel. */
function measureLine({ data }: Decoded, from: number, stride: number, count: number) {
  let [sum, squares] = [0, 0];
  for (let n = 0; n < count; n += 1) {
    const at = 3 * (from + n * stride);
    const light = 0.3 * data[at]! + 0.59 * data[at + 1]! + 0.11 * data[at + 2]!;
    sum += light;
    squares += light * light;
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

function layOnWhite(picture: Decoded): Decoded {
  const { data, alpha } = picture;
  if (!alpha) return picture;
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 1) {
    const cover = alpha[Math.floor(i / 3)]! / 255;
    flat[i] = Math.round(data[i]! * cover + 255 * (1 - cover));
  }
  return { ...picture, data: flat };
}
