import type { Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { createClientStore } from '../platform/client-store.ts';
import { applyChange, type Change, type FormPrint } from './form-print.ts';
import type { Attempt } from './submit-generation.ts';

export type Refusal = {
  sentence: string;
  field: string | null;
  /** It is the credits that lack: the way to them is offered beside it. */
  isPoor?: boolean;
};

/** What a tool's screen is doing, apart from the generation itself. */
export type Stage = {
  /** The generation on the stage; undefined while nobody chose, null for a fresh stage. */
  generationId: string | null | undefined;
  isChecking: boolean;
  /** Bytes of the form that are on their way; null once they are there, or where they are few. */
  sending: { sent: number; total: number } | null;
  refusal: Refusal | null;
  /** The failure whose sentence went away with the next input. */
  readFailureId: string | null;
  attempt: Attempt | null;
  /** The generations made from one photo, oldest first: what can be chosen from. */
  row: readonly string[];
  /** The forms that they were made from. */
  made: Readonly<Record<string, FormPrint>>;
};

const FRESH: Stage = {
  generationId: undefined,
  isChecking: false,
  sending: null,
  refusal: null,
  readFailureId: null,
  attempt: null,
  row: [],
  made: {},
};

type Stages = {
  stages: Partial<Record<ToolId, Stage>>;
  /** The toasts of the generations started, or taken up again, in this page, by generation: only these speak. */
  toastIds: ReadonlyMap<string, string>;
  /** Generations that somebody has seen the end of. */
  seen: ReadonlySet<string>;
  /** Results that were uncovered once; they stand still when one comes back to them. */
  uncovered: ReadonlySet<string>;
};

export const useStages = createClientStore<Stages>('session', {
  stages: {},
  toastIds: new Map(),
  seen: new Set(),
  uncovered: new Set(),
});

/** The stage of a tool as it is at this moment. */
export function readStage(toolId: ToolId, { stages } = useStages.getState()): Stage {
  return stages[toolId] ?? FRESH;
}

export function changeStage(toolId: ToolId, part: Partial<Stage>): void {
  useStages.setState((state) => ({ stages: { ...state.stages, [toolId]: { ...readStage(toolId, state), ...part } } }));
}

/** Puts a generation on its tool's stage. */
export function showGeneration({ id, tool }: Pick<Generation, 'id' | 'tool'>): void {
  const { row, made } = readStage(tool);
  changeStage(tool, {
    generationId: id,
    refusal: null,
    ...(row.includes(id) ? { row, made } : { row: [id], made: {} }),
  });
}

/** Notes what a free try was made from: the form of the one before it, and what is different. */
export function noteRedo(tool: ToolId, fromId: string, toId: string, change: Change): void {
  const { made } = readStage(tool);
  const before = made[fromId];
  if (before !== undefined) changeStage(tool, { made: { ...made, [toId]: applyChange(before, change) } });
}

/** From now on the page speaks of this generation, in this toast. */
export function speakOf(generationId: string, toastId: string): void {
  useStages.setState(({ toastIds }) => ({ toastIds: new Map(toastIds).set(generationId, toastId) }));
}

export function markSeen(...generationIds: readonly string[]): void {
  useStages.setState(({ seen }) => ({ seen: new Set([...seen, ...generationIds]) }));
}

export function markUncovered(generationId: string): void {
  useStages.setState(({ uncovered }) => ({ uncovered: new Set([...uncovered, generationId]) }));
}
