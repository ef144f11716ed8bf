import { setTimeout as sleep } from 'node:timers/promises';
import { type FetchedResult, ProviderError, type QueuedProvider } from '../providers/provider.ts';
import { CanceledError, throwIfCanceled, unlessCanceled } from './cancellation.ts';
import { getTool } from './generation-view.ts';
import { showPercent } from './progress.ts';
import type { RunOptions, Running } from './run.ts';

/** The wait for a provider that is asked from time to time, as often as the tool's patience says. */

const END_THERE_MS = 5000;

/** The finished file. Work that nobody wants any more, or that takes too long, is ended there. */
export async function waitAndFetch(
  options: RunOptions,
  provider: QueuedProvider,
  running: Running,
  requestId: string,
): Promise<FetchedResult> {
  const { id, tool } = running;
  try {
    await waitUntilFinished(options, provider, running, requestId);
    await options.checkpoint('finished', id);
    return await unlessCanceled(options.db, id, provider.fetch(tool, requestId));
  } catch (error) {
    const isTooLate = error instanceof ProviderError && error.kind === 'provider_timeout';
    // Sent without waiting for an answer.
    if (error instanceof CanceledError || isTooLate)
      await Promise.race([provider.cancel(tool, requestId), sleep(END_THERE_MS, undefined, { ref: false })]);
    throw error;
  }
}

async function waitUntilFinished(
  options: RunOptions,
  provider: QueuedProvider,
  { id, tool }: Running,
  requestId: string,
): Promise<void> {
  const { everyMs, tries } = getTool(tool).patience;
  let shown = -1;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await sleep(everyMs * options.pollScale, undefined, { signal: options.stopping });
    await throwIfCanceled(options.db, id);
    const state = await unlessCanceled(options.db, id, provider.check(tool, requestId));
    await options.checkpoint('polled', id);
    if (state.kind === 'finished') return;
    const percent = state.kind === 'running' ? state.percent : null;
    if (percent !== null && percent > shown) await showPercent(options.db, id, (shown = percent));
  }
  throw new ProviderError('provider_timeout');
}
