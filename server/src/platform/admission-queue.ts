import { AppError } from './errors.ts';

export type AdmissionQueue = ReturnType<typeof makeAdmissionQueue>;

/** What may run at a time: number and total size. */
type Capacity = { slots: number; size: number };

export const MAX_WAIT_MS = 20_000;
const RECHECK_MS = 250;
const RETRY_SECONDS = 2;
/** Overload: the queue was not empty for `lastsMs`, and the last `arrivals` came within `withinMs`. Excludes bursts. */
const OVERLOAD = { lastsMs: 2000, arrivals: 5, withinMs: 350 };

type QueueEntry = { size: number; cameAt: number; leavesAt: number; begin: () => void };

const busy = () => new AppError('temporarily_unavailable', { retryAfterSeconds: RETRY_SECONDS });

function detectOverload() {
  const arrivals: number[] = [];
  let queuedSince = Infinity;
  return {
    noteArrival: (): void => {
      arrivals.push(performance.now());
      if (arrivals.length > OVERLOAD.arrivals) arrivals.shift();
    },
    noteQueue: (length: number): void => {
      queuedSince = length > 0 ? Math.min(queuedSince, performance.now()) : Infinity;
    },
    isOverloaded: (): boolean => {
      const now = performance.now();
      if (now - queuedSince < OVERLOAD.lastsMs || arrivals.length < OVERLOAD.arrivals) return false;
      return now - (arrivals[0] ?? 0) < OVERLOAD.withinMs;
    },
  };
}

/** A concurrency limit with a queue that sheds load while the process is overloaded. */
export function makeAdmissionQueue(capacity: Capacity) {
  const used: Capacity = { slots: 0, size: 0 };
  const waiting: QueueEntry[] = [];
  const overload = detectOverload();
  const fits = ({ size }: QueueEntry) => used.slots < capacity.slots && used.size + size <= capacity.size;
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && fits(next); next = waiting[0]) {
      waiting.shift();
      used.size += next.size;
      used.slots += 1;
      next.begin();
    }
    overload.noteQueue(waiting.length);
  };
  const acquire = (size: number, maxWaitMs: number) =>
    new Promise<void>((resolve, reject) => {
      const cameAt = performance.now();
      const giveUp = () => {
        if (!overload.isOverloaded() && performance.now() - cameAt < MAX_WAIT_MS) {
          timer = setTimeout(giveUp, RECHECK_MS);
          return;
        }
        waiting.splice(waiting.indexOf(entry), 1);
        reject(busy());
        admit();
      };
      let timer = setTimeout(giveUp, maxWaitMs);
      const begin = () => (clearTimeout(timer), resolve());
      const entry = { size, cameAt, leavesAt: cameAt + maxWaitMs, begin };
      waiting.splice(waiting.findLastIndex(({ leavesAt }) => leavesAt <= entry.leavesAt) + 1, 0, entry);
      admit();
    });
  return {
    /**
     * Runs `work` when there is capacity for its size, earlier deadlines first. Deadlines count under overload only,
     * else everybody waits up to `MAX_WAIT_MS`. @throws AppError temporarily_unavailable
     */
    run: async <Result>(place: { size: number; maxWaitMs: number }, work: () => Promise<Result>): Promise<Result> => {
      const share = Math.min(place.size, capacity.size);
      await acquire(share, place.maxWaitMs);
      try {
        return await work();
      } finally {
        used.size -= share;
        used.slots -= 1;
        admit();
      }
    },
    /** Counts an arrival; rejects it if the queue is about to shed load. @throws AppError temporarily_unavailable */
    rejectIfOverloaded: (): void => {
      overload.noteArrival();
      const [first] = waiting;
      if (first === undefined || !overload.isOverloaded()) return;
      if (performance.now() < (first.cameAt + first.leavesAt) / 2) return;
      throw busy();
    },
  };
}
