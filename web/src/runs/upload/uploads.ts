import type { QueryClient } from '@tanstack/react-query';
import { errors } from '@plinth/contract/errors';
import { runSchema, type Run } from '@plinth/contract/runs';
import { refetchCredits, watchCredits } from '../../credits/useCredits.ts';
import { toApiError, type Api, type ApiError } from '../../platform/api.ts';
import { isOutcomeUnknown } from '../../platform/unknown-outcome.ts';
import { say } from '../../ui/above/toast.tsx';
import { plural } from '../../ui/format.ts';
import { runKey, RUNS_KEY } from '../keys.ts';
import { dropPhotos, photosOf, putPhotos } from '../photo-acts.ts';
import { isBegun, usePhotos, type Photo } from '../photos.ts';
import { sendPhoto } from './send-photo.ts';
import { forgetEarly, measureSpeed, type Done } from './speed.ts';
import { findHindrance, isForPerson, useUploadState, type Hindrance } from './upload-state.ts';

type UploadsOptions = {
  api: Api;
  queryClient: QueryClient;
  /** Resolves with a release function once no other tab of this browser uploads the photos of this run. */
  holdRun: (runId: string, signal: AbortSignal) => Promise<() => void>;
  firstWaitMs?: number;
};

const AT_ONCE = 4;
const LONGEST_WAIT_MS = 30_000;
/** Attempts for a photo that fails while others succeed. */
const MOST_TRIES = 3;
const NEWS_MS = 250;
const FAULTY = 'The server failed at this photo. Nothing is paid twice if you try it again.';
const UNREADABLE = 'This photo could not be read any more. Please choose it again.';

/**
 * Uploads the photos of runs, four at a time, and closes each run when all its photos have arrived. Resumes where the
 * last page stopped. A photo that may have arrived is sent with the same key, so nothing is charged twice.
 */
