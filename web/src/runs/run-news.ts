import type { Api } from '../platform/api.ts';
import { readClock } from '../platform/clock.ts';
import { say } from '../ui/above/toast.tsx';
import { sayCounts } from './run-sentences.ts';
import { readRun, runPath } from './useRuns.ts';

/** Events also arrive for old runs, when items were left out. */
const NEWS_FOR_MS = 60_000;

/** Runs whose end was announced: events of left out items follow. */
const announced = new Set<string>();

/** Announces in one toast how a catalogue ended, unless its own page shows it. */
export async function announceEnd(api: Api, runId: string): Promise<void> {
  const run = await readRun(api, runId).catch(() => null);
  if (run?.status !== 'finished' || run.finishedAt === null || run.counts.total === 0) return;
  if (readClock() - Date.parse(run.finishedAt) > NEWS_FOR_MS || location.pathname === runPath(runId)) return;
  const end = `${runId} ${run.finishedAt}`;
  if (announced.has(end)) return;
  announced.add(end);
  const sentence = `“${run.name}” is done. ${sayCounts(run)}.`;
  const id = `run-${runId}`;
  if (run.counts.failed + run.incomplete === 0) return say.done(sentence, { id });
  say.wrong(sentence, { id, action: { label: 'See which', to: runPath(runId) } });
}
