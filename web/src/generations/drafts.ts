import { useEffect, useState } from 'react';
import { errors } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { costOf } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { Tool, ToolField } from '@plinth/contract/tool';
import { takeBrought } from '../platform/brought-along.ts';
import { createClientStore } from '../platform/client-store.ts';
import { useUser } from '../platform/useUser.ts';
import { checkImage, type PickedImage } from './check-image.ts';
import { keepField, readKeptDraft } from './kept-drafts.ts';

/** What a person has put into a tool's form, by field name. */
export type Draft = Readonly<Record<string, PickedImage | string>>;

type Drafts = {
  drafts: Partial<Record<ToolId, Draft>>;
  /** Tools for which was read what this browser kept. */
  read: ReadonlySet<ToolId>;
};

export const useDrafts = createClientStore<Drafts>('person', { drafts: {}, read: new Set() });

function changeDraft(toolId: ToolId, change: (draft: Draft) => Draft): void {
  useDrafts.setState(({ drafts }) => ({
    drafts: { ...drafts, [toolId]: change(drafts[toolId] ?? readChoices(toolId)) },
  }));
}

/**
 * The form of one tool. It outlives its screen and its page: what was typed or chosen is there again after a reload, a
 * sign-in, a checkout, for 48 hours. What was chosen from a list is remembered until somebody signs out.
 */
export function useDraft(toolId: ToolId) {
  const { id: userId } = useUser();
  const [remembered] = useState(() => readChoices(toolId));
  const draft = useDrafts(({ drafts }) => drafts[toolId] ?? remembered);
  useKept(toolId);
  const keep = (name: string, value: PickedImage | string | null) =>
    void keepField(userId, toolId, name, value).catch(() => undefined); // Private windows keep nothing.
  const setField = (name: string, value: PickedImage | string | null) => {
    if (isChoice(toolId, name)) rememberChoice(toolId, name, value);
    else keep(name, value);
    // Where it stood belongs to the picture before.
    if (isOtherPicture(draft[name], value))
      for (const other of Object.keys(draft)) if (isOfPicture(toolId, other)) setField(other, null);
    changeDraft(toolId, (before) => {
      const rest = { ...before };
      delete (rest as Record<string, unknown>)[name];
      return value === null || value === '' ? rest : { ...rest, [name]: value };
    });
  };
  /** Asks for other pictures; words and settings stay, because they are what one varies. */
  const startAfresh = () => {
    for (const name of Object.keys(draft))
      if (isPicture(draft[name]) || isOfPicture(toolId, name)) setField(name, null);
  };
  /** Several fields at once, of the form as it is at this moment. */
  const changeFields = (change: (draft: Draft) => Draft) => {
    const now = useDrafts.getState().drafts[toolId] ?? remembered;
    const next = change(now);
    for (const name of new Set([...Object.keys(now), ...Object.keys(next)]))
      if (now[name] !== next[name]) setField(name, next[name] ?? null);
  };
  return { draft, setField, changeFields, startAfresh };
}

const isPicture = (value: Draft[string] | undefined) => typeof value === 'object';
const isOtherPicture = (before: Draft[string] | undefined, value: Draft[string] | null) =>
  typeof before === 'object' && (typeof value !== 'object' || before.file !== value?.file);

/** Fills what is still empty with what this browser kept, once in each page. */
function useKept(toolId: ToolId): void {
  const { id: userId } = useUser();
  const isRead = useDrafts(({ read }) => read.has(toolId));
  useEffect(() => {
    if (isRead) return;
    useDrafts.setState(({ read }) => ({ read: new Set([...read, toolId]) }));
    readKept(userId, toolId).then(
      (kept) => changeDraft(toolId, (before) => ({ ...kept, ...before })),
      () => undefined, // Private windows keep nothing.
    );
  }, [isRead, toolId, userId]);
}

/** What was brought along from the start page comes before what was left in the form. */
async function readKept(userId: string, toolId: ToolId): Promise<Draft> {
  const brought = await readBrought(toolId);
  for (const [name, value] of Object.entries(brought)) await keepField(userId, toolId, name, value);
  return { ...(await readKeptDraft(userId, toolId)), ...brought };
}

/** The photo and the words that a visitor took along through the door, as fields of this tool. */
async function readBrought(toolId: ToolId): Promise<Draft> {
  const brought = await takeBrought(toolId);
  if (brought === null) return {};
  const found: Record<string, PickedImage | string> = {};
  for (const [name, field] of Object.entries<ToolField>(tools[toolId].fields)) {
    if (field.kind === 'text' && brought.words !== null) found[name] = brought.words;
    if (field.kind !== 'image') continue;
    const { image } = await checkImage(brought.photo, field);
    if (image !== null) found[name] = image;
  }
  return found;
}

const choiceKey = (toolId: ToolId, name: string) => `plinth-choice-${toolId}-${name}`;

function readChoices(toolId: ToolId): Draft {
  const fields = Object.entries<ToolField>(tools[toolId].fields);
  const found = fields.flatMap(([name, field]) => {
    const value = field.kind === 'choice' ? localStorage.getItem(choiceKey(toolId, name)) : null;
    return field.kind === 'choice' && field.options.some((option) => option.value === value) ? [[name, value]] : [];
  });
  return Object.fromEntries(found) as Draft;
}

const kindOf = (toolId: ToolId, name: string) =>
  (tools[toolId].fields as Readonly<Record<string, ToolField>>)[name]?.kind;
const isChoice = (toolId: ToolId, name: string) => kindOf(toolId, name) === 'choice';
const isOfPicture = (toolId: ToolId, name: string) => kindOf(toolId, name) === 'placement';

function rememberChoice(toolId: ToolId, name: string, value: PickedImage | string | null): void {
  if (typeof value === 'string') localStorage.setItem(choiceKey(toolId, name), value);
}

/** The fields that must be filled: those with a sentence for when they are empty. */
export function requiredFields(tool: Tool): string[] {
  return Object.entries(tool.fields).flatMap(([name, field]) => ('missing' in field ? [name] : []));
}

/** The required fields that are still empty, in the tool's order. Blanks do not count as a description. */
export function missingFields(tool: Tool, draft: Draft): string[] {
  return requiredFields(tool).filter((name) => {
    const value = draft[name];
    return value === undefined || (typeof value === 'string' && value.trim() === '');
  });
}

/** What the form costs as it stands: what the screen shows as chosen is what is sent. */
export function priceOf(tool: Tool, draft: Draft): number {
  const chosen = Object.entries(tool.fields).flatMap(([name, field]) =>
    field.kind === 'choice' ? [[name, textOf(draft, name) || (field.options[0]?.value ?? '')] as const] : [],
  );
  return costOf(tool, Object.fromEntries(chosen));
}

export function pictureOf(draft: Draft, name: string): PickedImage | undefined {
  const value = draft[name];
  return typeof value === 'object' ? value : undefined;
}

export function textOf(draft: Draft, name: string): string {
  const value = draft[name];
  return typeof value === 'string' ? value : '';
}

export const hasPictures = (draft: Draft): boolean => Object.values(draft).some(isPicture);

/** The first thing the server would refuse, in the order of the tool's fields. */
export function findWrong(tool: Tool, draft: Draft): { sentence: string; field: string } | null {
  const missing = missingFields(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    if ('missing' in field && missing.includes(name)) return { sentence: field.missing, field: name };
    if (field.kind === 'text' && countCharacters(textOf(draft, name)) > field.maxLength) {
      return { sentence: errors.prompt_too_long.detail, field: name };
    }
  }
  return null;
}
