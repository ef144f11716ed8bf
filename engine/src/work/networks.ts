import type { NetworkNews } from '../cutout/matting.ts';
import { log } from '../log.ts';
import type { NetworkOwner, StopReason, Task } from './task.ts';

/** A worker that has gone, as far as a network may be why. */
export type Death = {
  how: string;
  loading: ReadonlySet<NetworkOwner>;
  stopReason: StopReason | undefined;
  task: Task | undefined;
};

const DEATHS = 3; // so many first attempts in a row that end their worker are the operator's network's fault

/** Which networks the workers are given, and which of them is given up. Each fault is logged once. */
export class Networks {
  private hasOperators: boolean;
  private deaths = 0;
  private isOwnSound = true;

  constructor(hasOperators: boolean) {
    this.hasOperators = hasOperators;
  }

  /** A fresh worker may load our own network before it is asked for: nobody has died of that yet. */
  get mayWarm(): boolean {
    return this.isOwnSound;
  }

  /** Whether the operator's network may serve a task: not where a worker died of the task before. */
  mayUseOperators(task: Task): boolean {
    return this.hasOperators && !task.isRepeated;
  }

  hear(whose: NetworkOwner, news: NetworkNews): void {
    if (news.state === 'failed') this.giveUp(whose, news.reason);
  }

  hearDone(task: Task | undefined): void {
    if (!task?.isRepeated) this.deaths = 0;
  }

  /** Whether the network is why, so that the task deserves another try without it. */
  blame({ how, loading, stopReason, task }: Death): boolean {
    if (stopReason === 'cancelled' || stopReason === 'closing') return false;
    if (loading.size > 0) {
      const whose = loading.has('operator') ? 'operator' : 'own'; // of two, the unknown one
      this.giveUp(whose, `loading it ended the worker: ${how}`);
      return whose === 'operator';
    }
    if (!task || task.isRepeated || !this.hasOperators) return false;
    this.deaths += 1;
    if (this.deaths >= DEATHS) this.giveUp('operator', `using it ended ${DEATHS} workers: ${how}`);
    return true;
  }

  private giveUp(whose: NetworkOwner, reason: string): void {
    if (whose === 'operator' && this.hasOperators) {
      this.hasOperators = false; // from now on our own serves, whichever worker found out
      log('matting_network_unusable', { reason, instead: 'own network' });
    } else if (whose === 'own' && this.isOwnSound) {
      this.isOwnSound = false; // it is tried again by each worker whose task needs it, but not told again
      log('own_network_unusable', { reason });
    }
  }
}
