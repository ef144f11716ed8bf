import { errors } from '@plinth/contract/errors';
import type { ImageField } from '@plinth/contract/tool';
import { imageFieldLimits } from '@plinth/contract/tool-fields';

const SIGNATURES = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/gif', /^GIF8/],
  // ISO/IEC 23008-12: what iPhones write.
  ['image/heic', /^[^]{4}ftyp(heic|heix|hevc|heim|heis|mif1|msf1)/],
] as const;
const SIGNED_BYTES = 16;
const UNNAMED = new Set(['', 'application/octet-stream']);
const HEIC_TYPES = new Set(['image/heic', 'image/heif']);
/** The first that keeps a photo of a phone below the limit. */
const QUALITIES = [0.92, 0.8];

export const isHeic = ({ type }: Pick<Blob, 'type'>): boolean => HEIC_TYPES.has(type);

/** What is said of a HEIC photo that this browser cannot decode, behind the sentence of the field. */
const HEIC_WAY_OUT =
  'This photo is HEIC: on an iPhone, share it with Options, Most Compatible; on a computer, open it and export it as JPEG.';

/**
 * The file as the product takes it: one without a type is judged by its first bytes, and a HEIC photo becomes a JPEG
 * of at most `maxBytes`, upright and in sRGB, where the browser decodes HEIC (Safari does; every free decoder is under
 * LGPL). Elsewhere it stays what it is.
 */
export async function readPictureFile(file: File, maxBytes: number): Promise<File> {
  const named = UNNAMED.has(file.type) ? await nameType(file).catch(() => file) : file;
  if (!isHeic(named)) return named;
  const jpeg = await toJpeg(named, maxBytes).catch(() => null);
  return jpeg === null ? named : new File([jpeg], named.name.replace(/\.hei[cf]$/i, '') + '.jpg', { type: jpeg.type });
}

/** Type and size, in the server's order and words; null when there is nothing to say. */
export function refuseFile(
  { type, size }: Pick<Blob, 'type' | 'size'>,
  { accept, wrongType }: Pick<ImageField, 'accept' | 'wrongType'>,
): string | null {
  if (isHeic({ type })) return `${wrongType}. ${HEIC_WAY_OUT}`;
  if (!accept.some((one) => one === type)) return wrongType;
  if (size > imageFieldLimits.maxBytes) return errors.file_too_large.detail;
  return size === 0 ? errors.image_read_failed.detail : null;
}

type SideLimits = { minSide?: number | undefined; maxSide?: number | undefined; maxRatio?: number | undefined };

/**
 * The sides of a picture against what serves its tool, or else our own limits, in the server's words; null when there
 * is nothing to say. One without a size nobody can read.
 */
export function refuseSides(size: { width: number; height: number } | null, limits: SideLimits = {}): string | null {
  const { maxPixels, ...ours } = imageFieldLimits;
  const { minSide = ours.minSide, maxSide = ours.maxSide, maxRatio = Infinity } = limits;
  const { width, height } = size ?? { width: 0, height: 0 };
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (size !== null && short < minSide) return `Use a picture of at least ${minSide} pixels on each side.`;
  const isMisfit = size === null || long > maxSide || long > maxRatio * short || short * long > maxPixels;
  return isMisfit ? errors.image_unreadable.detail : null;
}

/** Its size in pixels as the browser decodes it. @throws where it cannot */
export async function measurePicture(file: File): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function nameType(file: File): Promise<File> {
  const head = new Uint8Array(await file.slice(0, SIGNED_BYTES).arrayBuffer());
  const text = String.fromCharCode(...head);
  const type = SIGNATURES.find(([, begins]) => begins.test(text))?.[0];
  return type === undefined ? file : new File([file], file.name, { type, lastModified: file.lastModified });
}

async function toJpeg(file: File, maxBytes: number): Promise<Blob | null> {
  const picture = await createImageBitmap(file);
  try {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    for (const quality of QUALITIES) {
      const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (jpeg.size <= maxBytes) return jpeg;
    }
    return null;
  } finally {
    picture.close();
  }
}
