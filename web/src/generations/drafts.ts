import { errors } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { costOf } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { ChoiceField, Tool, ToolField } from '@plinth/contract/tool';
import type { PickedImage } from './check-image.ts';

export type Draft = Readonly<Record<string, PickedImage | string>>;

export function fieldOf(toolId: ToolId, name: string): ToolField | undefined {
  return (tools[toolId].fields as Readonly<Record<string, ToolField>>)[name];
}

export const isPicture = (value: Draft[string] | null | undefined): value is PickedImage =>
  typeof value === 'object' && value !== null;

/**
 * The form with one field changed; nothing and an empty text take it out. Where the product stood belongs to the
 * picture before.
 */
export function changeField(toolId: ToolId, draft: Draft, name: string, value: PickedImage | string | null): Draft {
  const before = draft[name];
  const isOther = isPicture(before) && !(isPicture(value) && value.file === before.file);
  const rest = Object.entries(draft).filter(
    ([other]) => other !== name && !(isOther && fieldOf(toolId, other)?.kind === 'placement'),
  );
  return Object.fromEntries(value === null || value === '' ? rest : [...rest, [name, value]]);
}

/** The form without its pictures; words and settings stay, because they are what one varies. */
export function withoutPictures(toolId: ToolId, draft: Draft): Draft {
  const names = Object.keys(draft).filter((name) => isPicture(draft[name]));
  return names.reduce((rest, name) => changeField(toolId, rest, name, null), draft);
}

/** The fields that must be filled: those with a sentence for when they are empty. */
export function requiredFields(tool: Tool): string[] {
  return Object.entries(tool.fields).flatMap(([name, field]) => ('missing' in field ? [name] : []));
}

/** What a form would send, by field: pictures by name and size, so that it tells the same form after a reload, too. */
export type FormPrint = Readonly<Record<string, string>>;

export function printForm(tool: Tool, draft: Draft): FormPrint {
  const print: Record<string, string> = {};
  for (const [name, field] of Object.entries(tool.fields)) {
    if (field.kind === 'marks') {
      const { marks } = pictureOf(draft, field.of) ?? {};
      if (marks !== undefined) print[name] = JSON.stringify(marks);
      continue;
    }
    if (field.kind === 'variant') continue;
    const value = field.kind === 'choice' ? chosenOf(field, draft[name]) : draft[name];
    if (typeof value === 'string' && (field.kind === 'choice' || value.trim() !== '')) print[name] = value.trim();
    if (isPicture(value)) print[name] = [value.mediaId, value.file.name, value.file.size].join('/');
  }
  return print;
}

/** The required fields that are still empty, in the tool's order. Blanks do not count as a description. */
export function missingFields(tool: Tool, draft: Draft): string[] {
  const print = printForm(tool, draft);
  return requiredFields(tool).filter((name) => print[name] === undefined);
}

/** What the form costs as it stands: what the screen shows as chosen is what is sent. */
export const priceOf = (tool: Tool, draft: Draft): number => costOf(tool, printForm(tool, draft));

/** What the screen shows as chosen, and what is sent: the first where nothing was, or what is no longer offered. */
export function chosenOf({ options }: ChoiceField, value: unknown): string {
  return (options.find((option) => option.value === value) ?? options[0])?.value ?? '';
}

export function pictureOf(draft: Draft, name: string): PickedImage | undefined {
  const value = draft[name];
  return isPicture(value) ? value : undefined;
}

export function textOf(draft: Draft, name: string): string {
  const value = draft[name];
  return typeof value === 'string' ? value : '';
}

export const hasPictures = (draft: Draft): boolean => Object.values(draft).some(isPicture);

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
