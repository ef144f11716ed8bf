import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { findManifests, labelResult } from '../origin/labels.ts';
import { checkResult, InvalidResultError } from '../media/results.ts';
import { type Library, type StoredResult, storeResult } from '../media/library.ts';
import { measureSubject, type Packs } from '../packs/packs.ts';
import { type Db, transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import {
  type FetchedResult,
  type InputPicture,
  type Provider,
  ProviderError,
  type QueuedProvider,
} from '../providers/provider.ts';
import { callDirectly, waitAndFetch } from './call-provider.ts';
import { explainFailure, redactWords } from './failures.ts';
import { announceGeneration, getTool, type ViewSettings } from './generation-view.ts';
import type { HeadshotModels } from './headshot-models.ts';
import { type Laps, startLaps } from './laps.ts';
import { getPictures, readPictures, toInput } from './provider-input.ts';
import { saveRefusedChoice } from './refused-choices.ts';
import { type Ending, settleGeneration } from './settle.ts';
import { failStorage, isOutage, StorageFailedError } from './storage-failure.ts';
import { CanceledError, isCancelRequested, throwIfCanceled, unlessCanceled } from './cancellation.ts';

/** Runs one generation from the step at which it was left. Never writes an end state: settle does. */

export type RunOptions = ViewSettings & {
  db: Db;
  library: Library;
  packs: Packs;
  headshotModels: HeadshotModels;
  providerOf: (tool: ToolId) => Provider;
  log: Log;
  pollScale: number;
  /** Aborts when the process stops: the job returns to the queue. */
  stopping: AbortSignal;
  /** Called between any two steps of a generation, where crash tests kill the process. */
  checkpoint: (name: Checkpoint, generationId: string) => Promise<void>;
};

export const checkpoints = [
  'begun',
  'pictures-sent',
  'submit-marked',
  'submitted',
  'request-stored',
  'polled',
  'finished',
  'fetched',
  'checked',
  'stored',
  'settled',
] as const;
export type Checkpoint = (typeof checkpoints)[number];

export type Running = Row<'generations', 'id' | 'tool' | 'input' | 'seedNumber' | 'submitStartedAt'> & {
  requestId: Column<'generations', 'providerRequestId'>;
  wasQueued: boolean;
  /** True if this generation, or the one it redoes, is an item of a run with packs. */
  isForPacks: boolean;
};

/** Another worker has started to submit it and will finish it. */
class TakenOverError extends Error {}

/** The job: brings a generation to its end. @throws only for a retry by the queue: in an outage, or at shutdown */
export async function runGeneration(options: RunOptions, generationId: string): Promise<void> {
  const running = await begin(options, generationId);
  if (running === undefined) return;
  const tool = getTool(running.tool);
  const laps = startLaps();
  let ending: Ending;
  let refusedField: string | undefined;
  try {
    await options.checkpoint('begun', running.id);
    ending = { kind: 'succeeded', ...(await produce(options, running, tool, laps)) };
  } catch (error) {
    // The row is unchanged and the job runs again.
    if (options.stopping.aborted || isOutage(error)) throw error;
    if (error instanceof TakenOverError) return;
    // A requested cancellation wins over a later error.
    const isCanceled = error instanceof CanceledError || (await isCancelRequested(options.db, running.id));
    ending = isCanceled ? { kind: 'canceled' } : toEnding(options, tool, running, error);
    if (error instanceof ProviderError) refusedField = error.field;
  }
  const isFirst = await settleGeneration(options.db, options, running.id, ending);
  laps.end('settle');
  if (refusedField !== undefined) await saveRefusedChoice(options, running, refusedField);
  if (ending.kind === 'succeeded')
    options.log.info({ event: 'generation_made', tool: running.tool, ...laps.read() }, 'generation made');
  if (!isFirst && ending.kind === 'succeeded') await options.library.storage.remove(ending.stored.key);
  await options.checkpoint('settled', running.id);
}

type Produced = Omit<FetchedResult, 'content'> & { stored: StoredResult };

/** Obtains the result from the step at which the work was left, checks and stores it. */
async function produce(options: RunOptions, running: Running, tool: Tool, laps: Laps): Promise<Produced> {
  const provider = options.providerOf(running.tool);
  if (!('run' in provider)) {
    const requestId = running.requestId ?? (await submit(options, provider, running));
    const fetched = await waitAndFetch(options, provider, running, requestId);
    laps.end('ask');
    return checkAndStore(
      options,
      running,
      tool,
      { ...fetched, readInputs: () => readPictures(options, running) },
      laps,
    );
  }
  const pictures = await getPictures(options, running);
  laps.end('read');
  const fetched = await callDirectly(options, provider, running, toInput(running, pictures));
  laps.end('ask');
  return checkAndStore(options, running, tool, { ...fetched, readInputs: async () => pictures }, laps);
}

async function begin(options: RunOptions, generationId: string): Promise<Running | undefined> {
  return transaction(options.db, async (tx) => {
    const found = await sql<Running>`
      select id, tool, input, seed_number as "seedNumber", submit_started_at as "submitStartedAt", provider_request_id as "requestId",
        status = 'queued' as "wasQueued",
        exists (select from items_with_packs i
          where i.generation_id in (generations.id, generations.redo_of)) as "isForPacks"
      from generations where id = ${generationId} and status in ('queued', 'running') for update`.execute(tx);
    const running = found.rows[0];
    if (running?.wasQueued !== true) return running;
    await sql`
      update generations set status = 'running', started_at = ${options.clock.now()}
      where id = ${generationId}`.execute(tx);
    await announceGeneration(tx, generationId);
    return running;
  });
}

/** Submits to the provider once. A started submit without a request id counts as lost: it may have been accepted. */
async function submit(options: RunOptions, provider: QueuedProvider, running: Running): Promise<string> {
  if (running.submitStartedAt !== null) throw new ProviderError('provider_failed', { isLost: true });
  const pictures = await getPictures(options, running);
  const { id, tool } = running;
  const prepared = await unlessCanceled(options.db, id, provider.prepare(tool, toInput(running, pictures)));
  await options.checkpoint('pictures-sent', id);
  await throwIfCanceled(options.db, id);
  const marked = await sql`
    update generations set submit_started_at = ${options.clock.now()}
    where id = ${running.id} and submit_started_at is null and status = 'running'`.execute(options.db);
  if (marked.numAffectedRows !== 1n) throw new TakenOverError();
  await options.checkpoint('submit-marked', id);
  const endLate = (lateId: string) => provider.cancel(tool, lateId);
  const requestId = await unlessCanceled(options.db, id, provider.submit(tool, prepared), endLate);
  await options.checkpoint('submitted', id);
  await sql`update generations set provider_request_id = ${requestId} where id = ${running.id}`.execute(options.db);
  await options.checkpoint('request-stored', id);
  return requestId;
}

/** A file, and a way to read the pictures that it was made from. */
type MadeFile = FetchedResult & { readInputs: () => Promise<Map<string, InputPicture>> };

/** Checks a file, labels it and stores a copy. */
async function checkAndStore(
  options: RunOptions,
  running: Running,
  tool: Tool,
  { content, words, placement, readInputs }: MadeFile,
  laps: Laps,
): Promise<Produced> {
  await options.checkpoint('fetched', running.id);
  const { servedBy, systemOf } = options.providerOf(running.tool);
  // With marks the whole photo may be kept, so an unchanged result is legitimate.
  const mayBeUnchanged = tool.composes === 'nothing' && running.input['marks'] !== undefined;
  const readCompared = async () =>
    mayBeUnchanged ? [] : [...(await readInputs()).values()].map((given) => given.content);
  const checked = await checkResult(content, tool.file.type, readCompared);
  const isBuiltIn = servedBy.kind === 'built-in';
  const details = { composes: tool.composes, isBuiltIn, system: systemOf(running.tool), at: options.clock.now() };
  const manifests = findManifests(content, Object.values(running.input));
  const result = await labelResult(checked, { ...details, manifests }, options.packs.signer);
  await options.checkpoint('checked', running.id);
  laps.end('check');
  // Without memory to spare it is measured on demand.
  const packSubject = running.isForPacks ? await measureSubject(options.packs, result).catch(nullIfBusy) : null;
  const storing = storeResult(options.library, tool, { result, packSubject });
  const stored = await storing.catch(failStorage('the result could not be stored'));
  await options.checkpoint('stored', running.id);
  laps.end('store');
  return { stored, words, placement };
}

function nullIfBusy(error: unknown): null {
  if (error instanceof AppError && error.code === 'temporarily_unavailable') return null;
  throw error;
}

type Failed = Extract<Ending, { kind: 'failed' }>;

function toEnding(options: RunOptions, tool: Tool, running: Running, error: unknown): Ending {
  const { id: generationId, input } = running;
  const said = error instanceof ProviderError ? redactWords(error.providerMessage, Object.values(input)) : undefined;
  const failed = (code: Failed['code'], message = tool.says.failed): Failed => {
    // Rejected pictures are routine; everything else deserves the operator's attention.
    if (code === 'provider_rejected')
      options.log.info({ event: 'generation_refused', generationId, code, said }, 'generation refused');
    else options.log.warn({ event: 'generation_failed', err: error, generationId, code, said }, 'generation failed');
    return { kind: 'failed', code, message };
  };
  if (error instanceof ProviderError)
    return { ...failed(error.kind, explainFailure(tool, error)), candidate: error.candidate };
  if (error instanceof InvalidResultError) return failed('result_invalid');
  if (error instanceof StorageFailedError || error instanceof AppError) return failed('storage_failed');
  return failed('provider_failed');
}
