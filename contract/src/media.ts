import { z } from 'zod';

/** One finished picture or video in the history; sizes in bytes and pixels. */
export const mediaSchema = z.object({
  id: z.string(),
  mediaType: z.string(),
  contentType: z.string(),
  bytes: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
  originalFilename: z.string(),
  generationId: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  contentUrl: z.string(),
  downloadUrl: z.string(),
});
export type Media = z.infer<typeof mediaSchema>;

/** Where the bytes of a media item are read. */
export function mediaUrls(mediaId: string): { contentUrl: string; downloadUrl: string } {
  return { contentUrl: `/api/v1/media/${mediaId}/content`, downloadUrl: `/api/v1/media/${mediaId}/download` };
}
