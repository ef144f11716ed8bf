import { useState } from 'react';
import { errors } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { tools, type Tool, type ToolField, type ToolId } from '@plinth/contract/tools';
import { useCached } from '../platform/useCached.ts';
import type { PickedImage } from './check-image.ts';

/** What a person has put into a tool's form, by field name. */
export type Draft = Readonly<Record<string, PickedImage | string>>;

/**
 * The form of one tool. It outlives its screen, so nothing typed or chosen is lost on the way to another tool; what was
 * chosen from a list is remembered by the browser until somebody signs out.
 */
export function useDraft(toolId: ToolId) {
  const [remembered] = useState(() => readChoices(toolId));
  const [draft, update] = useCached<Draft>(['draft', toolId], remembered);
  const setField = (name: string, value: PickedImage | string | null) => {
    if (typeof value === 'string') rememberChoice(toolId, name, value);
    update((before) => {
      const rest = { ...before };
      delete (rest as Record<string, unknown>)[name];
      return value === null || value === '' ? rest : { ...rest, [name]: value };
    });
  };
  /** Empties the form but for what was chosen from a list. */
  const startAfresh = () => update((before) => keepChoices(toolId, before));
  return { draft, setField, startAfresh };
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

function keepChoices(toolId: ToolId, draft: Draft): Draft {
  const fields: Readonly<Record<string, ToolField>> = tools[toolId].fields;
  return Object.fromEntries(Object.entries(draft).filter(([name]) => fields[name]?.kind === 'choice'));
}

function rememberChoice(toolId: ToolId, name: string, value: string): void {
  const fields: Readonly<Record<string, ToolField>> = tools[toolId].fields;
  if (fields[name]?.kind === 'choice') localStorage.setItem(choiceKey(toolId, name), value);
}

/** The fields that must be filled. A choice always is, marks never need to be. */
export function requiredFields(tool: Tool): string[] {
  return Object.entries(tool.fields).flatMap(([name, { kind }]) =>
    kind === 'choice' || kind === 'marks' ? [] : [name],
  );
}

/** The required fields that are still empty, in the tool's order. Blanks do not count as a description. */
export function missingFields(tool: Tool, draft: Draft): string[] {
  return requiredFields(tool).filter((name) => {
    const value = draft[name];
    return value === undefined || (typeof value === 'string' && value.trim() === '');
  });
}

export function pictureOf(draft: Draft, name: string): PickedImage | undefined {
  const value = draft[name];
  return typeof value === 'object' ? value : undefined;
}

export function textOf(draft: Draft, name: string): string {
  const value = draft[name];
  return typeof value === 'string' ? value : '';
}

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
