import { marksSchema } from '@plinth/contract/marks';
import type { Tool } from '@plinth/contract/tool';
import { listVariants, pictureFields } from '@plinth/contract/tool-fields';
import { fingerprintForm, pictureOf, textOf, type Draft, type FormFingerprint } from './drafts.ts';
import type { Memory } from './memory.ts';

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

/** Returns the form of one result if it is still that of another, else as it is. */
export function restoreForm(tool: Tool, draft: Draft, from: FormFingerprint, to: FormFingerprint): Draft {
  if (listDifferences(from, fingerprintForm(tool, draft)).length > 0) return draft;
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

/** Number of versions that one press can make. Each is a generation with its own variant and debit. */
export const VERSIONS = { 1: '1', 2: '2', 3: '3', 4: '4' } as const;

export const FIRST = '0';

/** The versions that the next press makes, and whether they are the missing ones of an earlier request. */
export type Press = { variants: readonly string[]; isShort: boolean };

/**
 * Returns all requested versions, or only the missing ones if some of this form exist: existing ones are not charged
 * again.
 */
export function nextPress(tool: Tool, draft: Draft, row: readonly string[], known: Known): Press {
  const count = countVersions(tool, draft);
  if (count === 1) return { variants: [FIRST], isShort: false };
  const all = Object.values(tool.fields).flatMap((field) => (field.kind === 'variant' ? listVariants(field) : []));
  const now = fingerprintForm(tool, draft);
  const there = new Set(row.filter((id) => isMadeFrom(now, id, known)).map((id) => known.made[id]?.[VERSION]));
  const unused = all.filter((variant) => !there.has(variant));
  const isShort = there.size < count;
  return { variants: [...unused, ...all].slice(0, isShort ? count - there.size : count), isShort };
}

export function countVersions({ fields }: Tool, draft: Draft): number {
  const name = Object.keys(fields).find((one) => fields[one]?.kind === 'variant');
  return name === undefined ? 1 : Number(textOf(draft, name) || 1);
}

type Known = Pick<Memory, 'made' | 'followed'>;

/** True if the result of this form exists or is being made by this generation. */
export function isMadeFrom(form: FormFingerprint, id: string, { made, followed }: Known): boolean {
  const from = made[id];
  const status = followed.find((one) => one.id === id)?.status;
  return from !== undefined && status !== 'failed' && status !== 'canceled' && listDifferences(from, form).length === 0;
}
