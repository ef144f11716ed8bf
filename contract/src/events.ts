import { z } from 'zod';
import { generationErrorSchema, generationStatuses } from './generations.ts';
import { purchaseStatuses } from './payments.ts';
import { runCountsSchema, runStatuses } from './run-progress.ts';
import { toolIds } from './tools.ts';

/** The live events of `GET /api/v1/events`, by name. */
export const eventSchemas = {
  hello: z.object({ credits: z.int().nonnegative(), serverTime: z.iso.datetime() }),
  credits: z.object({ credits: z.int().nonnegative(), entryId: z.string() }),
  generation: z.object({
    id: z.string(),
    tool: z.enum(toolIds),
    status: z.enum(generationStatuses),
    progress: z.object({ message: z.string(), percent: z.int().min(0).max(100).nullable() }),
    error: generationErrorSchema.nullable(),
    refunded: z.boolean(),
    runId: z.string().optional(),
  }),
  media: z.object({ action: z.enum(['created', 'deleted', 'expired']), id: z.string() }),
  purchase: z.object({ id: z.string(), status: z.enum(purchaseStatuses) }),
  run: z.object({ id: z.string(), status: z.enum(runStatuses), counts: runCountsSchema }),
  session: z.object({ state: z.literal('ended'), reason: z.enum(['signed_out', 'account_deleted']).optional() }),
  resync: z.object({}),
} as const;

export type EventName = keyof typeof eventSchemas;
export type EventBody<Name extends EventName> = z.infer<(typeof eventSchemas)[Name]>;
