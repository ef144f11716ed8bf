import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import {
  type DirectProvider,
  type FetchedResult,
  type GivenInput,
  ProviderError,
  type QueuedProvider,
} from '../providers/provider.ts';
import { CanceledError, throwIfCanceled, unlessCanceled } from './cancellation.ts';
import { announceGeneration, getTool } from './generation-view.ts';
import type { RunOptions, Running } from './run.ts';

/** So many calls that break after they were taken end it: a picture that ends the engine must not do so for ever. */
const MOST_LOSSES = 3;
const PAUSE_MS = 1000;

/**
 * The finished file, of work that costs nothing and ends with its call: whatever went wrong, the same call may be made
 * again. Hangs up, and with it ends the work there, when nobody wants it any more or it takes too long.
 */
export async function askDirectly(
  options: RunOptions,
  provider: DirectProvider,
  running: Running,
  given: GivenInput,
): Promise<FetchedResult> {
  const { everyMs, tries } = getTool(running.tool).patience;
  const over = new AbortController();
  const patience = AbortSignal.timeout(everyMs * tries * options.pollScale);
  const signal = AbortSignal.any([over.signal, patience, options.stopping]);
  try {
    const call = askUntilDone(options, provider, running, given, signal);
    return await unlessCanceled(options.db, running.id, call);
  } catch (error) {
    if (patience.aborted && error instanceof ProviderError && error.isLost)
      throw new ProviderError('provider_timeout', { cause: error });
    throw error;
  } finally {
    over.abort();
  }
}

async function askUntilDone(
  options: RunOptions,
  provider: DirectProvider,
  { id, tool }: Running,
  given: GivenInput,
  signal: AbortSignal,
): Promise<FetchedResult> {
  const onPercent = makeProgress(options, id);
  for (let losses = 0; ;) {
    try {
      return await provider.run(tool, given, { signal, onPercent });
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.isLost || signal.aborted) throw error;
      if (error.askAgainMs === undefined) losses += 1;
      if (losses === MOST_LOSSES) throw error;
      options.log.warn({ err: error, generationId: id }, 'the engine is asked again');
      const pauseMs = (error.askAgainMs ?? PAUSE_MS) * options.pollScale;
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

const SHOWN_EVERY_MS = 300;

/** Shows the latest percent from time to time, beside the work. */
function makeProgress({ db, checkpoint, log, pollScale }: RunOptions, id: string): (percent: number) => void {
  let latest = -1;
  let shown = -1;
  let isShowing = false;
  const show = async (): Promise<void> => {
    isShowing = true;
    await sleep(SHOWN_EVERY_MS * pollScale, undefined, { ref: false });
    await checkpoint('polled', id);
    await showPercent(db, id, (shown = latest));
    isShowing = false;
    if (latest > shown) begin();
  };
  // A percent that could not be written is none that anybody misses.
  const begin = () => void show().catch((err: unknown) => log.debug({ err }, 'no progress is shown any more'));
  return (percent) => {
    latest = Math.max(latest, percent);
    if (!isShowing && latest > shown) begin();
  };
}

const END_THERE_MS = 5000;

/**
 * The finished file, of a provider that is asked from time to time, as often as the tool's patience says. Work that
 * nobody wants any more, or that takes too long, is ended there.
 */
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
    // An answer is waited for as long as `END_THERE_MS`, and whatever it says changes nothing.
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

/** Shows how far a running generation is; one that has ended is left as it is. */
async function showPercent(db: Db, generationId: string, percent: number): Promise<void> {
  await transaction(db, async (tx) => {
    const shown = await sql`
      update generations set percent = ${percent} where id = ${generationId} and status = 'running'`.execute(tx);
    if (shown.numAffectedRows === 1n) await announceGeneration(tx, generationId);
  });
}
