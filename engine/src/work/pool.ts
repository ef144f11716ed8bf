import type { Clock } from '../clock.ts';
import type { NetworkSettings } from '../cutout/network-settings.ts';
import { log } from '../log.ts';
import { isOverdue, type PoolLimits } from './limits.ts';
import { Networks } from './networks.ts';
import { readProcessUse } from './process-use.ts';
import type { StopReason, Task, TaskEnd, WorkerMessage, WorkerStart, WorkerTask } from './task.ts';
import { killWorker, startWorker, type Assignment, type Worker } from './worker-process.ts';

export type Attempt = {
  end: Promise<TaskEnd>;
  stop: (why: StopReason) => void;
};

/** The networks that the workers use: our own, and the operator's where there is one. */
export type PoolNetworks = Omit<WorkerStart, 'isWarm'> & { operator?: NetworkSettings | undefined };

const WATCH_EVERY_MS = 250;

/** Warm child processes, one task each: a crash or a leak in native code stays theirs. */
export class Pool {
  private readonly limits: PoolLimits;
  private readonly clock: Clock;
  private readonly networks: Networks;
  private readonly workerStart: Omit<WorkerStart, 'isWarm'>;
  private readonly workers = new Set<Worker>();
  private readonly ready = Promise.withResolvers<void>();
  private readonly watch: NodeJS.Timeout;
  private isClosing = false;
  private swiftDeaths = 0;

  constructor(limits: PoolLimits, clock: Clock, { operator, ...start }: PoolNetworks = { threads: 1 }) {
    this.limits = limits;
    this.clock = clock;
    this.networks = new Networks(operator);
    this.workerStart = start;
    this.watch = setInterval(() => this.watchWorkers(), WATCH_EVERY_MS);
    this.addWorker();
  }

  /** Settles when one worker has loaded its libraries. */
  whenReady(): Promise<void> {
    return this.ready.promise;
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
      killWorker(worker, 'closing');
    }
    await Promise.all(gone);
  }

  private addWorker(): Worker {
    const worker = startWorker({ ...this.workerStart, isWarm: this.networks.mayWarm }, this.clock());
    const { child } = worker;
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
        this.ready.resolve();
        if (worker.assignment) this.sendTask(worker);
        return;
      case 'beat':
        worker.rssBytes = message.rssBytes;
        return;
      case 'network':
        if (message.news.state === 'loading') worker.loading.add(message.whose);
        else worker.loading.delete(message.whose);
        if (message.whose === 'operator') worker.holdsOperatorNetwork = message.news.state === 'ready';
        this.networks.hear(message.whose, message.news);
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
    const message: WorkerTask = { ...task, network: this.networks.chooseFor(task) };
    worker.child.send(message);
  }

  private release(worker: Worker, end: TaskEnd): void {
    const { assignment } = worker;
    worker.assignment = undefined;
    worker.tasks += 1;
    if (end.kind === 'done') this.networks.hearDone(assignment?.task);
    worker.freeSinceMs = this.clock();
    const rssBytes = readProcessUse(worker.child.pid)?.rssBytes ?? worker.rssBytes;
    const isWorn = worker.tasks >= this.limits.recycleAfterTasks || rssBytes > this.limits.recycleRssBytes;
    if (isWorn) killWorker(worker, 'recycled');
    assignment?.settle(end);
  }

  private stopTask(worker: Worker, task: Task, why: StopReason): void {
    if (worker.assignment?.task !== task) return;
    worker.stopReason = why;
    killWorker(worker, why);
  }

  private handleExit(worker: Worker, exit: string): void {
    this.workers.delete(worker);
    if (!worker.isReady) this.swiftDeaths += 1;
    const { assignment, loading, stopReason, killReason } = worker;
    const how = killReason ?? exit;
    const isNetworksFault = this.networks.blame({ how, loading, stopReason, task: assignment?.task });
    // Too slow because of the operator's network: the task is tried again without it.
    if (stopReason && !isNetworksFault) assignment?.settle({ kind: 'stopped', why: stopReason });
    else assignment?.settle({ kind: 'crashed', reason: how });
    if (!this.isClosing && this.workers.size === 0) {
      setTimeout(() => !this.isClosing && this.workers.size === 0 && this.addWorker(), 100 * this.swiftDeaths ** 2);
    }
  }

  private watchWorkers(): void {
    const now = this.clock();
    for (const worker of this.workers) {
      const use = readProcessUse(worker.child.pid);
      const rssBytes = use?.rssBytes ?? worker.rssBytes;
      // too busy to beat: the time limit is for that
      if (use && worker.assignment && use.cpuMs > worker.cpuMs) worker.heardAtMs = now;
      worker.cpuMs = use?.cpuMs ?? 0;
      if (worker.assignment && isOverdue(this.limits, worker.assignment, use, now)) {
        worker.stopReason = 'time_limit';
        killWorker(worker, 'time limit');
      } else if (now - worker.heardAtMs > this.limits.silenceMs) killWorker(worker, 'silent');
      else if (rssBytes > this.limits.maxRssBytes) killWorker(worker, 'memory ceiling');
      else if (this.isSpare(worker, now)) killWorker(worker, 'idle');
      else if (this.isBloated(worker, now, rssBytes)) killWorker(worker, 'idle and large');
    }
  }

  /** Native libraries never give memory back: after a pause a fresh process takes the place of one that worked. */
  private isBloated(worker: Worker, now: number, rssBytes: number): boolean {
    const { idleMs, networkIdleMs, idleRssBytes } = this.limits;
    const keptMs = worker.holdsOperatorNetwork ? networkIdleMs : idleMs;
    return !worker.assignment && now - worker.freeSinceMs > keptMs && rssBytes > idleRssBytes;
  }

  private isSpare(worker: Worker, now: number): boolean {
    const isFirst = [...this.workers][0] === worker;
    return !isFirst && !worker.assignment && now - worker.freeSinceMs > this.limits.idleMs;
  }
}
