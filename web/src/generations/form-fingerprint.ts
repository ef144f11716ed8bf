import { marksSchema } from '@plinth/contract/marks';
import type { Tool } from '@plinth/contract/tool';
import { pictureFields } from '@plinth/contract/tool-fields';
import { pictureOf, type Draft, type FormFingerprint } from './drafts.ts';

/** Version number of a form's result, stored in its fingerprint. Two versions belong to the same form. */
export const VERSION = '#version';

export function listDifferences(one: FormFingerprint, other: FormFingerprint): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => name !== VERSION && one[name] !== other[name]);
}

/** True if both are known to be made from the same pictures. */
export function hasSamePictures(tool: Tool, one: FormFingerprint, other: FormFingerprint): boolean {
  return pictureFields(tool).every((name) => one[name] !== undefined && one[name] === other[name]);
}

/** Names of the tool's fields that a redo can change; empty for another version of the same form. */
export type Change = Readonly<Record<string, unknown>>;

/** Returns what a redo has to change to get this form; null if a redo cannot do it. */
export function findChange(tool: Tool, made: FormFingerprint, now: FormFingerprint): Change | null {
  const change: Record<string, unknown> = {};
  for (const name of listDifferences(made, now)) {
    const kind = tool.fields[name]?.kind;
    const value = now[name];
    if (kind === 'text') change[name] = value ?? '';
    else if (kind === 'placement') change[name] = value === undefined ? '' : (JSON.parse(value) as unknown);
    else if (kind === 'marks' && value !== undefined) change[name] = JSON.parse(value) as unknown;
    else return null;
  }
  return change;
}

export function applyChange(made: FormFingerprint, change: Change): FormFingerprint {
  const { [VERSION]: _redone, ...rest } = made;
  const next: Record<string, string> = rest;
  for (const [name, value] of Object.entries(change)) {
    const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
    if (text === '') delete next[name];
    else next[name] = text;
  }
  return next;
}

export function restoreForm(tool: Tool, draft: Draft, from: FormFingerprint, to: FormFingerprint): Draft {
  const restored: Record<string, Draft[string]> = { ...draft };
  for (const name of listDifferences(from, to)) {
    const field = tool.fields[name];
    const value = to[name];
    if (field?.kind === 'marks') {
      const picked = pictureOf(draft, field.of);
      if (picked === undefined) continue;
      const { marks: _own, subject: _asked, ...photo } = picked;
      restored[field.of] = { ...photo, ...(value && { marks: marksSchema.parse(JSON.parse(value)) }) };
    } else if (value === undefined) delete restored[name];
    else if (field?.kind !== 'image') restored[name] = value;
  }
  return restored;
}
