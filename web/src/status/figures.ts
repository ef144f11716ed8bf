import {
  type PartStates,
  siteParts,
  STATUS_DAYS,
  STATUS_MIN_ENDED,
  type Status,
  type ToolFigures,
} from '@plinth/contract/status';
import { toolIds } from '@plinth/contract/tools';
import { formatCount, plural } from '../ui/format.ts';

export const PART_NAMES = { engine: 'Engine', payments: 'Payments', storage: 'Storage', queue: 'Queue' } as const;
export const STATE_NAMES = { up: 'Up', slow: 'Slow', down: 'Down' } as const;

export function sayParts(states: PartStates): string {
  const troubled = siteParts.filter((part) => states[part] !== 'up');
  if (troubled.length === 0) return 'Everything is up.';
  return troubled.map((part) => `${PART_NAMES[part]}: ${STATE_NAMES[states[part]].toLowerCase()}.`).join(' ');
}

/** "In the last 24 hours 412 generations, 97.6 % ended with a result, 10 credits returned." plus what it leaves out. */
export function sayLastHours({ hours24 }: Pick<Status, 'hours24'>): string {
  const all = Object.values(hours24.tools);
  const sum = (name: 'ended' | 'succeeded' | 'creditsReturned') =>
    all.reduce((total, figures) => total + figures[name], 0);
  if (all.length === 0)
    return `No tool had ${STATUS_MIN_ENDED} generations in the last 24 hours. That is too few for figures you can trust.`;
  const [generations, credits] = [plural(sum('ended'), 'generation'), plural(sum('creditsReturned'), 'credit')];
  const share = formatShare(sum('succeeded'), sum('ended'));
  const says = `In the last 24 hours ${generations}, ${share} ended with a result, ${credits} returned.`;
  if (all.length === toolIds.length) return says;
  return `${says} Tools with fewer than ${STATUS_MIN_ENDED} are not counted here.`;
}

export function describeTool(figures: ToolFigures): { name: string; value: string }[] {
  const { ended, succeeded, refused, failed, medianSeconds, p95Seconds, creditsReturned } = figures;
  return [
    { name: 'Median', value: formatSeconds(medianSeconds) },
    { name: '95 % within', value: formatSeconds(p95Seconds) },
    { name: 'Generations', value: formatCount(ended) },
    { name: 'With a result', value: formatShare(succeeded, ended) },
    { name: 'Refused', value: formatShare(refused, ended) },
    { name: 'Failed', value: formatShare(failed, ended) },
    { name: 'Credits returned', value: formatCount(creditsReturned) },
  ];
}

/** In tenths of a percent, "97.6 %"; never rounded to 0 or 100 %. */
function formatShare(part: number, whole: number): string {
  if (part === 0 || part === whole) return part === 0 ? '0 %' : '100 %';
  const tenths = Math.min(999, Math.max(1, Math.round((part * 1000) / whole)));
  return `${(tenths / 10).toFixed(1)} %`;
}

const formatSeconds = (seconds: number | null) => (seconds === null ? 'None' : `${seconds.toFixed(1)} s`);

/** The days in UTC that the figures cover, oldest first, as "2026-11-24"; the last is that of `now`. */
export function listDates(now: Date): string[] {
  return Array.from({ length: STATUS_DAYS }, (_, at) => {
    const day = new Date(now);
    day.setUTCDate(day.getUTCDate() + at + 1 - STATUS_DAYS);
    return day.toISOString().slice(0, 10);
  });
}
