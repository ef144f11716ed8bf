import { z } from 'zod';
import { named } from './named.ts';
import { generationSchema } from './generations.ts';
import { lookSettingsSchema } from './looks.ts';
import { packIds, packRefusals, roles } from './pack-names.ts';
import { runCountsSchema, runStatuses } from './run-progress.ts';
import { toolIds } from './tools.ts';

/** Runs: one tool applied to a whole catalogue. */

const count = z.int().nonnegative();

export const runSchema = named('Run', {
  id: z.string(),
  name: z.string(),
  tool: z.enum(toolIds),
  /** Default texts for items without their own; empty once the pictures are deleted. */
  fields: z.record(z.string(), z.string()),
  packs: z.array(z.string()),
  /** A copy of the look at the run's creation; null without one. */
  look: lookSettingsSchema.nullable(),
  status: z.enum(runStatuses),
  counts: runCountsSchema,
  /** Number of results for which at least one pack makes no file. */
  incomplete: count,
  /** Sums of all debits and of all refunds, including earlier attempts. */
  credits: z.object({ spent: count, returned: count }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Run = z.infer<typeof runSchema>;

export const runItemSchema = named('RunItem', {
  id: z.string(),
  sku: z.string().nullable(),
  /** Name of the uploaded file; null once the picture is deleted. */
  filename: z.string().nullable(),
  heightCm: z.number().nullable(),
  asin: z.string().nullable(),
  ean: z.string().nullable(),
  role: z.enum(roles).nullable(),
  handle: z.string().nullable(),
  /** Alternative text of at most 125 characters. */
  alt: z.string(),
  generation: generationSchema,
  /** The run's packs that make no file of the result, and why. The archive omits these files. */
  missingFiles: z.array(z.object({ pack: z.enum(packIds), refusal: z.enum(packRefusals) })),
});
export type RunItem = z.infer<typeof runItemSchema>;

export const RUN_MAX_ITEMS = 500;
/** Maximum number of a user's items that are queued or running at a time, over all runs. */
export const RUN_MAX_WAITING = 1000;

const SKU = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
/** True if this is a valid article number that can also name a folder in the archive. */
export const isSku = (text: string): boolean => SKU.test(text);
