import { z } from 'zod';
import { toolIds } from './tools.ts';

/** How the work of the site has gone, as `GET /api/v1/status` shows everybody. */

/** Of fewer generations nothing is said: neither of a tool nor of a day. */
export const STATUS_LEAST_ENDED = 20;
export const STATUS_DAYS = 30;

const count = z.int().nonnegative();

/** One tool in one span. Canceled ones count as ended only. Seconds: of those that succeeded, waiting included. */
export const toolFiguresSchema = z.object({
  ended: count,
  succeeded: count,
  /** Ended because what serves the tool would not work on the input: see `refusalCodes`. */
  refused: count,
  failed: count,
  medianSeconds: z.number().nonnegative().nullable(),
  p95Seconds: z.number().nonnegative().nullable(),
  /** Of these generations: refunds of those that brought nothing, and returns of results. */
  creditsReturned: count,
});
export type ToolFigures = z.infer<typeof toolFiguresSchema>;

const spanSchema = z.object({ tools: z.partialRecord(z.enum(toolIds), toolFiguresSchema) });

/** A day of UTC; today is on its way. */
const daySchema = z.object({ date: z.iso.date(), ended: count, succeeded: count });
export type StatusDay = z.infer<typeof daySchema>;

/** What the site is made of, for who wants to know whether it works at all. */
export const siteParts = ['engine', 'payments', 'storage', 'queue'] as const;
export const partStates = ['up', 'slow', 'down'] as const;
export type PartState = (typeof partStates)[number];
const partStatesSchema = z.record(z.enum(siteParts), z.enum(partStates));
export type PartStates = z.infer<typeof partStatesSchema>;

export const statusSchema = z.object({
  parts: partStatesSchema,
  hours24: spanSchema,
  /** Today and the 29 days before it. */
  days30: spanSchema,
  /** Oldest first, of all tools together. */
  days: z.array(daySchema),
  toolDays: z.partialRecord(z.enum(toolIds), z.array(daySchema)),
});
export type Status = z.infer<typeof statusSchema>;
