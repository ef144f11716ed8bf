import { log } from '../log.ts';
import { findSkill } from '../skills/skills.ts';
import type { Task, TaskEnd, WorkerEnd, WorkerMessage } from './task.ts';
import {
  killWorker,
  readProcessUse,
  startWorker,
  type Assignment,
  type ProcessUse,
  type Worker,
} from './worker-process.ts';

export type OnProgress = Assignment['onProgress'];

/** The engine's settings that a pool follows (`config.ts`). */
export type PoolSettings = {
  workers: number;
  /** CPU time per attempt at a still picture; on a busy machine wall time may be up to CLOCK_FACTOR times as long. */
  stillSeconds: number;
  videoSeconds: number;
  /** Resident memory of one worker at most. */
  workerMegabytes: number;
  networkThreads: number;
  cutoutCard?: string | undefined;
  /** Without a sign of life for this long a worker counts as hung; 20 s by default. */
  silenceMs?: number;
};

const CLOCK_FACTOR = 3;
const MEGABYTE = 1024 * 1024;
const WATCH_INTERVAL_MS = 250;
const MAX_ATTEMPTS = 2; // attempts at a task whose workers crash, so that no picture can crash workers endlessly
const MAX_WAITING = 16; // tasks
const SILENCE_MS = 20_000;
const RECYCLE_AFTER_TASKS = 25;
const RECYCLE_SHARE = 0.88; // of the most memory: a worker above it is replaced after its task
const IDLE_MS = 60_000; // after it one idle worker stays warm, and the others end
const IDLE_RSS_BYTES = 280 * MEGABYTE; // an idle worker above it is then replaced by a fresh process
const NETWORK_IDLE_MS = 600_000; // how long an idle worker keeps the operator's network, which takes seconds to load
const ADVICE = 'Another cut-out network is installed: `npm run admin -- engine-model remove` takes it away.';

/**
 * A pool of warm child processes, one task each, which contain crashes and leaks of native code. FIFO; while all
 * workers are busy, one more process answers questions about a photo.
 */
export class Pool {
  private readonly settings: PoolSettings;
  private readonly workers = new Set<Worker>();
  private readonly waiting: Assignment[] = [];
  private readonly ready = Promise.withResolvers<void>();
  private readonly watch: NodeJS.Timeout;
  private isClosing = false;
  private startFailures = 0;
  private mayPreload = true;

  constructor(settings: PoolSettings) {
    this.settings = settings;
    this.watch = setInterval(() => this.watchWorkers(), WATCH_INTERVAL_MS);
    this.addWorker();
  }

  /** Resolves when one worker has loaded its libraries. */
  whenReady(): Promise<void> {
    return this.ready.promise;
  }

  /** True if the queue is full and the next task should be retried later. */
  isFull(): boolean {
    return this.waiting.length >= MAX_WAITING;
  }

