import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import {
  type DirectProvider,
  type FetchedResult,
  ProviderError,
  type ProviderInput,
  type QueuedProvider,
} from '../providers/provider.ts';
import { CanceledError, throwIfCanceled, unlessCanceled } from './cancellation.ts';
import { announceGeneration, getTool } from './generation-view.ts';
import type { Running, RunOptions } from './run.ts';

/** Broken calls after which a generation fails, so that a picture that crashes the engine cannot do so endlessly. */
const MAX_LOST_CALLS = 3;
const PAUSE_MS = 1000;

/**
 * Returns the finished file of a provider whose work is free and ends with its call, so that a failed call may simply
 * be repeated. Hangs up, which ends the work there, on cancellation and on timeout.
 */
export async function callDirectly(
  options: RunOptions,
  provider: DirectProvider,
  running: Running,
  input: ProviderInput,
): Promise<FetchedResult> {
  const { everyMs, tries } = getTool(running.tool).patience;
  const hangUp = new AbortController();
  const timeout = AbortSignal.timeout(everyMs * tries * options.pollScale);
  const signal = AbortSignal.any([hangUp.signal, timeout, options.stopping]);
  try {
    const call = callUntilDone(options, provider, running, input, signal);
    return await unlessCanceled(options.db, running.id, call);
  } catch (error) {
    if (timeout.aborted && error instanceof ProviderError && error.isLost)
      throw new ProviderError('provider_timeout', { cause: error });
    throw error;
  } finally {
    hangUp.abort();
  }
}

async function callUntilDone(
  options: RunOptions,
  provider: DirectProvider,
  { id, tool }: Running,
  input: ProviderInput,
  signal: AbortSignal,
): Promise<FetchedResult> {
  const onPercent = makeProgress(options, id);
  for (let lostCalls = 0; ;) {
    try {
      return await provider.run(tool, input, { signal, onPercent });
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.isLost || signal.aborted) throw error;
      if (error.retryAfterMs === undefined) lostCalls += 1;
      if (lostCalls === MAX_LOST_CALLS) throw error;
      options.log.warn({ err: error, generationId: id }, 'the engine is asked again');
      const pauseMs = (error.retryAfterMs ?? PAUSE_MS) * options.pollScale;
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

const PROGRESS_INTERVAL_MS = 300;

/** Writes the latest progress from time to time, in parallel to the work. */
function makeProgress({ db, checkpoint, log, pollScale }: RunOptions, id: string): (percent: number) => void {
  let latest = -1;
  let written = -1;
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    await sleep(PROGRESS_INTERVAL_MS * pollScale, undefined, { ref: false });
    await checkpoint('polled', id);
    await writePercent(db, id, (written = latest));
    isWriting = false;
    if (latest > written) schedule();
  };
  // A lost progress update does no harm.
  const schedule = () => void write().catch((err: unknown) => log.debug({ err }, 'no progress is shown any more'));
  return (percent) => {
    latest = Math.max(latest, percent);
    if (!isWriting && latest > written) schedule();
  };
}

const CANCEL_TIMEOUT_MS = 5000;
/** How long a job may wait in a provider's queue, besides the time that the tool's patience gives it to run. */
const MAX_QUEUED_MS = 600_000;

/**
 * Returns the finished file of a provider that is polled. While the job runs there, it is polled as often as the tool's
 * patience allows. Cancels the work there on cancellation and on timeout.
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
    // Waits at most `CANCEL_TIMEOUT_MS` for an answer, which has no effect here.
    if (error instanceof CanceledError || isTooLate)
      await Promise.race([provider.cancel(tool, requestId), sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
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
  let written = -1;
  // A job in the queue does not use up the time that it needs to run.
  const left = { queued: Math.ceil(MAX_QUEUED_MS / everyMs), running: tries };
  for (let isFirst = true; Math.min(left.queued, left.running) > 0; isFirst = false) {
    if (!isFirst) await sleep(everyMs * options.pollScale, undefined, { signal: options.stopping });
    await throwIfCanceled(options.db, id);
    const state = await unlessCanceled(options.db, id, provider.check(tool, requestId));
    await options.checkpoint('polled', id);
    if (state.kind === 'finished') return;
    left[state.kind] -= 1;
    const percent = state.kind === 'running' ? state.percent : null;
    if (percent !== null && percent > written) await writePercent(options.db, id, (written = percent));
  }
  throw new ProviderError('provider_timeout');
}

/** Writes the progress of a generation unless it has ended. */
async function writePercent(db: Db, generationId: string, percent: number): Promise<void> {
  await transaction(db, async (tx) => {
    const updated = await sql`
      update generations set percent = ${percent} where id = ${generationId} and status = 'running'`.execute(tx);
    if (updated.numAffectedRows === 1n) await announceGeneration(tx, generationId);
  });
}
