import { AppError } from './errors.ts';

/** A line before what only so many can do at one time: nobody waits in it for long while ever more are coming. */

export type Line = {
  /**
   * Runs `work` once there is room for its size. Who has to leave first is served first. Patience counts while many are
   * coming; a crowd that came at once and is being served waits on.
   * @throws AppError temporarily_unavailable
   */
  pass: <Result>(place: { size: number; patienceMs: number }, work: () => Promise<Result>) => Promise<Result>;
  /** At the door, before any work: counts who comes, and turns away who would only join those that are about to leave. @throws AppError temporarily_unavailable */
  refuseJoining: () => void;
};

/** What may be at work at one time: so many, of so much size together. */
export type Room = { places: number; size: number };

/** The most that anybody waits. */
export const LONGEST_WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 250;
const RETRY_SECONDS = 2;
/** So many who came within so long are a storm; a crowd that comes at once is none by the time its patience ends. */
const STORM = { arrivals: 5, withinMs: 350 };

type Waiting = { size: number; cameAt: number; leavesAt: number; begin: () => void };

const busy = () => new AppError('temporarily_unavailable', { retryAfterSeconds: RETRY_SECONDS });

export function makeLine(room: Room): Line {
  const taken: Room = { places: 0, size: 0 };
  const waiting: Waiting[] = [];
  const arrivals: number[] = [];
  const noteArrival = () => {
    arrivals.push(performance.now());
    if (arrivals.length > STORM.arrivals) arrivals.shift();
  };
  const isStorm = () => arrivals.length === STORM.arrivals && performance.now() - (arrivals[0] ?? 0) < STORM.withinMs;
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && taken.places < room.places; next = waiting[0]) {
      if (taken.size + next.size > room.size) return;
      waiting.shift();
      taken.size += next.size;
      taken.places += 1;
      next.begin();
    }
  };
  const getRoom = (size: number, patienceMs: number) =>
    new Promise<void>((resolve, reject) => {
      const cameAt = performance.now();
      const lookAround = () => {
        if (!isStorm() && performance.now() - cameAt < LONGEST_WAIT_MS) {
          timer = setTimeout(lookAround, LOOK_AGAIN_MS);
          return;
        }
        waiting.splice(waiting.indexOf(entry), 1);
        reject(busy());
        admit();
      };
      let timer = setTimeout(lookAround, patienceMs);
      const begin = () => (clearTimeout(timer), resolve());
      const entry = { size, cameAt, leavesAt: cameAt + patienceMs, begin };
      waiting.splice(waiting.findLastIndex(({ leavesAt }) => leavesAt <= entry.leavesAt) + 1, 0, entry);
      admit();
    });
  return {
    pass: async ({ size, patienceMs }, work) => {
      const share = Math.min(size, room.size);
      await getRoom(share, patienceMs);
      try {
        return await work();
      } finally {
        taken.size -= share;
        taken.places -= 1;
        admit();
      }
    },
    refuseJoining: () => {
      noteArrival();
      const [first] = waiting;
      if (first === undefined || !isStorm()) return;
      if (performance.now() < (first.cameAt + first.leavesAt) / 2) return;
      throw busy();
    },
  };
}
