import type { QueryClient } from '@tanstack/react-query';
import { errors } from '@plinth/contract/errors';
import { runSchema, type Run } from '@plinth/contract/runs';
import { refetchCredits, watchCredits } from '../../credits/useCredits.ts';
import { isOutcomeUnknown, toApiError, type Api, type ApiError } from '../../platform/api.ts';
import { say } from '../../ui/above/toast.tsx';
import { plural } from '../../ui/format.ts';
import { runKey, RUNS_KEY } from '../keys.ts';
import { dropPhotos, photosOf, putPhotos } from '../photo-actions.ts';
import { isStarted, usePhotos, type Photo } from '../photos.ts';
import { sendPhoto } from './send-photo.ts';
import { dropOldSamples, measureSpeed, type ProgressSample } from './speed.ts';
import { findObstacle, needsUser, useUploadState, type Obstacle } from './upload-state.ts';

type UploadsOptions = {
  api: Api;
  queryClient: QueryClient;
  /** Resolves with a release function once no other tab of this browser uploads the photos of this run. */
  lockRun: (runId: string, signal: AbortSignal) => Promise<() => void>;
  firstWaitMs?: number;
};

const MAX_IN_FLIGHT = 4;
const MAX_WAIT_MS = 30_000;
/** Attempts for a photo that fails while others succeed. */
const MAX_TRIES = 3;
const PUBLISH_MS = 250;
const SERVER_FAILED = 'The server failed at this photo. Nothing is paid twice if you try it again.';
const UNREADABLE = 'This photo could not be read any more. Please choose it again.';

/**
 * Uploads the photos of runs, four at a time, and closes each run when all its photos have arrived. Resumes where the
 * last page stopped. A photo that may have arrived is sent with the same key, so nothing is charged twice.
 */
export class Uploads {
  private readonly options: Required<UploadsOptions>;
  /** Release function of each run; null while another tab has it. */
  private readonly locked = new Map<string, (() => void) | null>();
  /** The photos being uploaded, with the bytes of theirs, and the runs being closed. */
  private readonly inFlight = new Map<string, number>();
  /** Samples since the last pause, which says nothing about the speed. */
  private sent: ProgressSample[] = [];
  /** Consecutive server errors: this many are not about one photo. */
  private failures = 0;
  private publishedAt = 0;
  private readonly end = new AbortController();
  private obstacle: Obstacle | null = null;
  /** The balance as shown; unlimited until known. */
  private credits = Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly unwatch: () => void;
  private waitMs: number;

  constructor(options: UploadsOptions) {
    this.options = { firstWaitMs: 1000, ...options };
    this.waitMs = this.options.firstWaitMs;
    this.unwatch = watchCredits(options.queryClient, (credits) => this.setCredits(credits));
  }

  start(): void {
    for (const { runId } of usePhotos.getState().photos.filter(isStarted))
      if (!this.locked.has(runId)) void this.claim(runId);
  }

  /** Permanently, as if the page were closed: running uploads finish, and the next page resumes. */
  stop(): void {
    this.end.abort();
    this.stopWaiting();
    this.unwatch();
    for (const runId of this.locked.keys()) this.release(runId);
  }

  pause(): void {
    this.pauseFor('paused');
  }

  resume(): void {
    this.stopWaiting();
    this.obstacle = null;
    this.sent = [];
    this.pump();
  }

  /** Back online: waiting uploads start at once. */
  wake(): void {
    if (this.timer !== undefined) this.resume();
  }

  /** More credits end a pause for credits. */
  private setCredits(credits: number): void {
    const isMore = credits > this.credits;
    this.credits = credits;
    if (isMore && this.obstacle === 'credits') this.resume();
  }

  again(photo: Photo): void {
    change(photo, { state: 'waiting', refusal: null, tries: 0 });
    this.pump();
  }

  leaveOut(photoIds: readonly string[]): void {
    dropPhotos(photoIds);
    this.pump();
  }