  /**
   * Runs a task as soon as a worker is free; retries it once if its worker crashes. `signal` aborts it: at once while
   * queued, by killing its worker while running. Progress never decreases.
   */
  async run(task: Task, onProgress: OnProgress, signal: AbortSignal): Promise<TaskEnd> {
    let reached = 0;
    const reportProgress: OnProgress = (percent) => {
      if (percent < reached) return;
      reached = percent;
      onProgress(percent);
    };
    let end: TaskEnd;
    let attempt = 0;
    do {
      attempt += 1;
      end = await this.attempt(task, attempt > 1, reportProgress, signal);
      if (end.kind === 'crashed') log('worker_lost', { task: task.id, reason: end.reason, attempt });
    } while (end.kind === 'crashed' && attempt < MAX_ATTEMPTS);
    if (end.kind === 'crashed') end = { kind: 'broke', reason: end.reason };
    const isFault = end.kind === 'broke' || (end.kind === 'stopped' && end.reason === 'time_limit');
    if (isFault && this.settings.cutoutCard !== undefined) log('operators_network', { task: task.id, advice: ADVICE });
    return end;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.watch);
    const exits = [...this.workers].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const { settle } of this.waiting.splice(0)) settle({ kind: 'stopped', reason: 'closing' });
    for (const worker of this.workers) {
      worker.stopReason = 'closing';
      killWorker(worker, 'closing');
    }
    await Promise.all(exits);
  }

  /** A retry goes to the head of the queue. */
  private attempt(task: Task, isRetry: boolean, onProgress: OnProgress, signal: AbortSignal): Promise<TaskEnd> {
    return new Promise((resolve) => {
      const stop = () => this.stopTask(assignment);
      const settle = (end: TaskEnd) => {
        signal.removeEventListener('abort', stop);
        resolve(end);
      };
      const assignment: Assignment = { task, onProgress, settle, startedAtMs: performance.now() };
      if (this.isClosing) return settle({ kind: 'stopped', reason: 'closing' });
      if (signal.aborted) return settle({ kind: 'stopped', reason: 'cancelled' });
      signal.addEventListener('abort', stop);
      if (isRetry) this.waiting.unshift(assignment);
      else this.waiting.push(assignment);
      this.startNext();
    });
  }

  private startNext(): void {
    for (let next = this.takeNext(); next; next = this.takeNext()) {
      const worker = this.findWorker();
      worker.assignment = next;
      if (worker.isReady) this.sendTask(worker);
    }
  }

  /** In order, or a question that needs no place of the others: it may hold none back. */
  private takeNext(): Assignment | undefined {
    const running = [...this.workers].flatMap(({ assignment }) => assignment ?? []);
    if (running.length > this.settings.workers) return undefined;
    if (running.filter((one) => !isQuestion(one)).length < this.settings.workers) return this.waiting.shift();
    const question = this.waiting.findIndex(isQuestion);
    return question < 0 ? undefined : this.waiting.splice(question, 1)[0];
  }

  private findWorker(): Worker {
    const free = [...this.workers].filter((worker) => !worker.assignment && worker.killReason === undefined);
    return free.find((candidate) => candidate.isReady) ?? free[0] ?? this.addWorker();
  }

  private addWorker(): Worker {
    const { networkThreads: threads, cutoutCard: card } = this.settings;
    const worker = startWorker({ threads, card, preloads: this.mayPreload }, performance.now());
    const { child } = worker;
    this.workers.add(worker);
    child.on('message', (message) => this.handleMessage(worker, message as WorkerMessage));
    child.on('error', (error) => {
      log('worker_error', { message: error.message });
      // A process that failed to start emits no exit event.
      if (child.pid === undefined) this.handleExit(worker, error.message);
    });
    child.once('exit', (code, signal) => this.handleExit(worker, `exit ${code ?? signal}`));
    return worker;
  }

  private handleMessage(worker: Worker, message: WorkerMessage): void {
    worker.lastSeenAtMs = performance.now();
    switch (message.kind) {
      case 'ready':
        worker.isReady = true;
        this.startFailures = 0;
        this.ready.resolve();
        this.sendTask(worker);
        return;
      case 'beat':
        worker.rssBytes = message.rssBytes;
        return;
      case 'progress':
        worker.assignment?.onProgress(message.percent);
        return;
      default:
        this.release(worker, message);
    }
  }

  private sendTask(worker: Worker): void {
    if (!worker.assignment) return;
    worker.assignment.startedAtMs = performance.now();
    worker.assignment.startedAtCpuMs = readProcessUse(worker.child.pid)?.cpuMs;
    worker.lastSeenAtMs = performance.now();
    worker.child.send(worker.assignment.task);
  }

  private release(worker: Worker, end: WorkerEnd): void {
    const { assignment } = worker;
    worker.assignment = undefined;
    worker.tasks += 1;
    worker.freeSinceMs = performance.now();
    const rssBytes = readProcessUse(worker.child.pid)?.rssBytes ?? worker.rssBytes;
    const maxRssBytes = RECYCLE_SHARE * this.settings.workerMegabytes * MEGABYTE;
    if (worker.tasks >= RECYCLE_AFTER_TASKS || rssBytes > maxRssBytes) killWorker(worker, 'recycled');
    assignment?.settle(end);
    this.startNext();
  }

  private stopTask(assignment: Assignment): void {
    const place = this.waiting.indexOf(assignment);
    if (place >= 0) this.waiting.splice(place, 1)[0]?.settle({ kind: 'stopped', reason: 'cancelled' });
    const worker = [...this.workers].find((candidate) => candidate.assignment === assignment);
    if (!worker) return;
    worker.stopReason = 'cancelled';
    killWorker(worker, 'cancelled');
  }

  private handleExit(worker: Worker, exit: string): void {
    this.workers.delete(worker);
    if (!worker.isReady) this.startFailures += 1;
    const { assignment, stopReason, killReason } = worker;
    const how = killReason ?? exit;
    if (!assignment && killReason === undefined) this.mayPreload = false; // loading our own network may have crashed it
    if (stopReason) assignment?.settle({ kind: 'stopped', reason: stopReason });
    else assignment?.settle({ kind: 'crashed', reason: how });
    this.startNext();
    if (!this.isClosing && this.workers.size === 0) {
      setTimeout(() => !this.isClosing && this.workers.size === 0 && this.addWorker(), 100 * this.startFailures ** 2);
    }
  }

  private watchWorkers(): void {
    const now = performance.now();
    for (const worker of this.workers) {
      const use = readProcessUse(worker.child.pid);
      const rssBytes = use?.rssBytes ?? worker.rssBytes;
      // too busy for a heartbeat: the time limit handles that
      if (use && worker.assignment && use.cpuMs > worker.cpuMs) worker.lastSeenAtMs = now;
      worker.cpuMs = use?.cpuMs ?? 0;
      if (worker.assignment && isOverdue(this.settings, worker.assignment, use, now)) {
        worker.stopReason = 'time_limit';
        killWorker(worker, 'time limit');
      } else if (now - worker.lastSeenAtMs > (this.settings.silenceMs ?? SILENCE_MS)) killWorker(worker, 'silent');
      else if (rssBytes > this.settings.workerMegabytes * MEGABYTE) killWorker(worker, 'memory ceiling');
      else if (this.isDispensable(worker, now, rssBytes)) killWorker(worker, 'idle');
    }
  }

  /**
   * Shrinks an idle pool to one warm worker, and replaces that one if it has grown, because native libraries never
   * return memory to the system.
   */
  private isDispensable(worker: Worker, now: number, rssBytes: number): boolean {
    const idle = worker.assignment ? 0 : now - worker.freeSinceMs;
    const isFirst = [...this.workers][0] === worker;
    if (!isFirst && idle > IDLE_MS) return true;
    return rssBytes > IDLE_RSS_BYTES && idle > (this.settings.cutoutCard === undefined ? IDLE_MS : NETWORK_IDLE_MS);
  }
}

const isQuestion = ({ task }: Assignment): boolean => findSkill(task.skill)?.makes === 'answer';

/** Limits the worker's CPU time, so that a busy machine fails no task, and a multiple of it in wall time. */
function isOverdue(settings: PoolSettings, run: Assignment, use: ProcessUse | undefined, nowMs: number): boolean {
  const isVideo = findSkill(run.task.skill)?.makes === 'video';
  const limitMs = 1000 * (isVideo ? settings.videoSeconds : settings.stillSeconds);
  const clockMs = nowMs - run.startedAtMs;
  if (!use || run.startedAtCpuMs === undefined) return clockMs > limitMs;
  return use.cpuMs - run.startedAtCpuMs > limitMs || clockMs > CLOCK_FACTOR * limitMs;
}
