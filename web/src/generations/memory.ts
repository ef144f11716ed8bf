import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import type { ToolId } from '@plinth/contract/tools';
import type { Step as MarkStep } from '../marks/marks.ts';
import { createKeptStore, type Pieces } from '../platform/kept/kept-store.ts';
import { fieldOf, type Draft } from './drafts.ts';
import type { FormPrint } from './form-print.ts';
import type { Followed } from './running.ts';

/** What was sent and had no answer, and the key of its versions: sent again, each is paid once. */
export type Attempt = {
  key: string;
  form: string;
  /** Of versions that were accepted: made anew, they are others. */
  renewed?: Readonly<Record<string, string>>;
};

export type Stage = Readonly<{
  shown: string | null;
  row: readonly string[];
  made: Readonly<Record<string, FormPrint>>;
  readFailureId: string | null;
  attempt: Attempt | null;
}>;

export type Refusal = {
  sentence: string;
  field: string | null;
  isPoor?: boolean;
};

/** A form on its way. */
type Sending = { bytes: { sent: number; total: number } | null; stop: () => void };

/** What stands on a tool's screen: its form, its stage, and what this page alone does. */
type ToolMemory = {
  draft: Draft;
  stage: Stage;
  sending: Sending | null;
  /** Whether the first version of a press was accepted and the others are on their way to the server. */
  isSendingOthers: boolean;
  refusal: Refusal | null;
  /** Whether this page knows what stands on the stage: after a reload it asks first what became of it. */
  takingUp: 'due' | 'asked' | 'done';
};

export type Upload = { id: string; file: File; addedAt: number };

export type Memory = {
  tools: Partial<Record<ToolId, ToolMemory>>;
  uploads: readonly Upload[];
  marks: Readonly<Record<string, Marks>>;
  steps: Readonly<Record<string, readonly MarkStep[]>>;
  lastScenes: readonly string[];
  /** The tool whose form waits for credits. It outlives the page, because paying leads away from it. */
  unfinished: ToolId | null;
  followed: Followed;
  /** The toasts of the generations started, or taken up again, in this page, by generation: only these speak. */
  toastIds: ReadonlyMap<string, string>;
  seen: ReadonlySet<string>;
  /** Results that were uncovered once; they stand still when one comes back to them. */
  uncovered: ReadonlySet<string>;
  isRead: boolean;
};

const FRESH: ToolMemory = {
  draft: {},
  stage: { shown: null, row: [], made: {}, readFailureId: null, attempt: null },
  sending: null,
  isSendingOthers: false,
  refusal: null,
  takingUp: 'due',
};

const OF_SESSION = {
  followed: [],
  toastIds: new Map<string, string>(),
  seen: new Set<string>(),
  uncovered: new Set<string>(),
} satisfies Partial<Memory>;

/** All that this browser knows of the tools. What is kept of it outlives the page; the rest ends with the session. */
export const useMemory = createKeptStore<Memory>({
  name: 'tools',
  initial: {
    tools: {},
    uploads: [],
    marks: {},
    steps: {},
    lastScenes: [],
    unfinished: null,
    isRead: false,
    ...OF_SESSION,
  },
  split,
  join,
  afterSession: (memory) => ({
    ...memory,
    ...OF_SESSION,
    tools: mapTools(memory, ({ draft, stage }) => ({ ...FRESH, draft, stage })),
  }),
  isLasting: (key) => /^(choice|scenes|unfinished) /.test(key),
});

function mapTools({ tools }: Memory, change: (memory: ToolMemory) => ToolMemory): Memory['tools'] {
  return Object.fromEntries(Object.entries(tools).map(([toolId, memory]) => [toolId, change(memory)]));
}

function split({ tools, uploads, marks, steps, lastScenes, unfinished }: Memory): Pieces {
  const kindOf = (toolId: string, name: string) =>
    fieldOf(toolId as ToolId, name)?.kind === 'choice' ? 'choice' : 'field';
  return new Map<string, unknown>([
    ...Object.entries(tools).flatMap(([toolId, { draft, stage }]) => [
      ...Object.entries(draft).map(([name, value]) => [`${kindOf(toolId, name)} ${toolId} ${name}`, value] as const),
      ...(stage === FRESH.stage ? [] : [[`stage ${toolId}`, stage] as const]),
    ]),
    ...uploads.map((upload) => [`upload ${upload.id}`, upload] as const),
    ...Object.entries(marks).map(([id, value]) => [`marks ${id}`, value] as const),
    ...Object.entries(steps).map(([id, value]) => [`steps ${id}`, value] as const),
    ...(lastScenes.length === 0 ? [] : [['scenes of', lastScenes] as const]),
    ...(unfinished === null ? [] : [['unfinished tool', unfinished] as const]),
  ]);
}

function join(memory: Memory, kept: Pieces): Memory {
  return [...kept].reduce((joined, [key, value]) => {
    const [kind = '', ...id] = key.split(' ');
    return JOINERS[kind]?.(joined, id.join(' '), value) ?? joined;
  }, memory);
}

