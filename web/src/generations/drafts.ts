import { errors } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import type { Tool, ToolId } from '@plinth/contract/tools';
import { useCached } from '../platform/useCached.ts';
import type { PickedImage } from './check-image.ts';

/** What a person has put into a tool's form, by field name. */
export type Draft = Readonly<Record<string, PickedImage | string>>;

const EMPTY: Draft = {};

/** The form of one tool. It outlives its screen, so nothing typed or chosen is lost on the way to another tool. */
export function useDraft(toolId: ToolId) {
  const [draft, update] = useCached<Draft>(['draft', toolId], EMPTY);
  const setField = (name: string, value: PickedImage | string | null) =>
    update((before) => {
      const rest = { ...before };
      delete (rest as Record<string, unknown>)[name];
      return value === null || value === '' ? rest : { ...rest, [name]: value };
    });
  return { draft, setField };
}

/** The fields that must be filled. A choice always is. */
export function requiredFields(tool: Tool): string[] {
  return Object.keys(tool.fields).filter((name) => tool.fields[name]?.kind !== 'choice');
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
