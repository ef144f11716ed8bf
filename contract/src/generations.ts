import { z } from 'zod';
import { named } from './named.ts';
import { candidateSchema } from './marks.ts';
import { finishedFile } from './media.ts';
import { standingSchema } from './placement.ts';
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

/** Failures because of the input; every other code but `canceled` is a failure of ours or the provider's. */
export const refusalCodes: readonly FailureCode[] = ['provider_rejected'];

export const CANCELED_SENTENCE = 'Generation canceled.';

export const generationResultSchema = z.object({
  mediaId: z.string(),
  ...finishedFile,
  /** What the built-in engine drew of the words, and what it did not, in the words' own language. */
  understood: z.array(z.string()).optional(),
  notDrawn: z.array(z.string()).optional(),
  /** Where the product stands in a scene of the built-in engine. */
  placement: standingSchema.optional(),
});

export const generationErrorSchema = z.object({ code: z.enum(failureCodes), message: z.string() });

/** One generation, as the API answers it. `percent` is null while the provider reports nothing. */
export const generationSchema = named('Generation', {
  id: z.string(),
  tool: z.enum(toolIds),
  status: z.enum(generationStatuses),
  cost: z.int().nonnegative(),
  progress: z.object({ message: z.string(), percent: z.int().min(0).max(100).nullable() }),
  cancelRequested: z.boolean(),
  result: generationResultSchema.nullable(),
  error: generationErrorSchema.nullable(),
  /** Only where no single product was found: what it may be, or null where nothing was found. */
  candidate: candidateSchema.nullable().optional(),
  refunded: z.boolean(),
  redoOf: z.string().nullable(),
  /** Free tries that this result still has; 0 where it can no longer be redone. */
  redosLeft: z.int().nonnegative(),
  /** Its credits were given back because the result was not usable; the result is gone. */
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

/** What a tool's form takes, with the limits of its kind: sides in pixels, `maxRatio` of the longer to the shorter. */
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
  /** Credits by option, where the price follows from the choice. */
  costs: z.record(z.string(), z.int().positive()).optional(),
  /** Sentences by option: what is made instead, where what serves the tool cannot make that. */
  instead: z.record(z.string(), z.string()).optional(),
});

/** One tool, as `GET /api/v1/tools` lists it. */
export const toolEntrySchema = named('Tool', {
  id: z.enum(toolIds),
  name: z.string(),
  cost: z.int().positive(),
  mediaType: z.string(),
  servedBy: z.object({ kind: z.enum(['built-in', 'provider']), name: z.string() }),
  /** Whether results of what serves it can be given back for their credits. */
  returnable: z.boolean(),
  fields: z.array(toolFieldSchema),
});
export type ToolEntry = z.infer<typeof toolEntrySchema>;

/** What `GET /api/v1/tools` answers; `returnsLeft` only to whoever is signed in. */
export const toolListSchema = z.object({
  items: z.array(toolEntrySchema),
  returnsLeft: z.int().nonnegative().optional(),
});
export type ToolList = z.infer<typeof toolListSchema>;

/** One scene of the built-in engine, as `GET /api/v1/scenes` lists it; `words` lead to it. */
export const sceneSchema = named('Scene', { id: z.string(), words: z.string(), imageUrl: z.string() });
export type Scene = z.infer<typeof sceneSchema>;

/** One stock portrait, as `GET /api/v1/headshot-models` lists it. */
export const headshotModelSchema = named('HeadshotModel', { id: z.string(), name: z.string(), imageUrl: z.string() });
export type HeadshotModel = z.infer<typeof headshotModelSchema>;
