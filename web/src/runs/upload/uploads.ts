import { runSchema } from '@plinth/contract/runs';
import { toApiError, type Api, type ApiError } from '../../platform/api.ts';
import { isBegun, type Photo, type PhotoStore } from '../photos.ts';
import { sendPhoto } from './send-photo.ts';
import { measureSpeed, type Sent } from './speed.ts';

/** Why nothing is sent just now: the person must do something, or it goes on by itself. */
export type Hindrance = 'paused' | 'credits' | 'signed out' | 'connection' | 'too many' | 'server';

/** How far the photos of one run are. Sizes in bytes. */
export type RunUpload = {
  photos: readonly Photo[];
  /** False while another tab of this browser sends them. */
  isOurs: boolean;
};

export type UploadState = {
  runs: ReadonlyMap<string, RunUpload>;
  hindrance: Hindrance | null;
  bytesPerSecond: number | null;
};

export type UploadsOptions = {
  api: Api;
  store: PhotoStore;
  onChange: (state: UploadState) => void;
  /** A run that takes no more photos although some were left. */
  onClosed: (runId: string, leftCount: number) => void;
  /** Resolves with the way to let go when nobody else in this browser sends the photos of this run. */
  holdRun?: (runId: string, signal: AbortSignal) => Promise<() => void>;
  now?: () => number;
  firstWaitMs?: number;
};

const AT_ONCE = 4;
const LONGEST_WAIT_MS = 30_000;
const UNREADABLE = 'This photo could not be read any more. Please choose it again.';

type Run = { photos: Photo[]; isOurs: boolean; letGo: () => void };

/**
 * Sends the photos of runs, four at a time, and closes each run when all of its photos are there. It begins where the
 * page before it ended. What may have arrived is sent with the same key, so that nothing is paid for twice.
 */
export class Uploads {
  private readonly options: UploadsOptions;
  private readonly runs = new Map<string, Run>();
  /** What the store did not take, by photo. */
  private readonly files = new Map<string, Blob>();
  private readonly busy = new Set<string>();
  private readonly sent: Sent[] = [];
  private end = new AbortController();
  private hindrance: Hindrance | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waitMs: number;

  constructor(options: UploadsOptions) {
    this.options = options;
    this.waitMs = this.firstWaitMs;
  }

  async start(): Promise<void> {
    this.end = new AbortController();
    const { signal } = this.end;
    const photos = await this.options.store.list().catch(() => []);
    const open = new Set(photos.filter(isBegun).map(({ runId }) => runId));
    for (const runId of open) if (!signal.aborted && !this.runs.has(runId)) void this.takeUp(runId, photos);
  }

