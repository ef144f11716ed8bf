import { type PartStates, siteParts, STATUS_DAYS, type Status, type ToolFigures } from '@plinth/contract/status';
import { formatCount } from '../ui/format.ts';

export type Figure = { name: string; value: string };

/** Each part's name, and what a visitor notices of it in each state. */
export const PARTS = {
  engine: { name: 'Engine', up: 'Makes the pictures.', slow: 'Takes more than a second to answer.' },
  payments: { name: 'Payments', up: 'Open the checkout.', slow: 'Checkouts may open late, or not all of them.' },
  storage: { name: 'Storage', up: 'Keeps photos and results.', slow: 'Takes more than a second to answer.' },
  queue: { name: 'Queue', up: 'Starts each generation.', slow: 'Generations may wait for more than a minute.' },
} as const;
export const STATE_NAMES = { up: 'Up', slow: 'Slow', down: 'Down' } as const;

export function sayParts(states: PartStates): string {
  const troubled = siteParts.filter((part) => states[part] !== 'up');
  if (troubled.length === 0) return 'Everything is up.';
  return troubled.map((part) => `${PARTS[part].name}: ${STATE_NAMES[states[part]].toLowerCase()}.`).join(' ');
}

/** The last 24 hours of all tools with enough generations; empty if none has. */
export function describeHours({ hours24 }: Pick<Status, 'hours24'>): Figure[] {
  const all = Object.values(hours24.tools);
  const sum = (name: 'ended' | 'succeeded' | 'creditsReturned') =>
    all.reduce((total, figures) => total + figures[name], 0);
  if (all.length === 0) return [];
  return [
    { name: 'Generations', value: formatCount(sum('ended')) },
    { name: 'With a result', value: formatShare(sum('succeeded'), sum('ended')) },
    { name: 'Credits returned', value: formatCount(sum('creditsReturned')) },
  ];
}

export function describeTool(figures: ToolFigures): Figure[] {
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
