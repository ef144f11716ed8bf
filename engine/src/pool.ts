import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from './clock.ts';
import { log } from './log.ts';
import type { NetworkNews } from './matting/choose-matter.ts';
import type { NetworkSettings } from './matting/network-settings.ts';
import type { ProblemEntry } from './problem.ts';
import { readProcessUse, type ProcessUse } from './process-use.ts';
import { findSkill, type SkillResult } from './skills/skills.ts';
import { WORKER_ARGUMENTS, WORKER_MEMORY } from './worker-options.ts';

/** One piece of work as it is sent to a worker process. */
export interface Task {
  jobId: string;
  app: string;
  input: Record<string, unknown>;
  pictures: Record<string, string>;
  folder: string;
  /** A worker died of this task before: this time without the operator's network, which may be why. */
  isRepeated: boolean;
}

/** What a worker gets: the task and the network to tell products with, if one is in use. */
export type WorkerTask = Task & { network: NetworkSettings | undefined };

/** How a worker's attempt at a task ended. */
export type TaskEnd =
  | { kind: 'done'; result: SkillResult }
  | { kind: 'refused'; entries: ProblemEntry[] }
  | { kind: 'broke'; reason: string } // the skill threw: trying again would throw again
  | { kind: 'crashed'; reason: string } // the process went: a fresh one may manage
  | { kind: 'stopped'; why: StopReason };

export type StopReason = 'cancelled' | 'time_limit' | 'closing';

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'beat'; rssBytes: number }
  | { kind: 'progress'; percent: number; message: string }
  | { kind: 'network'; news: NetworkNews }
  | Extract<TaskEnd, { kind: 'done' | 'refused' | 'broke' }>;

export interface PoolLimits {
  workers: number;
  /** Processor time of one attempt at a still picture; on a busy machine the clock may show up to CLOCK_FACTOR times that. */
  taskMs: number;
  /** And at a video. */
  videoMs: number;
  recycleAfterTasks: number;
  recycleRssBytes: number;
  maxRssBytes: number;
  silenceMs: number;
  idleMs: number;
  idleRssBytes: number;
}

const MB = 1024 * 1024;
/** The limits for so many workers of at most so much resident memory each, and so much time for a task. */
export function makePoolLimits(
  size: Pick<PoolLimits, 'workers' | 'taskMs' | 'videoMs'>,
  workerMegabytes: number,
): PoolLimits {
  return {
    ...size,
    recycleAfterTasks: 25,
    recycleRssBytes: 0.88 * workerMegabytes * MB,
    maxRssBytes: workerMegabytes * MB,
    silenceMs: 20_000,
    idleMs: 60_000, // one worker stays warm for ever, the others go after this
    idleRssBytes: 280 * MB,
  };
}

const WATCH_EVERY_MS = 250;
const CLOCK_FACTOR = 3;
const NETWORK_DEATHS = 3; // so many first attempts in a row that end their worker are the network's fault
const WORKER_FILE = fileURLToPath(new URL('worker.ts', import.meta.url));

export interface Attempt {
  end: Promise<TaskEnd>;
  stop: (why: StopReason) => void;
}

interface Assignment {
  task: Task;
  onProgress: (percent: number, message: string) => void;
  settle: (end: TaskEnd) => void;
  startedAtMs: number;
  /** Processor time that the worker had used by then; unknown where the system does not tell. */
  startedAtCpuMs?: number | undefined;
}

interface Worker {
  child: ChildProcess;
  isReady: boolean;
  heardAtMs: number;
  freeSinceMs: number;
  tasks: number;
  rssBytes: number;
  cpuMs: number;
  assignment?: Assignment | undefined;
  stopReason?: StopReason | undefined;
  killReason?: string;
  isLoadingNetwork?: boolean;
}

/** Warm child processes, one task each: a crash or a leak in native code stays theirs. */
export class Pool {
  private readonly limits: PoolLimits;
  private readonly clock: Clock;
  private readonly workers = new Set<Worker>();
  private readonly waitingForReady: (() => void)[] = [];
  private readonly watch: NodeJS.Timeout;
  private network: NetworkSettings | undefined;
  private networkDeaths = 0;
  private isClosing = false;
  private swiftDeaths = 0;

