import { type PackId, packIds } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import { systemClock } from '../platform/clock.ts';
import { ArgumentsError, type Command } from './arguments.ts';

const DAY_MS = 86_400_000;

/** Needs neither settings nor database: the figures are in the source. */
export const packsCommand: Command = {
  usage: 'packs --older-than 90d',
  does: 'lists the marketplaces whose rules should be read again, and where',
  run: async ({ options }) => {
    const days = readDays(options['older-than'] ?? '');
    const old = listOlder(days, systemClock.now());
    return { json: { packs: old }, text: toText(old, days) };
  },
};

type SourceRead = { id: PackId; asOf: string; source: string };

/** Figures read more than this many days before `now`, oldest first. */
export function listOlder(days: number, now: Date): SourceRead[] {
  const limit = new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  return packIds
    .map((id) => ({ id, asOf: packs[id].asOf, source: packs[id].source }))
    .filter(({ asOf }) => asOf < limit)
    .toSorted((one, other) => (one.asOf < other.asOf ? -1 : one.asOf > other.asOf ? 1 : 0));
}

/** @throws ArgumentsError */
function readDays(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined) throw new ArgumentsError('--older-than takes days, like 90d');
  return Number(days);
}

function toText(old: SourceRead[], days: number): string {
  if (old.length === 0) return `All of them were read in the last ${days} days.`;
  return old.map(({ id, asOf, source }) => `${asOf}  ${id.padEnd(20)}${source}`).join('\n');
}