  replace(photo: Photo, file: File): void {
    const { name, type, size: bytes } = file;
    const id = crypto.randomUUID();
    dropPhotos([photo.id]);
    const { size: _size, isUnanswered: _sent, tries: _tries, ...data } = photo;
    putPhotos([{ ...data, id, name, path: name, type, bytes, state: 'waiting', refusal: null }], { [id]: file });
    this.pump();
  }

  forget(runId: string): void {
    this.release(runId);
    dropPhotos(startedPhotosOf(runId).map(({ id }) => id));
    this.publish();
  }

  /** Starts a run. If this page created it, its photos are known and this page owns it at once. */
  async claim(runId: string, isOwn = false): Promise<void> {
    this.locked.set(runId, isOwn ? () => {} : null);
    this.publish();
    const release = await this.options.lockRun(runId, this.end.signal).catch(() => this.locked.get(runId) ?? null);
    if (release === null) return;
    // Another tab may have sent some of them meanwhile.
    if (!isOwn) await usePhotos.persist.rehydrate();
    if (!this.locked.has(runId)) return release();
    this.locked.set(runId, release);
    if (startedPhotosOf(runId).length === 0) this.release(runId);
    this.pump();
  }

  private release(runId: string): void {
    this.locked.get(runId)?.();
    this.locked.delete(runId);
  }

  private pump(): void {
    // Photos start one after the other, so they reach the server, and later the archive, in the order of the list.
    const isOneStarting = () => [...this.inFlight.values()].includes(0);
    while (
      this.obstacle === null &&
      this.inFlight.size < MAX_IN_FLIGHT &&
      !isOneStarting() &&
      !this.end.signal.aborted
    ) {
      const job = this.nextJob();
      if (job === null) break;
      this.inFlight.set(job.key, 0);
      void job.work().finally(() => {
        this.inFlight.delete(job.key);
        this.pump();
      });
    }
    this.publish();
  }

  private nextJob(): { key: string; work: () => Promise<void> } | null {
    for (const [runId, release] of this.locked) {
      if (release === null) continue;
      const photos = startedPhotosOf(runId);
      // Failed ones come last; first those that may have arrived and been charged.
      const rank = ({ tries = 0, isUnanswered: isSent = false }: Photo) => tries + (isSent ? 0 : 0.5);
      const [photo] = photos.filter((one) => this.isWaiting(one)).toSorted((a, b) => rank(a) - rank(b));
      if (photo !== undefined) {
        // Running uploads may not be deducted from the balance yet.
        const isPayable = (photo.price ?? 1) * (1 + this.inFlight.size) <= this.credits;
        if (isPayable || photo.isUnanswered === true) return { key: photo.id, work: () => this.send(photo) };
        if (this.inFlight.size === 0) this.pauseFor('credits');
        return null;
      }
      const isComplete = photos.every(({ state }) => state === 'sent');
      if (isComplete && !this.inFlight.has(runId)) return { key: runId, work: () => this.close(runId) };
    }
    return null;
  }

  private isWaiting({ id, state }: Photo): boolean {
    return state === 'waiting' && !this.inFlight.has(id);
  }

  private async send(photo: Photo): Promise<void> {
    const file = usePhotos.getState().files[photo.id];
    if (file === undefined) return change(photo, { state: 'refused', refusal: UNREADABLE });
    change(photo, { isUnanswered: true });
    try {
      const item = await sendPhoto(this.options.api, photo, file, (sent) => this.recordProgress(photo, sent));
      this.recordProgress(photo, photo.bytes);
      this.waitMs = this.options.firstWaitMs;
      this.failures = 0;
      change(photo, { state: 'sent', itemId: item.id });
    } catch (cause) {
      const error = toApiError(cause);
      if (!isOutcomeUnknown(error)) change(photo, { isUnanswered: false });
      if (error.status === 500 && this.requeue(photo)) return;
      if (this.pauseOnError(error)) return;
      if (error.code === 'run_closed' || error.code === 'not_found') return this.abandon(photo.runId);
      change(photo, { state: 'refused', refusal: error.message });
    }
  }

