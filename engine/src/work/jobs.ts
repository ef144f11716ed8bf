import { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { makePrivateFolder } from './durable.ts';
import type { Files } from './files.ts';
import type { Job, JobStore, OpenWebhook } from './job-store.ts';
import { errorText, log } from '../log.ts';
import type { Attempt, Pool } from './pool.ts';
import type { TaskEnd } from './task.ts';
import { platformProblem, refuse, timeLimitOutcome, type Outcome, type ProblemEntry } from '../problem.ts';
import { newId } from '../secrets.ts';
import type { Input } from '../skills/fields.ts';

export type Submission = {
  app: string;
  input: Input;
  pictures: Record<string, Uint8Array>;
  problems: ProblemEntry[];
  isLowPriority: boolean;
  startWithinMs?: number;
  outputLivesMs?: number;
  /** Where to tell that the job has ended; checked by the caller. */
  webhookUrl?: string;
};

export type CancelAnswer = 'requested' | 'completed' | 'unknown';

const CANCELLED = platformProblem(499, 'client_cancelled', 'The request was cancelled.');
const BROKEN = platformProblem(500, 'internal_error', 'The engine failed on this request.');
const NOT_STARTED = platformProblem(504, 'request_timeout', 'The request did not start in time.');
const MAX_CRASHES = 2;
const ANY_END = 'end'; // no job's id: those are 22 characters long

type Parts = { store: JobStore; files: Files; pool: Pool; clock: Clock; ttlMs: number; tmpDir: string };

/** Accepts jobs, gives them to the pool in order and writes each ending exactly once. */
export class Jobs {
  private readonly parts: Parts;
  private readonly jobs = new Map<string, Job>();
  private readonly queue: Job[] = [];
  private readonly attempts = new Map<string, Attempt>();
  /** Jobs whose ending is being written: too late to cancel. */
  private readonly ending = new Set<string>();
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private isClosing = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Takes up what an earlier run left: finished jobs answer again, all others start over under the same id. */
  async open(): Promise<void> {
    for (const job of await this.parts.store.open()) {
      this.jobs.set(job.id, job);
      if (job.outcome) await this.parts.store.dropPictures(job); // whoever ended it may have died before
      else this.enqueue({ ...job, logs: [] });
    }
    this.startNext();
  }

  async submit(submission: Submission): Promise<Job> {
    const { app, input, pictures, problems, isLowPriority, startWithinMs, outputLivesMs, webhookUrl } = submission;
    const now = this.parts.clock();
    const job: Job = {
      id: newId(),
      app,
      input,
      pictures: Object.keys(pictures),
      isLowPriority,
      createdAtMs: now,
      ...(startWithinMs !== undefined && { startBeforeMs: now + startWithinMs }),
      ...(outputLivesMs !== undefined && { outputLivesMs }),
      ...(webhookUrl !== undefined && { webhook: { url: webhookUrl, tries: 0, nextTryAtMs: now } }),
      crashes: 0,
      logs: [],
    };
    // What was refused is not kept: it is of no use, and might be anything.
    const refused = { finishedAtMs: now, outcome: refuse(problems), input: {}, pictures: [] };
    if (problems.length > 0) Object.assign(job, refused);
    await this.parts.store.add(job, problems.length > 0 ? {} : pictures);
    this.jobs.set(job.id, job);
    if (job.outcome) this.changes.emit(ANY_END);
    else this.enqueue(job);
    this.startNext();
    return job;
  }

  find(id: string): Job | undefined {
    return this.jobs.get(id);
  }

  queuePosition(job: Job): number {
    return Math.max(0, this.queue.indexOf(job));
  }

  async cancel(id: string): Promise<CancelAnswer> {
    const job = this.jobs.get(id);
    if (!job) return 'unknown';
    if (job.outcome || this.ending.has(id)) return 'completed';
    const attempt = this.attempts.get(id);
    if (attempt) attempt.stop('cancelled');
    else await this.finish(job, CANCELLED);
    return 'requested';
  }

  /** Calls back after every change of the job until the returned function is called. */
  onChange(id: string, listener: () => void): () => void {
    this.changes.on(id, listener);
    return () => this.changes.off(id, listener);
  }

  /** Ended jobs whose sender is still to be told. */
  withOpenWebhook(): Job[] {
    return [...this.jobs.values()].filter((job) => job.outcome && job.webhook);
  }

  /** Notes a failed delivery, or with nothing that there is none to make any more. */
  async saveWebhook(job: Job, webhook: OpenWebhook | undefined): Promise<void> {
    if (webhook) job.webhook = webhook;
    else delete job.webhook;
    if (this.jobs.has(job.id)) await this.parts.store.save(job);
  }

  /** Calls back whenever any job has ended. */
  onEnd(listener: () => void): void {
    this.changes.on(ANY_END, listener);
  }

  /** Ends what waited too long for a worker and forgets what is older than the time to live. */
  async tidy(): Promise<void> {
    const now = this.parts.clock();
    for (const job of [...this.queue]) {
      if (job.startBeforeMs !== undefined && job.startBeforeMs < now) await this.finish(job, NOT_STARTED);
    }
    for (const job of [...this.jobs.values()]) {
      if (job.finishedAtMs === undefined || job.finishedAtMs + this.parts.ttlMs > now) continue;
      this.jobs.delete(job.id);
      await this.parts.store.remove(job.id);
    }
  }

  close(): void {
    this.isClosing = true;
  }

  private enqueue(job: Job): void {
    this.jobs.set(job.id, job);
    const firstLow = this.queue.findIndex((queued) => queued.isLowPriority);
    if (job.isLowPriority || firstLow < 0) this.queue.push(job);
    else this.queue.splice(firstLow, 0, job);
  }

  private startNext(): void {
    while (!this.isClosing && this.queue.length > 0 && this.parts.pool.hasRoom()) {
      const job = this.queue.shift();
      if (job)
        void this.work(job).catch((error: unknown) => log('job_lost', { jobId: job.id, error: errorText(error) }));
    }
    for (const job of this.queue) this.changes.emit(job.id);
  }

  private async work(job: Job): Promise<void> {
    const folder = join(this.parts.tmpDir, `${job.id}-${job.crashes}`);
    job.startedAtMs = this.parts.clock();
    const { id: jobId, app, input } = job;
    const pictures = this.parts.store.picturePaths(job);
    const attempt = this.parts.pool.start(
      { jobId, app, input, pictures, folder, isRepeated: job.crashes > 0 },
      (percent, message) => this.addProgress(job, percent, message),
    );
    this.attempts.set(job.id, attempt);
    this.changes.emit(job.id);
    try {
      await this.settle(job, await attempt.end);
    } finally {
      await rm(folder, { recursive: true, force: true });
      this.startNext();
    }
  }

  private async settle(job: Job, end: TaskEnd): Promise<void> {
    this.attempts.delete(job.id);
    if (end.kind === 'done') this.ending.add(job.id);
    switch (end.kind) {
      case 'done':
        return this.finish(job, { status: 200, body: (await this.serveFiles(job, end.result)) as Outcome['body'] });
      case 'refused':
        return this.finish(job, refuse(end.entries));
      case 'broke':
        return this.finish(job, BROKEN);
      case 'crashed':
        return this.retryOrFail(job, end.reason);
      case 'stopped':
        if (end.why === 'closing') return; // runs again after the restart
        return this.finish(job, end.why === 'cancelled' ? CANCELLED : timeLimitOutcome());
    }
  }

  private async retryOrFail(job: Job, reason: string): Promise<void> {
    job.crashes += 1;
    log('worker_lost', { jobId: job.id, reason, crashes: job.crashes });
    if (job.crashes >= MAX_CRASHES) return this.finish(job, BROKEN);
    await this.parts.store.save(job);
    if (!this.ending.has(job.id)) this.queue.unshift(job);
  }

  /** Result files are in place and flushed before the job says COMPLETED. */
  private async serveFiles(job: Job, value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.serveFiles(job, item)));
    if (typeof value !== 'object' || value === null) return value;
    if ('local_path' in value) {
      const { local_path, ...rest } = value as { local_path: string; file_name: string; content_type: string };
      const url = await this.parts.files.addResult(local_path, rest.file_name, rest.content_type, job.outputLivesMs);
      return { url, ...rest };
    }
    const entries = Object.entries(value).map(async ([key, item]) => [key, await this.serveFiles(job, item)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  private async finish(job: Job, outcome: Outcome): Promise<void> {
    this.ending.add(job.id);
    const place = this.queue.indexOf(job);
    if (place >= 0) this.queue.splice(place, 1);
    const finished = { ...job, outcome, finishedAtMs: this.parts.clock() };
    await this.parts.store.save(finished);
    Object.assign(job, finished);
    await this.parts.store.dropPictures(job);
    this.ending.delete(job.id);
    this.changes.emit(job.id);
    this.changes.emit(ANY_END);
    log('job_finished', { jobId: job.id, app: job.app, status: outcome.status });
  }

  /** A second attempt begins at the front again but never reports less than the first one did. */
  private addProgress(job: Job, percent: number, message: string): void {
    if (percent < (job.percent ?? 0)) return;
    job.percent = percent;
    const timestamp = new Date(this.parts.clock()).toISOString();
    job.logs.push({ message: `${percent}% ${message}`, level: 'INFO', source: 'USER', timestamp });
    this.changes.emit(job.id);
  }
}

export async function makeTmp(tmpDir: string): Promise<void> {
  await rm(tmpDir, { recursive: true, force: true });
  await makePrivateFolder(tmpDir);
}
