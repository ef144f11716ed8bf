import { z } from 'zod';
import { named } from './named.ts';
import type { PREVIEW_WIDTHS } from './limits.ts';
import { toolIds } from './tools.ts';

/** Properties of a finished file in every list. */
export const fileProperties = {
  mediaType: z.string(),
  contentType: z.string(),
  contentUrl: z.string(),
  downloadUrl: z.string(),
  /** Clips only: a JPEG of the first frame. */
  posterUrl: z.string().optional(),
  originalFilename: z.string(),
};

/** One finished picture or video in the history. Width and height are in pixels. */
export const mediaSchema = named('Media', {
  id: z.string(),
  ...fileProperties,
  bytes: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
  generationId: z.string(),
  tool: z.enum(toolIds),
  /** The user's texts by field name; null once the upload is deleted. */
  input: z.record(z.string(), z.string()).nullable(),
  /** The photo's own file name, of several photos the main one's; null once the upload is deleted. */
  photoName: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Media = z.infer<typeof mediaSchema>;

const deletionCauses = ['expired', 'by you'] as const;
export type DeletionCause = (typeof deletionCauses)[number];

/** Proof of a file's deletion: the SHA-256 of its stored bytes in hexadecimal, and the cause. */
export const deletionReceiptSchema = named('DeletionReceipt', {
  id: z.string(),
  kind: z.enum(['upload', 'result']),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime(),
  cause: z.enum(deletionCauses),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

type MediaUrls = Pick<Media, 'contentUrl' | 'downloadUrl' | 'posterUrl'>;

/** Returns the URLs of a media item's bytes and, for a clip, of its first frame. */
export function mediaUrls(mediaId: string, contentType: string): MediaUrls {
  const at = `/api/v1/media/${mediaId}`;
  const poster = contentType.startsWith('video/') ? { posterUrl: `${at}/poster` } : {};
  return { contentUrl: `${at}/content`, downloadUrl: `${at}/download`, ...poster };
}

/** Returns the URL of a media item's WebP preview, never enlarged; `width` in pixels. */
export function previewUrl(mediaId: string, width: (typeof PREVIEW_WIDTHS)[number]): string {
  return `/api/v1/media/${mediaId}/preview?width=${width}`;
}

/** Returns the URL of the WebP preview of a generation's input photo. It works until the photo is deleted. */
export function beforeUrl(generationId: string, width: (typeof PREVIEW_WIDTHS)[number]): string {
  return `/api/v1/generations/${generationId}/before?width=${width}`;
}

/** Returns the URL of a ZIP of these media items, or of the whole history for null. */
export function archiveUrl(mediaIds: readonly string[] | null): string {
  return mediaIds === null ? '/api/v1/media/archive' : `/api/v1/media/archive?ids=${mediaIds.join(',')}`;
}
