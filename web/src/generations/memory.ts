import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import type { Step as MarkStep } from '../marks/marks.ts';
import { createPersistentStore, type Pieces } from '../platform/storage/persistent-store.ts';
import { changeField, fieldOf, type Draft, type FormFingerprint, type PickedImage } from './drafts.ts';

/** A form that was sent without an answer, and the idempotency keys of its versions: a repeat is charged once. */
export type Attempt = {
  key: string;
  form: string;
  /** Number of accepted versions: making the form again gives different ones. */
  renewed?: Readonly<Record<string, string>>;
};

export type Stage = Readonly<{
  shown: string | null;
  row: readonly string[];
  /** The generation on the stage before "Start another". */
  left?: string | null;
  readFailureId: string | null;
  attempt: Attempt | null;
}>;

export type Refusal = {
  sentence: string;
  field: string | null;
  isPoor?: boolean;
};

/** The file being read for a field, why the last one was refused, and the request for the photo's subject. */
export type PhotoInput = { reading?: File | Promise<File>; refusal?: string; looking?: Promise<void> };

/** State of a tool's screen that only this page needs. */
export type Page = {
  photos: Readonly<Record<string, PhotoInput>>;
  /** A form being sent. */
  sending: { bytes: { sent: number; total: number } | null; stop: () => void } | null;
  /** True if the first version of a press was accepted and the others are still being sent. */
  isSendingOthers: boolean;
  refusal: Refusal | null;
  /** True if this page knows the state of the stage's generation; after a reload it has to ask first. */
  resumption: 'due' | 'asked' | 'done';
};

export type Upload = { id: string; file: File; addedAt: number };

type OfTools<Value> = Readonly<Partial<Record<ToolId, Value>>>;

/**
 * The generations that this page follows, newest first: active ones, and those that ended since the page was opened.
 */
export type Followed = readonly Generation[];

export type Memory = {
  /** Typed and chosen values, kept for 48 hours; choices from lists until the user signs out. */
  drafts: OfTools<Draft>;
  stages: OfTools<Stage>;
  pages: OfTools<Page>;
  uploads: Readonly<Record<string, Upload>>;
  /** The form that each generation was made from, by id; for a retry made elsewhere, only what it changed. */
  made: Readonly<Record<string, FormFingerprint>>;
  steps: Readonly<Record<string, readonly MarkStep[]>>;
  lastScenes: readonly string[] | null;
  /** The tool whose form waits for credits. Outlives the page, because paying leaves it. */
  unfinished: ToolId | null;
  followed: Followed;
  /** Toasts of the generations that this page started or resumed, by generation. Others show no toast. */
  toastIds: ReadonlyMap<string, string>;
  seen: ReadonlySet<string>;
  /** Results that were revealed once; they are shown without the animation afterwards. */
  uncovered: ReadonlySet<string>;
  isRead: boolean;
};

const FRESH_STAGE: Stage = { shown: null, row: [], readFailureId: null, attempt: null };
const FRESH_PAGE: Page = { photos: {}, sending: null, isSendingOthers: false, refusal: null, resumption: 'due' };
const NO_DRAFT: Draft = {};

/** The stored pieces, and the number of names in their keys. */
const KEPT = { drafts: 2, stages: 1, uploads: 1, made: 1, steps: 1, lastScenes: 0, unfinished: 0 } as const;

/** Everything this browser knows about the tools. The stored part outlives the page. */
export const useMemory = createPersistentStore<Memory>({
  name: 'tools',
  initial: {
    ...{ drafts: {}, stages: {}, uploads: {}, made: {}, steps: {}, lastScenes: null, unfinished: null },
    ...{ pages: {}, followed: [], toastIds: new Map(), seen: new Set(), uncovered: new Set() },
    isRead: false,
  },
  split: (memory) => new Map(Object.entries(KEPT).flatMap(([name, depth]) => listPieces(memory, [name], depth))),
  join,
  isPermanent: (key) => {
    const [part, toolId, name] = key.split('/');
    if (part === 'drafts') return fieldOf(toolId as ToolId, name ?? '')?.kind === 'choice';
    return part === 'lastScenes' || part === 'unfinished';
  },
});

type Names = Readonly<Record<string, unknown>>;

/** The pieces `depth` names below the last of these, by all names in their keys. */
function listPieces(memory: Memory, path: readonly string[], depth: number): [key: string, piece: unknown][] {
  const value = path.reduce<unknown>((part, name) => (part as Names)[name], memory);
  if (depth === 0) return value === null ? [] : [[path.join('/'), value]];
  return Object.keys(value as Names).flatMap((name) => listPieces(memory, [...path, name], depth - 1));
}

