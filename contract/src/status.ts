import { z } from 'zod';
import { toolIds } from './tools.ts';

/** Public statistics of `GET /api/v1/status`. */

/** A tool or day with fewer ended generations is not reported. */
export const STATUS_MIN_ENDED = 20;
export const STATUS_DAYS = 30;

const count = z.int().nonnegative();

/**
 * One tool in one span. Canceled generations count only as ended. Seconds are of succeeded ones and include waiting,
 * except that of a run's items for each other.
 */
export const toolFiguresSchema = z.object({
  ended: count,
  succeeded: count,
  /** The engine or provider rejected the input: see `refusalCodes`. */
  refused: count,
  failed: count,
  medianSeconds: z.number().nonnegative().nullable(),
  p95Seconds: z.number().nonnegative().nullable(),
  /** Refunds of generations without a result, and returns of results. */
  creditsReturned: count,
});
export type ToolFigures = z.infer<typeof toolFiguresSchema>;

const spanSchema = z.object({ tools: z.partialRecord(z.enum(toolIds), toolFiguresSchema) });

/** A day in UTC. Today's figures are incomplete. */
const daySchema = z.object({ date: z.iso.date(), ended: count, succeeded: count });
export type StatusDay = z.infer<typeof daySchema>;

/** The site's components whose health is reported. */
export const siteParts = ['engine', 'payments', 'storage', 'queue'] as const;
const partStates = ['up', 'slow', 'down'] as const;
export type PartState = (typeof partStates)[number];
const partStatesSchema = z.record(z.enum(siteParts), z.enum(partStates));
export type PartStates = z.infer<typeof partStatesSchema>;

export const statusSchema = z.object({
  parts: partStatesSchema,
  hours24: spanSchema,
  /** Today and the 29 days before it. */
  days30: spanSchema,
  /** All tools together, oldest day first. */
  days: z.array(daySchema),
  toolDays: z.partialRecord(z.enum(toolIds), z.array(daySchema)),
});
export type Status = z.infer<typeof statusSchema>;