type Joiner = (memory: Memory, id: string, value: unknown) => Memory;

const joinField: Joiner = (memory, id, value) => {
  const [toolId, name] = id.split(' ') as [ToolId, string];
  const { draft } = readTool(toolId, memory);
  return withTool(memory, toolId, { draft: { [name]: value as Draft[string], ...draft } });
};

const JOINERS: Readonly<Record<string, Joiner>> = {
  field: joinField,
  choice: joinField,
  stage: (memory, toolId, value) => {
    const { stage } = readTool(toolId as ToolId, memory);
    return withTool(memory, toolId as ToolId, { stage: stage === FRESH.stage ? (value as Stage) : stage });
  },
  upload: (memory, id, value) => {
    const { uploads } = memory;
    if (uploads.some((one) => one.id === id)) return memory;
    return { ...memory, uploads: [...uploads, value as Upload].sort((a, b) => b.addedAt - a.addedAt) };
  },
  marks: (memory, id, value) => ({ ...memory, marks: { [id]: value as Marks, ...memory.marks } }),
  steps: (memory, id, value) => ({ ...memory, steps: { [id]: value as MarkStep[], ...memory.steps } }),
  scenes: (memory, _id, value) =>
    memory.lastScenes.length > 0 ? memory : { ...memory, lastScenes: value as string[] },
  unfinished: (memory, _id, value) => ({ ...memory, unfinished: memory.unfinished ?? (value as ToolId) }),
};

export function readTool(toolId: ToolId, { tools }: Pick<Memory, 'tools'> = useMemory.getState()): ToolMemory {
  return tools[toolId] ?? FRESH;
}

function withTool(memory: Memory, toolId: ToolId, part: Partial<ToolMemory>): Memory {
  return { ...memory, tools: { ...memory.tools, [toolId]: { ...readTool(toolId, memory), ...part } } };
}

export function changeTool(toolId: ToolId, part: Partial<ToolMemory>): void {
  useMemory.setState((memory) => withTool(memory, toolId, part));
}

export function changeStage(toolId: ToolId, part: Partial<Stage>): void {
  changeTool(toolId, { stage: { ...readTool(toolId).stage, ...part } });
}

export const isOnStage = ({ shown, row }: Pick<Stage, 'shown' | 'row'>, generationId: string): boolean =>
  generationId === shown || row.includes(generationId);

/** The states of a tool's screen. `checking` ends with the server's answer, `sending` tells its bytes before that. */
export type Step = 'idle' | 'checking' | 'sending' | 'running' | 'ended';

export function stepOf({ sending }: ToolMemory, generation: Generation | null): Step {
  if (sending !== null) return sending.bytes === null ? 'checking' : 'sending';
  if (generation === null) return 'idle';
  return isTerminal(generation.status) ? 'ended' : 'running';
}

/** Puts a generation on its tool's stage; where it stands alone, without those that stood there before. */
export function showGeneration({ id, tool }: Pick<Generation, 'id' | 'tool'>): void {
  const { row } = readTool(tool).stage;
  changeTool(tool, { refusal: null, takingUp: 'done' });
  changeStage(tool, { shown: id, ...(!row.includes(id) && { row: [id], made: {} }) });
}

export function speakOf(generationId: string, toastId: string): void {
  useMemory.setState(({ toastIds }) => ({ toastIds: new Map(toastIds).set(generationId, toastId) }));
}

export function markSeen(...generationIds: readonly string[]): void {
  useMemory.setState(({ seen }) => ({ seen: new Set([...seen, ...generationIds]) }));
}

export function markUncovered(generationId: string): void {
  useMemory.setState(({ uncovered }) => ({ uncovered: new Set([...uncovered, generationId]) }));
}

const KEPT_UPLOADS = 3;
const KEPT_SCENES = 4;

export function rememberUpload(file: File): void {
  useMemory.setState(({ uploads }) => {
    const known = uploads.find((one) => one.file.name === file.name && one.file.size === file.size);
    const others = uploads.filter((one) => one !== known);
    const upload = { id: known?.id ?? crypto.randomUUID(), file: known?.file ?? file, addedAt: Date.now() };
    return { uploads: [upload, ...others].slice(0, KEPT_UPLOADS) };
  });
}

export function rememberScene(id: string): void {
  useMemory.setState(({ lastScenes }) => ({
    lastScenes: [id, ...lastScenes.filter((other) => other !== id)].slice(0, KEPT_SCENES),
  }));
}

/** The marks that a generation was made with are kept for the next try of it: a try knows only what is sent with it. */
export function rememberMarks(generationId: string, marks: Marks): void {
  useMemory.setState((memory) => ({ marks: { ...memory.marks, [generationId]: marks } }));
}

export function keepSteps(id: string, steps: readonly MarkStep[]): void {
  useMemory.setState((memory) => ({ steps: { ...memory.steps, [id]: steps } }));
}
