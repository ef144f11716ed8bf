import { errors } from '@plinth/contract/errors';
import { IMAGE_TYPES, type ImageField } from '@plinth/contract/tool';
import { imageFieldLimits } from '@plinth/contract/tool-fields';

const SIGNATURES = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/gif', /^GIF8/],
  // ISO/IEC 23008-12: the brands that iPhones write.
  ['image/heic', /^[^]{4}ftyp(heic|heix|hevc|heim|heis|mif1|msf1)/],
] as const;
const SIGNED_BYTES = 16;
const UNNAMED = new Set(['', 'application/octet-stream']);
const HEIC_TYPES = new Set(['image/heic', 'image/heif']);
/** Qualities to try; the first that keeps a phone photo below the limit is used. */
const QUALITIES = [0.92, 0.8];

export const isHeic = ({ type }: Pick<Blob, 'type'>): boolean => HEIC_TYPES.has(type);

/** A file input's `accept`. Most systems know HEIC by its ending only. */
export const acceptPhotos = (types: readonly string[] = IMAGE_TYPES): string => [...types, '.heic', '.heif'].join(',');

/** Added to the field's sentence for a HEIC photo that cannot be decoded. */
const HEIC_WAY_OUT =
  'This photo is HEIC: on an iPhone, share it with Options, Most Compatible; on a computer, open it and export it as JPEG.';

/**
 * Converts a file to what the server accepts. A file without a type is identified by its first bytes. A HEIC photo
 * becomes an upright sRGB JPEG that is small enough, decoded by the browser (Safari) or by libheif; if neither can, it
 * stays unchanged.
 */
export async function readPictureFile(file: File): Promise<File> {
  const named = UNNAMED.has(file.type) ? await nameType(file).catch(() => file) : file;
  if (!isHeic(named)) return named;
  const jpeg = await toJpeg(named).catch(() => null);
  return jpeg === null ? named : new File([jpeg], named.name.replace(/\.hei[cf]$/i, '') + '.jpg', { type: jpeg.type });
}

/** Checks type and size in the server's order and words; null if both are fine. */
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
 * Checks the sides of a picture against its tool's limits, or else the general ones, in the server's words; null if
 * they are fine or unknown.
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

/** Returns the size in pixels as decoded by the browser. @throws if it cannot decode the file */
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

async function toJpeg(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => decodeInWorker(file));
  try {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    for (const quality of QUALITIES) {
      const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (jpeg.size <= imageFieldLimits.maxBytes) return jpeg;
    }
    return null;
  } finally {
    picture.close();
  }
}

/** Loads libheif for this photo. @throws if it cannot be loaded or decode the file */
function decodeInWorker(file: File): Promise<ImageBitmap> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ImageBitmap>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ImageBitmap | null>) =>
      data === null ? reject(new Error('no HEIC that can be decoded')) : resolve(data);
    worker.onerror = reject;
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
