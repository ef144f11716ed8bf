import { z } from 'zod';
import { named } from './named.ts';
import { generationSchema } from './generations.ts';
import { lookSettingsSchema } from './looks.ts';
import { packIds, packRefusals, roles } from './pack-names.ts';
import { runCountsSchema, runStatuses } from './run-progress.ts';
import { toolIds } from './tools.ts';

/** Runs: a whole catalogue through one tool. */

const count = z.int().nonnegative();

export const runSchema = named('Run', {
  id: z.string(),
  name: z.string(),
  tool: z.enum(toolIds),
  /** Texts of every item that has none of its own; empty once the pictures are gone. */
  fields: z.record(z.string(), z.string()),
  packs: z.array(z.string()),
  /** A copy of the look that it was made with; null without one. */
  look: lookSettingsSchema.nullable(),
  status: z.enum(runStatuses),
  counts: runCountsSchema,
  /** Results of which not every pack makes a file. */
  incomplete: count,
  /** Sums of all debits and of all refunds, earlier tries included. */
  credits: z.object({ spent: count, returned: count }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Run = z.infer<typeof runSchema>;

export const runItemSchema = named('RunItem', {
  id: z.string(),
  sku: z.string().nullable(),
  /** As the person's file was called; null once the picture is gone. */
  filename: z.string().nullable(),
  heightCm: z.number().nullable(),
  asin: z.string().nullable(),
  ean: z.string().nullable(),
  role: z.enum(roles).nullable(),
  handle: z.string().nullable(),
  /** What its picture shows, in at most 125 characters. */
  alt: z.string(),
  generation: generationSchema,
  /** The run's packs that make no file of its result, and why: the archive has none of them. */
  missingFiles: z.array(z.object({ pack: z.enum(packIds), refusal: z.enum(packRefusals) })),
});
export type RunItem = z.infer<typeof runItemSchema>;

export const RUN_MAX_ITEMS = 500;
/** Items of one person that may wait or be worked on at a time, over all runs. */
export const RUN_MAX_WAITING = 1000;

const SKU = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
/** Whether this can be an item's article number, and a folder's name in the archive. */
export const isSku = (text: string): boolean => SKU.test(text);
