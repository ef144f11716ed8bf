import { errors } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { costOf } from '@plinth/contract/tool-fields';
import type { Marks, Subject } from '@plinth/contract/marks';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { ChoiceField, Tool, ToolField } from '@plinth/contract/tool';

/**
 * A picture in the form. A sample is not one of the seller's uploads. For an earlier result the file is only a preview;
 * its id is sent instead.
 */
export type PickedImage = {
  file: File;
  width: number;
  height: number;
  isSample?: boolean;
  mediaId?: string;
  /** True if the result made from it is to be exported at once. */
  isForExport?: boolean;
  /** What would be cut out of it; absent until the answer arrives or if there is none. */
  subject?: Subject;
  marks?: Marks;
};

export type Draft = Readonly<Record<string, PickedImage | string>>;

export function fieldOf(toolId: ToolId, name: string): ToolField | undefined {
  return (tools[toolId].fields as Readonly<Record<string, ToolField>>)[name];
}

export const isPicture = (value: Draft[string] | null | undefined): value is PickedImage =>
  typeof value === 'object' && value !== null;

/**
 * Returns the form with one field changed; an empty value removes the field. The product's placement belongs to the
 * previous picture and is removed as well.
 */
export function changeField(toolId: ToolId, draft: Draft, name: string, value: PickedImage | string | null): Draft {
  const before = draft[name];
  const isOther = isPicture(before) && !(isPicture(value) && value.file === before.file);
  const rest = Object.entries(draft).filter(
    ([other]) => other !== name && !(isOther && fieldOf(toolId, other)?.kind === 'placement'),
  );
  return Object.fromEntries(value === null || value === '' ? rest : [...rest, [name, value]]);
}

/** Returns the form without its pictures. Texts and settings stay, because users vary those. */
export function withoutPictures(toolId: ToolId, draft: Draft): Draft {
  const names = Object.keys(draft).filter((name) => isPicture(draft[name]));
  return names.reduce((rest, name) => changeField(toolId, rest, name, null), draft);
}

/** The required fields: those with a sentence for when they are empty. */
export function requiredFields(tool: Tool): string[] {
  return Object.entries(tool.fields).flatMap(([name, field]) => ('missing' in field ? [name] : []));
}

/** Returns a fingerprint of the form, by field. Pictures count by name and size, so it survives a reload. */
export type FormFingerprint = Readonly<Record<string, string>>;

export function fingerprintForm(tool: Tool, draft: Draft): FormFingerprint {
  const fingerprint: Record<string, string> = {};
  for (const [name, field] of Object.entries(tool.fields)) {
    if (field.kind === 'marks') {
      const { marks } = pictureOf(draft, field.of) ?? {};
      if (marks !== undefined) fingerprint[name] = JSON.stringify(marks);
      continue;
    }
    if (field.kind === 'variant') continue;
    const value = field.kind === 'choice' ? chosenOf(field, draft[name]) : draft[name];
    if (typeof value === 'string' && (field.kind === 'choice' || value.trim() !== '')) fingerprint[name] = value.trim();
    if (isPicture(value)) fingerprint[name] = [value.mediaId, value.file.name, value.file.size].join('/');
  }
  return fingerprint;
}

/** Returns the required fields that are still empty, in the tool's order. Blanks do not count as a description. */
export function missingFields(tool: Tool, draft: Draft): string[] {
  const fingerprint = fingerprintForm(tool, draft);
  return requiredFields(tool).filter((name) => fingerprint[name] === undefined);
}

/** Returns the form's cost. The settings shown as chosen are those that are sent. */
export const priceOf = (tool: Tool, draft: Draft): number => costOf(tool, fingerprintForm(tool, draft));

/** Returns the option shown as chosen and sent: the first one if none was chosen or the choice is no longer offered. */
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

export function validateForm(tool: Tool, draft: Draft): { sentence: string; field: string } | null {
  const missing = missingFields(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    if ('missing' in field && missing.includes(name)) return { sentence: field.missing, field: name };
    if (field.kind === 'text' && countCharacters(textOf(draft, name)) > field.maxLength) {
      return { sentence: errors.prompt_too_long.detail, field: name };
    }
  }
  return null;
}
