import { z } from 'zod';
import { generationSchema } from './generations.ts';
import { purchaseStatuses } from './payments.ts';
import { runCountsSchema, runStatuses } from './run-progress.ts';

/** The live events of `GET /api/v1/events`, by name. */
export const eventSchemas = {
  hello: z.object({ credits: z.int().nonnegative(), serverTime: z.iso.datetime() }),
  credits: z.object({ credits: z.int().nonnegative(), entryId: z.string() }),
  generation: generationSchema.pick({
    id: true,
    tool: true,
    status: true,
    progress: true,
    error: true,
    candidate: true,
    refunded: true,
    runId: true,
  }),
  media: z.object({ action: z.enum(['created', 'deleted', 'expired']), id: z.string() }),
  purchase: z.object({ id: z.string(), status: z.enum(purchaseStatuses) }),
  run: z.object({ id: z.string(), status: z.enum(runStatuses), counts: runCountsSchema }),
  session: z.object({ state: z.literal('ended'), reason: z.enum(['signed_out', 'account_deleted']).optional() }),
  resync: z.object({}),
} as const;

export type EventName = keyof typeof eventSchemas;
export type EventBody<Name extends EventName> = z.infer<(typeof eventSchemas)[Name]>;
export type SessionEndReason = NonNullable<EventBody<'session'>['reason']>;
