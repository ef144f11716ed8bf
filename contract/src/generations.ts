import { z } from 'zod';
import { named } from './named.ts';
import { candidateSchema } from './marks.ts';
import { fileProperties } from './media.ts';
import { placedProductSchema } from './placement.ts';
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

/** Failures caused by the input. All others but `canceled` are failures of the server or the provider. */
export const refusalCodes: readonly FailureCode[] = ['provider_rejected'];

export const CANCELED_SENTENCE = 'Generation canceled.';

const generationResultSchema = z.object({
  mediaId: z.string(),
  ...fileProperties,
  /** Parts of the prompt that the built-in engine drew or left out, in the prompt's language. */
  understood: z.array(z.string()).optional(),
  notDrawn: z.array(z.string()).optional(),
  /** Position of the product in a scene of the built-in engine. */
  placement: placedProductSchema.optional(),
});

const generationErrorSchema = z.object({ code: z.enum(failureCodes), message: z.string() });

/** One generation in the API. `percent` is null while the provider reports no progress. */
export const generationSchema = named('Generation', {
  id: z.string(),
  tool: z.enum(toolIds),
  status: z.enum(generationStatuses),
  cost: z.int().nonnegative(),
  progress: z.object({ message: z.string(), percent: z.int().min(0).max(100).nullable() }),
  cancelRequested: z.boolean(),
  result: generationResultSchema.nullable(),
  error: generationErrorSchema.nullable(),
  /** Present only if no single product was found: the best guess, or null without one. */
  candidate: candidateSchema.nullable().optional(),
  refunded: z.boolean(),
  redoOf: z.string().nullable(),
  /** Free redos left; 0 if the result can no longer be redone. */
  redosLeft: z.int().nonnegative(),
  /** The user returned the result as unusable: its credits are refunded and its file is deleted. */
  returned: z.boolean(),
  input: z.record(z.string(), z.string()).nullable(),
  runId: z.string().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Generation = z.infer<typeof generationSchema>;

export const returnReasons = ['edges', 'scene', 'person', 'motion', 'other'] as const;
export type ReturnReason = (typeof returnReasons)[number];
export const returnSchema = z.strictObject({ reason: z.enum(returnReasons) });

export function isTerminal(status: GenerationStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** One form field of a tool with its limits. Sides are in pixels; `maxRatio` is longer to shorter side. */
const toolFieldSchema = z.object({
  name: z.string(),
  type: z.enum(['image', 'text', 'choice', 'model', 'marks', 'placement']),
  required: z.boolean(),
  accept: z.array(z.string()).optional(),
  maxBytes: z.int().optional(),
  maxPixels: z.int().optional(),
  minSide: z.int().optional(),
  maxSide: z.int().optional(),
  maxRatio: z.number().optional(),
  maxLength: z.int().optional(),
  options: z.array(z.string()).optional(),
  default: z.string().optional(),
  /** Credits by option, if the price depends on the choice. */
  costs: z.record(z.string(), z.int().positive()).optional(),
  /** Sentences by option: the substitute, if the tool's engine or provider cannot make that option. */
  instead: z.record(z.string(), z.string()).optional(),
});

/** One tool, as `GET /api/v1/tools` lists it. */
export const toolEntrySchema = named('Tool', {
  id: z.enum(toolIds),
  name: z.string(),
  cost: z.int().positive(),
  mediaType: z.string(),
  servedBy: z.object({ kind: z.enum(['built-in', 'provider']), name: z.string() }),
  /** True if results of the engine or provider that serves the tool can be returned for their credits. */
  returnable: z.boolean(),
  fields: z.array(toolFieldSchema),
});
export type ToolEntry = z.infer<typeof toolEntrySchema>;

/** Response of `GET /api/v1/tools`. Only signed-in users get `returnsLeft`. */
export const toolListSchema = z.object({
  items: z.array(toolEntrySchema),
  returnsLeft: z.int().nonnegative().optional(),
});
export type ToolList = z.infer<typeof toolListSchema>;

/** One scene of the built-in engine in `GET /api/v1/scenes`. A prompt with its `words` selects it. */
export const sceneSchema = named('Scene', { id: z.string(), words: z.string(), imageUrl: z.string() });
export type Scene = z.infer<typeof sceneSchema>;

/** One stock portrait, as `GET /api/v1/headshot-models` lists it. */
export const headshotModelSchema = named('HeadshotModel', { id: z.string(), name: z.string(), imageUrl: z.string() });
export type HeadshotModel = z.infer<typeof headshotModelSchema>;
