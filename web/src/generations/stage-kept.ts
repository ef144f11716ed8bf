import { z } from 'zod';
import type { ToolId } from '@plinth/contract/tools';

/** What stood on a tool's stage, for the next time this browser opens it: the generation, and those beside it. */
const keptSchema = z.object({
  generationId: z.string(),
  row: z.array(z.string()),
  /** Another version kept something else. */
  made: z.record(z.string(), z.record(z.string(), z.string())).catch({}),
  /** Absent where an older version kept it. */
  readFailureId: z.string().nullable().default(null),
});
export type KeptStage = z.infer<typeof keptSchema>;

const keyOf = (toolId: ToolId) => `plinth-stage-${toolId}`;

export function keepStage(toolId: ToolId, kept: KeptStage): void {
  localStorage.setItem(keyOf(toolId), JSON.stringify(kept));
}

export function forgetStage(toolId: ToolId): void {
  localStorage.removeItem(keyOf(toolId));
}

export function readKeptStage(toolId: ToolId): KeptStage | null {
  try {
    return keptSchema.parse(JSON.parse(localStorage.getItem(keyOf(toolId)) ?? 'null'));
  } catch {
    return null; // Nothing was kept, or another version kept it.
  }
}