export class Uploads {
  private readonly options: Required<UploadsOptions>;
  /** Release function of each run; null while another tab has it. */
  private readonly held = new Map<string, (() => void) | null>();
  /** The photos being uploaded, with the bytes of theirs, and the runs being closed. */
  private readonly onTheWay = new Map<string, number>();
  /** Samples since the last pause, which says nothing about the speed. */
  private sent: Done[] = [];
  /** Consecutive server errors: this many are not about one photo. */
  private faults = 0;
  private toldAt = 0;
  private readonly end = new AbortController();
  private hindrance: Hindrance | null = null;
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
    for (const { runId } of usePhotos.getState().photos.filter(isBegun))
      if (!this.held.has(runId)) void this.takeUp(runId);
  }

  /** Permanently, as if the page were closed: running uploads finish, and the next page resumes. */
  stop(): void {
    this.end.abort();
    this.stopWaiting();
    this.unwatch();
    for (const runId of this.held.keys()) this.letGo(runId);
  }

  pause(): void {
    this.hinder('paused');
  }

  resume(): void {
    this.stopWaiting();
    this.hindrance = null;
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
    if (isMore && this.hindrance === 'credits') this.resume();
  }

  again(photo: Photo): void {
    change(photo, { state: 'waiting', refusal: null, tries: 0 });
    this.pump();
  }

  leaveOut(photoIds: readonly string[]): void {
    dropPhotos(photoIds);
    this.pump();
  }

  exchange(photo: Photo, file: File): void {
    const { name, type, size: bytes } = file;
    const id = crypto.randomUUID();
    dropPhotos([photo.id]);
    const { size: _size, isUnanswered: _sent, tries: _tries, ...said } = photo;
    putPhotos([{ ...said, id, name, path: name, type, bytes, state: 'waiting', refusal: null }], { [id]: file });
    this.pump();
  }

  forget(runId: string): void {
    this.letGo(runId);
    dropPhotos(begunOf(runId).map(({ id }) => id));
    this.tell();
  }

  /** Starts a run. If this page created it, its photos are known and this page owns it at once. */
  async takeUp(runId: string, isOwn = false): Promise<void> {
    this.held.set(runId, isOwn ? () => {} : null);
    this.tell();
    const letGo = await this.options.holdRun(runId, this.end.signal).catch(() => this.held.get(runId) ?? null);
    if (letGo === null) return;
    // Another tab may have sent some of them meanwhile.
    if (!isOwn) await usePhotos.persist.rehydrate();
    if (!this.held.has(runId)) return letGo();
    this.held.set(runId, letGo);
    if (begunOf(runId).length === 0) this.letGo(runId);
    this.pump();
  }

  private letGo(runId: string): void {
    this.held.get(runId)?.();
    this.held.delete(runId);
  }

  private pump(): void {
    // Photos start one after the other, so they reach the server, and later the archive, in the order of the list.
    const isOneStarting = () => [...this.onTheWay.values()].includes(0);
    while (this.hindrance === null && this.onTheWay.size < AT_ONCE && !isOneStarting() && !this.end.signal.aborted) {
      const job = this.nextJob();
      if (job === null) break;
      this.onTheWay.set(job.key, 0);
      void job.work().finally(() => {
        this.onTheWay.delete(job.key);
        this.pump();
      });
    }
    this.tell();
  }

  private nextJob(): { key: string; work: () => Promise<void> } | null {
    for (const [runId, letGo] of this.held) {
      if (letGo === null) continue;
      const photos = begunOf(runId);
      // Failed ones come last; first those that may have arrived and been charged.
      const rank = ({ tries = 0, isUnanswered: isSent = false }: Photo) => tries + (isSent ? 0 : 0.5);
      const [photo] = photos.filter((one) => this.isWaiting(one)).toSorted((a, b) => rank(a) - rank(b));
      if (photo !== undefined) {
        // Running uploads may not be deducted from the balance yet.
        const isPayable = (photo.price ?? 1) * (1 + this.onTheWay.size) <= this.credits;
        if (isPayable || photo.isUnanswered === true) return { key: photo.id, work: () => this.send(photo) };
        if (this.onTheWay.size === 0) this.hinder('credits');
        return null;
      }
      const isComplete = photos.every(({ state }) => state === 'sent');
      if (isComplete && !this.onTheWay.has(runId)) return { key: runId, work: () => this.close(runId) };
    }
    return null;
  }

  private isWaiting({ id, state }: Photo): boolean {
    return state === 'waiting' && !this.onTheWay.has(id);
  }

  private async send(photo: Photo): Promise<void> {
    const file = usePhotos.getState().files[photo.id];
    if (file === undefined) return change(photo, { state: 'refused', refusal: UNREADABLE });
    change(photo, { isUnanswered: true });
    try {
      const item = await sendPhoto(this.options.api, photo, file, (sent) => this.note(photo, sent));
      this.note(photo, photo.bytes);
      this.waitMs = this.options.firstWaitMs;
      this.faults = 0;
      change(photo, { state: 'sent', itemId: item.id });
    } catch (cause) {
      const error = toApiError(cause);
      if (!isOutcomeUnknown(error)) change(photo, { isUnanswered: false });
      if (error.status === 500 && this.setBack(photo)) return;
      if (this.isHindered(error)) return;
      if (error.code === 'run_closed' || error.code === 'not_found') return this.giveUp(photo.runId);
      change(photo, { state: 'refused', refusal: error.message });
    }
  }

  private note({ id, bytes }: Photo, sent: number): void {
    const now = Date.now();
    const before = this.onTheWay.get(id);
    if (before === undefined) return; // The request has ended.
    // The request is larger than the photo, because of the form around it.
    const arrived = Math.min(sent, bytes);
    this.sent.push({ at: now, amount: arrived - before });
    this.onTheWay.set(id, arrived);
    if (before === 0) this.pump();
    else if (now - this.toldAt > NEWS_MS) this.tell();
  }

  /** Moves a photo that the server fails at behind the others. False if none is left or all of them fail. */
  private setBack(photo: Photo): boolean {
    this.faults += 1;
    const tries = (photo.tries ?? 0) + 1;
    const others = begunOf(photo.runId);
    const isGivenUp = tries >= MOST_TRIES && others.some(({ state }) => state === 'sent');
    change(photo, isGivenUp ? { tries, state: 'refused', refusal: FAULTY } : { tries });
    const isNext = (one: Photo) => this.isWaiting(one) && (one.tries ?? 0) < tries;
    return isGivenUp || (this.faults <= AT_ONCE && others.some(isNext));
  }

  /** Even if the server refuses: the run has then ended in another way, and nothing is left to do here. */
  private async close(runId: string): Promise<void> {
    const { api, queryClient } = this.options;
    try {
      const run = await api.send(`/api/v1/runs/${runId}/close`, runSchema, { method: 'POST' });
      // It contains every photo and that no more follow; events may be missing.
      queryClient.setQueryData<Run>(runKey(runId), (known) => (known?.status === 'open' ? run : known));
    } catch (cause) {
      if (this.isHindered(toApiError(cause))) return;
    }
    if (!this.held.has(runId)) return;
    this.letGo(runId);
    putPhotos(begunOf(runId).map((photo) => ({ ...photo, state: 'settled' })));
  }

  private isHindered(error: ApiError): boolean {
    const hindrance = findHindrance(error);
    if (hindrance !== null) this.hinder(hindrance);
    return hindrance !== null;
  }

  private hinder(hindrance: Hindrance): void {
    // A pause that only the user can end does not end with the connection's return.
    if (isForPerson(this.hindrance)) return;
    this.hindrance = hindrance;
    // The shown balance may be outdated.
    if (hindrance === 'credits') refetchCredits(this.options.queryClient);
    if (isForPerson(hindrance)) this.stopWaiting();
    else if (this.timer === undefined) {
      this.timer = setTimeout(() => this.resume(), this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    }
    this.tell();
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** A run that takes no more photos although some are left. */
  private giveUp(runId: string): void {
    const left = begunOf(runId).filter(({ state }) => state !== 'sent');
    this.forget(runId);
    if (left.length === 0) return;
    say.wrong(`${errors.run_closed.detail} ${plural(left.length, 'photo')} not uploaded.`, { id: `closed-${runId}` });
    void this.options.queryClient.invalidateQueries({ queryKey: RUNS_KEY });
  }

  private tell(): void {
    // Nobody listens after a stop.
    if (this.end.signal.aborted) return;
    const now = Date.now();
    this.toldAt = now;
    // Each connection reports its bytes twenty times a second, and a catalogue may take hours.
    this.sent = forgetEarly(this.sent, now);
    useUploadState.setState({
      runs: new Map([...this.held].map(([runId, letGo]) => [runId, letGo !== null])),
      hindrance: this.hindrance,
      bytesPerMs: measureSpeed(this.sent, this.sent[0]?.at ?? now, now),
      bytesSent: new Map(this.onTheWay),
    });
  }
}

const begunOf = (runId: string) => photosOf(runId).filter(isBegun);

/** Updates a photo's status, unless it was removed meanwhile. */
function change({ id }: Photo, part: Partial<Photo>): void {
  putPhotos(usePhotos.getState().photos.flatMap((photo) => (photo.id === id ? [{ ...photo, ...part }] : [])));
}