  /** What is on its way arrives; the next page goes on from there. */
  stop(): void {
    this.end.abort();
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { letGo } of this.runs.values()) letGo();
    this.runs.clear();
    this.hindrance = null;
  }

  async add(runId: string, photos: readonly Photo[], files: ReadonlyMap<string, Blob>): Promise<void> {
    for (const [photoId, file] of files) this.files.set(photoId, file);
    const run: Run = { photos: [...photos], isOurs: true, letGo: () => {} };
    this.runs.set(runId, run);
    this.tell();
    run.letGo = (await this.hold(runId)) ?? run.letGo;
    this.pump();
  }

  pause(): void {
    this.hinder('paused');
  }

  resume(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.hindrance = null;
    this.pump();
  }

  /** The connection is back: nobody needs to wait for the end of a wait. */
  wake(): void {
    if (this.timer !== undefined) this.resume();
  }

  async leaveOut(runId: string, photoIds: readonly string[]): Promise<void> {
    const run = this.runs.get(runId);
    if (run === undefined) return;
    run.photos = run.photos.filter(({ id }) => !photoIds.includes(id));
    await this.options.store.drop(photoIds).catch(() => undefined);
    this.pump();
  }

  async exchange(photo: Photo, file: File): Promise<void> {
    const { name, type, size: bytes } = file;
    const id = crypto.randomUUID();
    const next: Photo = { ...photo, id, name, path: name, type, bytes, state: 'waiting', refusal: null };
    const isKept = await this.options.store.keepFile(id, file).then(
      () => true,
      () => false,
    );
    if (!isKept) this.files.set(id, file);
    await this.options.store.drop([photo.id]).catch(() => undefined);
    await this.put(photo, next);
    this.pump();
  }

  async forget(runId: string): Promise<void> {
    const run = this.runs.get(runId);
    this.remove(runId);
    await this.options.store.drop(run?.photos.map(({ id }) => id) ?? []).catch(() => undefined);
    this.tell();
  }

  private async takeUp(runId: string, known: readonly Photo[]): Promise<void> {
    const ofRun = (photos: readonly Photo[]) => photos.filter((photo) => photo.runId === runId);
    const run: Run = { photos: ofRun(known), isOurs: false, letGo: () => {} };
    this.runs.set(runId, run);
    this.tell();
    const letGo = await this.hold(runId);
    if (letGo === null || this.runs.get(runId) !== run) return letGo?.();
    // Another tab may have sent some of them meanwhile.
    const photos = ofRun(await this.options.store.list().catch(() => known));
    if (this.runs.get(runId) !== run) return letGo();
    Object.assign(run, { photos, isOurs: true, letGo });
    if (photos.every(({ state }) => state === 'settled')) this.remove(runId);
    this.pump();
  }

  private hold(runId: string): Promise<(() => void) | null> {
    return (this.options.holdRun ?? holdRun)(runId, this.end.signal).catch(() => null);
  }

  private pump(): void {
    while (this.hindrance === null && this.busy.size < AT_ONCE && !this.end.signal.aborted) {
      const job = this.nextJob();
      if (job === null) break;
      this.busy.add(job.key);
      void job.work().finally(() => {
        this.busy.delete(job.key);
        this.pump();
      });
    }
    this.tell();
  }

  private nextJob(): { key: string; work: () => Promise<void> } | null {
    for (const [runId, { photos, isOurs }] of this.runs) {
      if (!isOurs) continue;
      const photo = photos.find(({ id, state }) => state === 'waiting' && !this.busy.has(id));
      if (photo !== undefined) return { key: photo.id, work: () => this.send(photo) };
      const isComplete = photos.every(({ state }) => state === 'sent' || state === 'settled');
      if (isComplete && !this.busy.has(runId)) return { key: runId, work: () => this.close(runId) };
    }
    return null;
  }

  private async send(photo: Photo): Promise<void> {
    const { api, store } = this.options;
    try {
      const file = (await store.readFile(photo.id).catch(() => undefined)) ?? this.files.get(photo.id);
      if (file === undefined) return await this.put(photo, { ...photo, state: 'refused', refusal: UNREADABLE });
      const item = await sendPhoto(api, photo, file);
      this.waitMs = this.firstWaitMs;
      this.sent.push({ at: this.now(), bytes: photo.bytes });
      await this.put(photo, { ...photo, state: 'sent', itemId: item.id });
    } catch (cause) {
      const error = toApiError(cause);
      if (this.isHindered(error)) return;
      if (error.code === 'run_closed' || error.code === 'not_found') return this.giveUp(photo.runId);
      await this.put(photo, { ...photo, state: 'refused', refusal: error.message });
    }
  }

  /** Also when the server refuses: then the run is over in another way, and nothing is left to do here. */
  private async close(runId: string): Promise<void> {
    const { api, store } = this.options;
    try {
      await api.send(`/api/v1/runs/${runId}/close`, runSchema, { method: 'POST' });
    } catch (cause) {
      if (this.isHindered(toApiError(cause))) return;
    }
    const photos = this.runs.get(runId)?.photos ?? [];
    this.remove(runId);
    await store.keep(photos.map((photo) => ({ ...photo, state: 'settled' as const }))).catch(() => undefined);
  }

  private isHindered(error: ApiError): boolean {
    const hindrance = findHindrance(error);
    if (hindrance === null) return false;
    this.hinder(hindrance);
    if (isForPerson(this.hindrance) || this.timer !== undefined) return true;
    this.timer = setTimeout(() => this.wake(), this.waitMs);
    this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    return true;
  }

  private hinder(hindrance: Hindrance): void {
    // What only a person can end is not ended by a connection that comes back.
    if (isForPerson(this.hindrance)) return;
    if (isForPerson(hindrance)) {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
    this.hindrance = hindrance;
    this.tell();
  }

  private async giveUp(runId: string): Promise<void> {
    const left = this.runs.get(runId)?.photos.filter(({ state }) => state === 'waiting' || state === 'refused') ?? [];
    if (left.length > 0) this.options.onClosed(runId, left.length);
    await this.forget(runId);
  }

  private async put(before: Photo, after: Photo): Promise<void> {
    const run = this.runs.get(before.runId);
    if (run !== undefined) run.photos = run.photos.map((photo) => (photo.id === before.id ? after : photo));
    this.tell();
    await this.options.store.keep([after]).catch(() => undefined); // Private windows keep nothing.
  }

  private remove(runId: string): void {
    this.runs.get(runId)?.letGo();
    this.runs.delete(runId);
  }

  private tell(): void {
    const runs = new Map([...this.runs].map(([runId, { photos, isOurs }]) => [runId, { photos, isOurs }]));
    this.options.onChange({ runs, hindrance: this.hindrance, bytesPerSecond: measureSpeed(this.sent, this.now()) });
  }

  private now(): number {
    return this.options.now?.() ?? Date.now();
  }

  private get firstWaitMs(): number {
    return this.options.firstWaitMs ?? 1000;
  }
}

const isForPerson = (hindrance: Hindrance | null) =>
  hindrance === 'paused' || hindrance === 'credits' || hindrance === 'signed out';

function findHindrance(error: ApiError): Hindrance | null {
  if (error.code === 'insufficient_credits') return 'credits';
  if (error.status === 401) return 'signed out';
  if (error.status === 429) return 'too many';
  if (error.code === 'network') return 'connection';
  return error.status >= 500 || error.status === 408 || error.code === 'idempotency_in_progress' ? 'server' : null;
}

/** Where the browser has no locks, as without https, two tabs may send the same photo; the server takes it once. */
function holdRun(runId: string, signal: AbortSignal): Promise<() => void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return Promise.resolve(() => {});
  return new Promise((held, failed) => {
    const keep = () => new Promise<void>((letGo) => held(letGo));
    locks.request(`plinth-run-${runId}`, { signal }, keep).catch(failed);
  });
}