  constructor(limits: PoolLimits, clock: Clock, network?: NetworkSettings) {
    this.limits = limits;
    this.network = network;
    this.clock = clock;
    this.watch = setInterval(() => this.watchWorkers(), WATCH_EVERY_MS);
    this.addWorker();
  }

  /** Settles when one worker has loaded its libraries. */
  whenReady(): Promise<void> {
    if ([...this.workers].some((worker) => worker.isReady)) return Promise.resolve();
    return new Promise((resolve) => this.waitingForReady.push(resolve));
  }

  hasRoom(): boolean {
    if (this.isClosing) return false;
    const busy = [...this.workers].filter((worker) => worker.assignment).length;
    return busy < this.limits.workers;
  }

  start(task: Task, onProgress: Assignment['onProgress']): Attempt {
    const free = [...this.workers].filter((worker) => !worker.assignment && worker.killReason === undefined);
    const worker = free.find((candidate) => candidate.isReady) ?? free[0] ?? this.addWorker();
    const end = new Promise<TaskEnd>((settle) => {
      worker.assignment = { task, onProgress, settle, startedAtMs: this.clock() };
    });
    if (worker.isReady) this.sendTask(worker);
    return { end, stop: (why) => this.stopTask(worker, task, why) };
  }

  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.watch);
    const gone = [...this.workers].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const worker of this.workers) {
      worker.stopReason = 'closing';
      this.kill(worker, 'closing');
    }
    await Promise.all(gone);
  }

  private addWorker(): Worker {
    const child = fork(WORKER_FILE, [], {
      execArgv: WORKER_ARGUMENTS,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: '', NODE_ENV: 'production', ...WORKER_MEMORY }, // no key and no setting of ours reaches picture code
    });
    const now = this.clock();
    const fresh = { isReady: false, heardAtMs: now, freeSinceMs: now, tasks: 0, rssBytes: 0, cpuMs: 0 };
    const worker: Worker = { child, ...fresh };
    this.workers.add(worker);
    child.on('message', (message) => this.handleMessage(worker, message as WorkerMessage));
    child.on('error', (error) => log('worker_error', { message: error.message }));
    child.once('exit', (code, signal) => this.handleExit(worker, `exit ${code ?? signal}`));
    return worker;
  }

  private handleMessage(worker: Worker, message: WorkerMessage): void {
    worker.heardAtMs = this.clock();
    switch (message.kind) {
      case 'ready':
        worker.isReady = true;
        this.swiftDeaths = 0;
        for (const resolve of this.waitingForReady.splice(0)) resolve();
        if (worker.assignment) this.sendTask(worker);
        return;
      case 'beat':
        worker.rssBytes = message.rssBytes;
        return;
      case 'network':
        worker.isLoadingNetwork = message.news.state === 'loading';
        if (message.news.state === 'failed') this.dropNetwork(message.news.reason);
        return;
      case 'progress':
        worker.assignment?.onProgress(message.percent, message.message);
        return;
      default:
        this.release(worker, message);
    }
  }

  private sendTask(worker: Worker): void {
    if (!worker.assignment) return;
    worker.assignment.startedAtMs = this.clock();
    worker.assignment.startedAtCpuMs = readProcessUse(worker.child.pid)?.cpuMs;
    worker.heardAtMs = this.clock();
    const { task } = worker.assignment;
    const message: WorkerTask = { ...task, network: task.isRepeated ? undefined : this.network };
    worker.child.send(message);
  }

  /** From now on the classical method serves; said once, whichever worker found out. */
  private dropNetwork(reason: string): void {
    if (!this.network) return;
    this.network = undefined;
    log('matting_network_unusable', { reason, instead: 'classical' });
  }

  private blameNetwork({ stopReason, isLoadingNetwork, assignment }: Worker, how: string): void {
    if (stopReason === 'cancelled' || stopReason === 'closing') return;
    if (isLoadingNetwork) return this.dropNetwork(`loading it ended the worker: ${how}`);
    if (!assignment || assignment.task.isRepeated || stopReason) return;
    this.networkDeaths += 1;
    if (this.networkDeaths >= NETWORK_DEATHS) this.dropNetwork(`using it ended ${NETWORK_DEATHS} workers: ${how}`);
  }

  private release(worker: Worker, end: TaskEnd): void {
    const { assignment } = worker;
    worker.assignment = undefined;
    worker.tasks += 1;
    if (end.kind === 'done' && !assignment?.task.isRepeated) this.networkDeaths = 0;
    worker.freeSinceMs = this.clock();
    const rssBytes = readProcessUse(worker.child.pid)?.rssBytes ?? worker.rssBytes;
    const isWorn = worker.tasks >= this.limits.recycleAfterTasks || rssBytes > this.limits.recycleRssBytes;
    if (isWorn) this.kill(worker, 'recycled');
    assignment?.settle(end);
  }

  private stopTask(worker: Worker, task: Task, why: StopReason): void {
    if (worker.assignment?.task !== task) return;
    worker.stopReason = why;
    this.kill(worker, why);
  }

  /** SIGKILL at once: a worker only ever writes drafts, there is nothing to tidy up. */
  private kill(worker: Worker, reason: string): void {
    worker.killReason ??= reason;
    worker.child.kill('SIGKILL');
  }

  private handleExit(worker: Worker, how: string): void {
    this.workers.delete(worker);
    if (!worker.isReady) this.swiftDeaths += 1;
    this.blameNetwork(worker, worker.killReason ?? how);
    if (worker.assignment) {
      const { stopReason, killReason } = worker;
      worker.assignment.settle(
        stopReason ? { kind: 'stopped', why: stopReason } : { kind: 'crashed', reason: killReason ?? how },
      );
    }
    if (!this.isClosing && this.workers.size === 0) {
      setTimeout(() => !this.isClosing && this.workers.size === 0 && this.addWorker(), 100 * this.swiftDeaths ** 2);
    }
  }

  private watchWorkers(): void {
    const now = this.clock();
    for (const worker of this.workers) {
      const use = readProcessUse(worker.child.pid);
      const rssBytes = use?.rssBytes ?? worker.rssBytes;
      if (use && worker.assignment && use.cpuMs > worker.cpuMs) worker.heardAtMs = now; // too busy to beat: the time limit is for that
      worker.cpuMs = use?.cpuMs ?? 0;
      if (worker.assignment && this.isOverdue(worker.assignment, use, now)) {
        worker.stopReason = 'time_limit';
        this.kill(worker, 'time limit');
      } else if (now - worker.heardAtMs > this.limits.silenceMs) this.kill(worker, 'silent');
      else if (rssBytes > this.limits.maxRssBytes) this.kill(worker, 'memory ceiling');
      else if (this.isSpare(worker, now)) this.kill(worker, 'idle');
      else if (this.isBloated(worker, now, rssBytes)) this.kill(worker, 'idle and large');
    }
  }

  /** Counts its worker's processor time, so that a busy machine fails nobody, and a share of the clock as well. */
  private isOverdue({ task, startedAtMs, startedAtCpuMs }: Assignment, use: ProcessUse | undefined, now: number) {
    const limitMs = findSkill(task.app)?.makes === 'video' ? this.limits.videoMs : this.limits.taskMs;
    const clockMs = now - startedAtMs;
    if (!use || startedAtCpuMs === undefined) return clockMs > limitMs;
    return use.cpuMs - startedAtCpuMs > limitMs || clockMs > CLOCK_FACTOR * limitMs;
  }

  /** Native libraries never give memory back: after a pause a fresh process takes the place of one that worked. */
  private isBloated(worker: Worker, now: number, rssBytes: number): boolean {
    const isIdle = !worker.assignment && now - worker.freeSinceMs > this.limits.idleMs;
    return isIdle && rssBytes > this.limits.idleRssBytes;
  }

  private isSpare(worker: Worker, now: number): boolean {
    const isFirst = [...this.workers][0] === worker;
    return !isFirst && !worker.assignment && now - worker.freeSinceMs > this.limits.idleMs;
  }
}
