import { z } from 'zod';
import { type GenerationStatus, generationStatuses } from './generations.ts';

// How far a run is. Apart from runs.ts, because every page of the app hears of it and few ask for a run.

export const runStatuses = ['open', 'closed', 'finished', 'canceled'] as const;
export type RunStatus = (typeof runStatuses)[number];

const count = z.int().nonnegative();
export const runCountsSchema = z.object({
  total: count,
  ...(Object.fromEntries(generationStatuses.map((status) => [status, count])) as Record<
    GenerationStatus,
    typeof count
  >),
});
export type RunCounts = z.infer<typeof runCountsSchema>;