  private recordProgress({ id, bytes }: Photo, sent: number): void {
    const now = Date.now();
    const before = this.inFlight.get(id);
    if (before === undefined) return; // The request has ended.
    // The request is larger than the photo, because of the form around it.
    const arrived = Math.min(sent, bytes);
    this.sent.push({ at: now, amount: arrived - before });
    this.inFlight.set(id, arrived);
    if (before === 0) this.pump();
    else if (now - this.publishedAt > PUBLISH_MS) this.publish();
  }

  /** Moves a photo that the server fails at behind the others. False if none is left or all of them fail. */
  private requeue(photo: Photo): boolean {
    this.failures += 1;
    const tries = (photo.tries ?? 0) + 1;
    const others = startedPhotosOf(photo.runId);
    const isGivenUp = tries >= MAX_TRIES && others.some(({ state }) => state === 'sent');
    change(photo, isGivenUp ? { tries, state: 'refused', refusal: SERVER_FAILED } : { tries });
    const isNext = (one: Photo) => this.isWaiting(one) && (one.tries ?? 0) < tries;
    return isGivenUp || (this.failures <= MAX_IN_FLIGHT && others.some(isNext));
  }

  /** Even if the server refuses: the run has then ended in another way, and nothing is left to do here. */
  private async close(runId: string): Promise<void> {
    const { api, queryClient } = this.options;
    try {
      const run = await api.send(`/api/v1/runs/${runId}/close`, runSchema, { method: 'POST' });
      // It contains every photo and that no more follow; events may be missing.
      queryClient.setQueryData<Run>(runKey(runId), (known) => (known && known.status !== 'open' ? known : run));
      // An answer on its way may be older.
      void queryClient.invalidateQueries({ queryKey: runKey(runId) });
    } catch (cause) {
      if (this.pauseOnError(toApiError(cause))) return;
    }
    if (!this.locked.has(runId)) return;
    this.release(runId);
    putPhotos(startedPhotosOf(runId).map((photo) => ({ ...photo, state: 'settled' })));
  }

  private pauseOnError(error: ApiError): boolean {
    const obstacle = findObstacle(error);
    if (obstacle !== null) this.pauseFor(obstacle);
    return obstacle !== null;
  }

  private pauseFor(obstacle: Obstacle): void {
    // A pause that only the user can end does not end with the connection's return.
    if (needsUser(this.obstacle)) return;
    this.obstacle = obstacle;
    // The shown balance may be outdated.
    if (obstacle === 'credits') refetchCredits(this.options.queryClient);
    if (needsUser(obstacle)) this.stopWaiting();
    else if (this.timer === undefined) {
      this.timer = setTimeout(() => this.resume(), this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, MAX_WAIT_MS);
    }
    this.publish();
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** A run that takes no more photos although some are left. */
  private abandon(runId: string): void {
    const left = startedPhotosOf(runId).filter(({ state }) => state !== 'sent');
    this.forget(runId);
    if (left.length === 0) return;
    say.wrong(`${errors.run_closed.detail} ${plural(left.length, 'photo')} not uploaded.`, { id: `closed-${runId}` });
    void this.options.queryClient.invalidateQueries({ queryKey: RUNS_KEY });
  }

  private publish(): void {
    // Nobody listens after a stop.
    if (this.end.signal.aborted) return;
    const now = Date.now();
    this.publishedAt = now;
    // Each connection reports its bytes twenty times a second, and a catalogue may take hours.
    this.sent = dropOldSamples(this.sent, now);
    useUploadState.setState({
      runs: new Map([...this.locked].map(([runId, release]) => [runId, release !== null])),
      obstacle: this.obstacle,
      bytesPerMs: measureSpeed(this.sent, this.sent[0]?.at ?? now, now),
      bytesSent: new Map(this.inFlight),
    });
  }
}

const startedPhotosOf = (runId: string) => photosOf(runId).filter(isStarted);

/** Updates a photo's status, unless it was removed meanwhile. */
function change({ id }: Photo, part: Partial<Photo>): void {
  putPhotos(usePhotos.getState().photos.flatMap((photo) => (photo.id === id ? [{ ...photo, ...part }] : [])));
}
