import { z } from 'zod';
import { named } from './named.ts';
import type { PREVIEW_WIDTHS } from './limits.ts';
import { toolIds } from './tools.ts';

/** What is said of a finished file wherever it is listed. */
export const finishedFile = {
  mediaType: z.string(),
  contentType: z.string(),
  contentUrl: z.string(),
  downloadUrl: z.string(),
  /** Of a clip: a JPEG of its first frame. */
  posterUrl: z.string().optional(),
  originalFilename: z.string(),
};

/** One finished picture or video in the history; sizes in bytes and pixels. */
export const mediaSchema = named('Media', {
  id: z.string(),
  ...finishedFile,
  bytes: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
  generationId: z.string(),
  tool: z.enum(toolIds),
  /** The words it was made from, by field name; null once the upload is gone. */
  input: z.record(z.string(), z.string()).nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Media = z.infer<typeof mediaSchema>;

export const deletionCauses = ['expired', 'by you'] as const;
export type DeletionCause = (typeof deletionCauses)[number];

/** What is left of a deleted file: the SHA-256 of the bytes that were stored, in hexadecimal, and why they went. */
export const deletionReceiptSchema = named('DeletionReceipt', {
  id: z.string(),
  kind: z.enum(['upload', 'result']),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime(),
  cause: z.enum(deletionCauses),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

export type MediaUrls = Pick<Media, 'contentUrl' | 'downloadUrl' | 'posterUrl'>;

/** Where the bytes of a media item are read, and the first frame of a clip. */
export function mediaUrls(mediaId: string, contentType: string): MediaUrls {
  const at = `/api/v1/media/${mediaId}`;
  const poster = contentType.startsWith('video/') ? { posterUrl: `${at}/poster` } : {};
  return { contentUrl: `${at}/content`, downloadUrl: `${at}/download`, ...poster };
}

/** Where a small WebP of a media item is read, never enlarged; `width` in pixels. */
export function previewUrl(mediaId: string, width: (typeof PREVIEW_WIDTHS)[number]): string {
  return `/api/v1/media/${mediaId}/preview?width=${width}`;
}

/** Where a small WebP of the photo that a generation is made from is read, for as long as it is there. */
export function beforeUrl(generationId: string, width: (typeof PREVIEW_WIDTHS)[number]): string {
  return `/api/v1/generations/${generationId}/before?width=${width}`;
}

/** Where a ZIP of these media items is read, or, without ids, of everything in the history. */
export function archiveUrl(mediaIds: readonly string[] | null): string {
  return mediaIds === null ? '/api/v1/media/archive' : `/api/v1/media/archive?ids=${mediaIds.join(',')}`;
}