/** Values of this page are newer than stored ones. */
function join(memory: Memory, stored: Pieces): Memory {
  const put = (part: unknown, piece: unknown, [name, ...rest]: string[]): unknown =>
    name === undefined ? (part ?? piece) : { ...(part as Names), [name]: put((part as Names)?.[name], piece, rest) };
  return [...stored].reduce((joined, [key, piece]) => put(joined, piece, key.split('/')) as Memory, memory);
}

export const readDraft = (toolId: ToolId, { drafts }: Memory = useMemory.getState()): Draft =>
  drafts[toolId] ?? NO_DRAFT;

export const readStage = (toolId: ToolId, { stages }: Memory = useMemory.getState()): Stage =>
  stages[toolId] ?? FRESH_STAGE;

export const readPage = (toolId: ToolId, { pages }: Memory = useMemory.getState()): Page => pages[toolId] ?? FRESH_PAGE;

export function changeDraft(toolId: ToolId, change: (draft: Draft) => Draft): void {
  useMemory.setState((memory) => ({ drafts: { ...memory.drafts, [toolId]: change(readDraft(toolId, memory)) } }));
}

export function setField(toolId: ToolId, name: string, value: PickedImage | string | null): void {
  changeDraft(toolId, (draft) => changeField(toolId, draft, name, value));
}

export function changeStage(toolId: ToolId, part: Partial<Stage>): void {
  useMemory.setState((memory) => ({
    stages: { ...memory.stages, [toolId]: { ...readStage(toolId, memory), ...part } },
  }));
}

export function changePage(toolId: ToolId, part: Partial<Page>): void {
  useMemory.setState((memory) => ({ pages: { ...memory.pages, [toolId]: { ...readPage(toolId, memory), ...part } } }));
}

export const findShown = (toolId: ToolId, memory: Memory = useMemory.getState()): Generation | null =>
  memory.followed.find(({ id }) => id === readStage(toolId, memory).shown) ?? null;

/** Changes what this page knows of a field's photo. */
export function changePhoto(toolId: ToolId, name: string, part: PhotoInput): void {
  changePage(toolId, { photos: { ...readPage(toolId).photos, [name]: part } });
}

/** True while a form is sent or its generation is active. */
export function isUnderWay(toolId: ToolId): boolean {
  const shown = findShown(toolId);
  return readPage(toolId).sending !== null || (shown !== null && !isTerminal(shown.status));
}

/** Any input dismisses the refusal and the failure on the stage. */
export function clearRefusal(toolId: ToolId): void {
  changePage(toolId, { refusal: null });
  changeStage(toolId, { readFailureId: isUnderWay(toolId) ? null : (findShown(toolId)?.id ?? null) });
}

export const isOnStage = ({ shown, row }: Pick<Stage, 'shown' | 'row'>, generationId: string): boolean =>
  generationId === shown || row.includes(generationId);

/** Puts a generation on its tool's stage; a single one replaces those shown before. */
export function showGeneration({ id, tool }: Pick<Generation, 'id' | 'tool'>): void {
  const { row } = readStage(tool);
  changePage(tool, { refusal: null, resumption: 'done' });
  changeStage(tool, { shown: id, row: row.includes(id) ? row : [id] });
}

export function assignToast(generationId: string, toastId: string): void {
  useMemory.setState(({ toastIds }) => ({ toastIds: new Map(toastIds).set(generationId, toastId) }));
}

export function markSeen(...generationIds: readonly string[]): void {
  useMemory.setState(({ seen }) => ({ seen: new Set([...seen, ...generationIds]) }));
}

const KEPT_UPLOADS = 3;
const KEPT_SCENES = 4;

export function rememberUpload(file: File): void {
  useMemory.setState(({ uploads }) => {
    const known = listUploads(uploads).find((one) => one.file.name === file.name && one.file.size === file.size);
    const upload = known ?? { id: crypto.randomUUID(), file };
    const all = { ...uploads, [upload.id]: { ...upload, addedAt: Date.now() } };
    return { uploads: Object.fromEntries(listUploads(all).map((one) => [one.id, one])) };
  });
}

/** The last few, newest first; other tabs may have stored more. */
export const listUploads = (uploads: Memory['uploads']): Upload[] =>
  Object.values(uploads)
    .sort((a, b) => b.addedAt - a.addedAt)
    .slice(0, KEPT_UPLOADS);

export function rememberScene(id: string): void {
  useMemory.setState(({ lastScenes }) => ({
    lastScenes: [id, ...(lastScenes ?? []).filter((other) => other !== id)].slice(0, KEPT_SCENES),
  }));
}

/** Stores the form of a generation for its next try, which only knows what is sent with it. */
export function rememberForm(generationId: string, fingerprint: FormFingerprint): void {
  useMemory.setState(({ made }) => ({ made: { ...made, [generationId]: fingerprint } }));
}

export function keepSteps(id: string, steps: readonly MarkStep[]): void {
  useMemory.setState((memory) => ({ steps: { ...memory.steps, [id]: steps } }));
}
