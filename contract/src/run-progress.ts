import { z } from 'zod';
import { type GenerationStatus, generationStatuses } from './generations.ts';

// A run's progress. It is separate from runs.ts because every page receives it and few pages load runs.

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
