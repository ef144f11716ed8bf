import { listVariants } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { textOf, type Draft, fingerprintForm } from './drafts.ts';
import { listDifferences, VERSION } from './form-fingerprint.ts';
import type { Memory } from './memory.ts';

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
  const field = Object.values(tool.fields).find(({ kind }) => kind === 'variant');
  const count = countVersions(tool, draft);
  if (field?.kind !== 'variant' || count === 1) return { variants: [FIRST], isShort: false };
  const all = listVariants(field);
  const there = findVersions(tool, draft, row, known);
  const unused = all.filter((variant) => !there.has(variant));
  const isShort = there.size < count;
  return { variants: [...unused, ...all].slice(0, isShort ? count - there.size : count), isShort };
}

export function countVersions({ fields }: Tool, draft: Draft): number {
  const name = Object.keys(fields).find((one) => fields[one]?.kind === 'variant');
  return name === undefined ? 1 : Number(textOf(draft, name) || 1);
}

type Known = Pick<Memory, 'made' | 'followed'>;

function findVersions(
  tool: Tool,
  draft: Draft,
  row: readonly string[],
  { made, followed }: Known,
): ReadonlySet<string> {
  const now = fingerprintForm(tool, draft);
  const failed = followed.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id);
  const versions = row.flatMap((id) => {
    const fingerprint = made[id];
    const isThere = fingerprint !== undefined && listDifferences(fingerprint, now).length === 0 && !failed.includes(id);
    return isThere && fingerprint[VERSION] !== undefined ? [fingerprint[VERSION]] : [];
  });
  return new Set(versions);
}
