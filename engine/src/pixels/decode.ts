import sharp, { type Metadata } from 'sharp';
import { Refusal } from '../refusal.ts';
import { mapBytes, scaleSize, type Box, type Rgb, type Size } from './plane.ts';

sharp.concurrency(1); // results must not depend on the order of threads
sharp.cache(false);

/** An uploaded picture, rotated upright. Fully transparent pixels are white, so that hidden colours never show. */
export type Decoded = Rgb & {
  /** 0..255 per pixel; set only if the upload's own transparency is usable as a matte. */
  alpha?: Uint8Array;
};

const MAX_PIXELS = 64_000_000;
const MIN_SIDE = 64;
const MAX_ASPECT = 8;
const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'heif', 'avif'];
const USEFUL_TRANSPARENT_SHARE = 0.02;

/** Decodes an uploaded picture. @throws Refusal if it cannot be used */
export async function readPicture(path: string): Promise<Decoded> {
  const metadata = await readHeader(path);
  checkSize(metadata);
  try {
    const upright = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).rotate().toColourspace('srgb');
    const withAlpha = metadata.hasAlpha ? upright.ensureAlpha() : upright.removeAlpha();
    const { data, info } = await withAlpha.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    const size = { width: info.width, height: info.height };
    return info.channels === 3 ? { ...size, data } : readAlpha(data, size);
  } catch (error) {
    throw new Refusal('The picture is damaged and could not be read.', { cause: error });
  }
}

const UNSUPPORTED = 'Use a JPEG, PNG, WebP, AVIF or GIF picture.';

async function readHeader(path: string): Promise<Metadata> {
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new Refusal(UNSUPPORTED, { cause });
    });
  const isAvif = metadata.format !== 'heif' || metadata.compression === 'av1';
  if (!FORMATS.includes(metadata.format) || !isAvif) throw new Refusal(UNSUPPORTED);
  return metadata;
}

function checkSize({ width, height }: Metadata): void {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (width * height > MAX_PIXELS) throw new Refusal('The picture has more than 64 million pixels.');
  if (short < MIN_SIDE) throw new Refusal(`The picture must be at least ${MIN_SIDE} pixels on each side.`);
  if (long > MAX_ASPECT * short) throw new Refusal('The picture is more than eight times as long as wide.');
}

function readAlpha(rgba: Uint8Array, size: Size): Decoded {
  const picture = splitAlpha(rgba, size);
  const pixels = picture.alpha.length;
  let transparent = 0;
  for (const value of picture.alpha) if (value < 128) transparent += 1;
  const isUseful = transparent > USEFUL_TRANSPARENT_SHARE * pixels && transparent < pixels;
  return isUseful ? picture : layOnWhite(picture);
}

/** @param rgba interleaved */
function splitAlpha(rgba: Uint8Array, size: Size) {
  const pixels = size.width * size.height;
  const data = new Uint8Array(pixels * 3);
  const alpha = new Uint8Array(pixels);
  for (let i = 0; i < pixels; i += 1) {
    alpha[i] = rgba[i * 4 + 3]!;
    for (let c = 0; c < 3; c += 1) data[i * 3 + c] = alpha[i] === 0 ? 255 : rgba[i * 4 + c]!;
  }
  return { ...size, data, alpha };
}

const MIN_CONTRAST = 3; // of 255: difference from the first pixel, in a channel

/** True for a sheet of one colour, on which every search would run in vain. */
export function isBlank({ data }: Rgb): boolean {
  return data.every((value, i) => Math.abs(value - data[i % 3]!) <= MIN_CONTRAST);
}

/** Composites transparent parts on white, as shops show them. */
export function layOnWhite({ alpha, ...picture }: Decoded): Rgb {
  if (!alpha) return picture;
  const { data } = picture;
  return {
    ...picture,
    data: mapBytes(data, (byte, n) => Math.round(255 - ((255 - byte) * alpha[Math.floor(n / 3)]!) / 255)),
  };
}

/** Scales down to a long side of at most `longSide` pixels; smaller pictures are returned unchanged. */
export async function shrinkRgb(picture: Decoded, longSide: number): Promise<Decoded> {
  const { data, alpha, ...from } = picture;
  const scale = longSide / Math.max(from.width, from.height);
  if (scale >= 1) return picture;
  const size = scaleSize(from, scale);
  if (!alpha) return { ...size, data: await resizeBytes(data, from, 3, size) };
  const rgba = new Uint8Array(4 * alpha.length);
  for (let i = 0; i < alpha.length; i += 1) {
    for (let c = 0; c < 3; c += 1) rgba[4 * i + c] = data[3 * i + c]!;
    rgba[4 * i + 3] = alpha[i]!;
  }
  // with alpha, by which sharp weights colours: fully transparent pixels do not affect their neighbours
  return splitAlpha(await resizeBytes(rgba, from, 4, size), size);
}

/** Resizes to this size, ignoring the aspect ratio. */
export async function squeezeRgb({ data, ...from }: Rgb, { width, height }: Size): Promise<Rgb> {
  return { width, height, data: await resizeBytes(data, from, 3, { width, height }, undefined, 'linear') };
}

/** Resizes interleaved bytes, `channels` per pixel, ignoring the aspect ratio; the whole picture or a box of pixels. */
export async function resizeBytes(
  bytes: Uint8Array,
  { width, height }: Size,
  channels: 1 | 3 | 4,
  to: Size,
  part?: Box,
  kernel: 'lanczos3' | 'linear' = 'lanczos3',
): Promise<Buffer> {
  const picture = sharp(bytes, { raw: { width, height, channels } });
  const whole = picture.resize(to.width, to.height, { fit: 'fill', kernel });
  const resized = part ? whole.extract(part) : whole;
  return (channels === 1 ? resized.extractChannel(0) : resized).raw().toBuffer();
}
