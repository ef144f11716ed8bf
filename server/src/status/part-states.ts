import { setTimeout as sleep } from 'node:timers/promises';
import { type PartState, type PartStates, siteParts } from '@plinth/contract/status';

/** Asks one part how it is; one that throws, or says nothing in time, is down. */
export type PartChecks = Record<keyof PartStates, () => Promise<PartState>>;

const SLOW_MS = 1000;
const LATE_MS = 3000;

export async function readParts(checks: PartChecks): Promise<PartStates> {
  const states = await Promise.all(siteParts.map(async (part) => [part, await judge(checks[part])] as const));
  return Object.fromEntries(states) as PartStates;
}

async function judge(check: () => Promise<PartState>): Promise<PartState> {
  const startedAt = performance.now();
  const late = sleep<PartState>(LATE_MS, 'down', { ref: false });
  const state = await Promise.race([check().catch((): PartState => 'down'), late]);
  return state === 'up' && performance.now() - startedAt > SLOW_MS ? 'slow' : state;
}
