import { z } from 'zod';
import { toolIds } from './tools.ts';

export const generationStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type GenerationStatus = (typeof generationStatuses)[number];

export const failureCodes = [
  'provider_timeout',
  'provider_failed',
  'provider_rejected',
  'provider_not_found',
  'result_missing',
  'result_invalid',
  'storage_failed',
  'canceled',
] as const;
export type FailureCode = (typeof failureCodes)[number];

export const CANCELED_SENTENCE = 'Generation canceled.';

export const generationResultSchema = z.object({
  mediaId: z.string(),
  mediaType: z.string(),
  contentType: z.string(),
  contentUrl: z.string(),
  downloadUrl: z.string(),
  originalFilename: z.string(),
});

export const generationErrorSchema = z.object({ code: z.enum(failureCodes), message: z.string() });

/** One generation, as the API answers it. `percent` is null while the provider tells nothing. */
export const generationSchema = z.object({
  id: z.string(),
  tool: z.enum(toolIds),
  status: z.enum(generationStatuses),
  cost: z.int().positive(),
  progress: z.object({ message: z.string(), percent: z.int().min(0).max(100).nullable() }),
  cancelRequested: z.boolean(),
  result: generationResultSchema.nullable(),
  error: generationErrorSchema.nullable(),
  refunded: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Generation = z.infer<typeof generationSchema>;

export function isTerminal(status: GenerationStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** One tool, as `GET /api/v1/tools` lists it. */
export const toolEntrySchema = z.object({
  id: z.enum(toolIds),
  name: z.string(),
  cost: z.int().positive(),
  mediaType: z.string(),
  servedBy: z.object({ kind: z.enum(['built-in', 'provider']), name: z.string() }),
  fields: z.array(z.looseObject({ name: z.string(), type: z.string(), required: z.boolean() })),
});
export type ToolEntry = z.infer<typeof toolEntrySchema>;

/** One stock portrait, as `GET /api/v1/headshot-models` lists it. */
export const headshotModelSchema = z.object({ id: z.string(), name: z.string(), imageUrl: z.string() });
export type HeadshotModel = z.infer<typeof headshotModelSchema>;
