import { findXmp } from '@plinth/contract/source-type';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import { decode } from './decoding.ts';
import { hasUploads, type Library, type MediaRow, type PhotoRow, readContent, readUploads } from './library.ts';
import { findCover } from './mp4.ts';

/** A small WebP of a picture, or of a video's first frame, never enlarged. @throws AppError not_found */
export async function makePreview(library: Library, media: MediaRow, widthPx: number): Promise<Buffer> {
  const content = await readContent(library, media);
  return decode('preview', media.width * media.height, async () => {
    const picture = media.contentType.startsWith('video/') ? await openVideo(library, media, content) : sharp(content);
    return shrink(picture.keepXmp(), widthPx);
  });
}

/** Signs a derived file, with the original's time. */
export type SignDerived = (made: Buffer, from: Buffer, at: Date) => Promise<Buffer>;

/** The first frame of a clip as a signed JPEG of its size. @throws AppError not_found for anything else */
export async function makePoster(library: Library, media: MediaRow, sign: SignDerived): Promise<Buffer> {
  if (!media.contentType.startsWith('video/')) throw new AppError('not_found');
  const content = await readContent(library, media);
  const poster = await decode('preview', media.width * media.height, async () => {
    const frame = await openVideo(library, media, content);
    return frame.jpeg({ quality: 88 }).toBuffer();
  });
  return sign(poster, content, media.createdAt);
}

/** A small WebP of a photo. @throws AppError not_found */
export async function makeBeforePreview(library: Library, photo: PhotoRow, widthPx: number): Promise<Buffer> {
  const content = await readContent(library, photo);
  return decode('preview', photo.width * photo.height, () => shrink(sharp(content), widthPx));
}

const shrink = (picture: Sharp, width: number): Promise<Buffer> =>
  picture.resize({ width, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer();

/** The first frame with the clip's XMP; if the clip contains none, the picture that it was made from. */
async function openVideo(library: Library, media: MediaRow, content: Buffer): Promise<Sharp> {
  const cover = findCover(content);
  const frame = cover === undefined ? await cropUpload(library, media) : sharp(cover);
  const xmp = findXmp(content);
  return xmp === undefined ? frame : frame.withXmp(Buffer.from(xmp, 'latin1').toString());
}

async function cropUpload(library: Library, media: MediaRow): Promise<Sharp> {
  const [upload] = hasUploads(media, library) ? (await readUploads(library, media.generationId)).values() : [];
  if (upload === undefined) throw new AppError('not_found');
  const { width, height } = media;
  const cropped = await sharp(upload.content).resize({ width, height, fit: 'cover' }).toBuffer();
  return sharp(cropped);
}
