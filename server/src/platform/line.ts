import { AppError } from './errors.ts';

/** A line before what only so many can do at one time: nobody waits in it for long while ever more are coming. */

export type Line = {
  /**
   * Runs `work` once there is room for its size. Who has to leave first is served first. Patience counts while many are
   * coming; a crowd that came at once and is being served waits on.
   * @throws AppError temporarily_unavailable
   */
  pass: <Result>(place: { size: number; patienceMs: number }, work: () => Promise<Result>) => Promise<Result>;
  /**
   * At the door, before any work: counts who comes, and turns away who would only join those that are about to leave.
   * @throws AppError temporarily_unavailable
   */
  refuseJoining: () => void;
};

/** What may be at work at one time: so many, of so much size together. */
export type Room = { places: number; size: number };

/** The most that anybody waits. */
export const LONGEST_WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 250;
const RETRY_SECONDS = 2;
/**
 * A storm: somebody has waited all the time for so long, and still so many come within so long. A crowd is none, even
 * if a busy machine takes a second to hear all of it: by then nobody follows.
 */
const STORM = { lastsMs: 2000, arrivals: 5, withinMs: 350 };

type Waiting = { size: number; cameAt: number; leavesAt: number; begin: () => void };

const busy = () => new AppError('temporarily_unavailable', { retryAfterSeconds: RETRY_SECONDS });

/** Who comes and how long somebody has waited by now: whether that is a storm. */
function watchStorm() {
  const arrivals: number[] = [];
  /** Since when somebody has waited all the time. */
  let crowdedSince = Infinity;
  return {
    noteArrival: (): void => {
      arrivals.push(performance.now());
      if (arrivals.length > STORM.arrivals) arrivals.shift();
    },
    noteCrowd: (isThere: boolean): void => {
      crowdedSince = isThere ? Math.min(crowdedSince, performance.now()) : Infinity;
    },
    isStorm: (): boolean => {
      const now = performance.now();
      if (now - crowdedSince < STORM.lastsMs || arrivals.length < STORM.arrivals) return false;
      return now - (arrivals[0] ?? 0) < STORM.withinMs;
    },
  };
}

export function makeLine(room: Room): Line {
  const taken: Room = { places: 0, size: 0 };
  const waiting: Waiting[] = [];
  const weather = watchStorm();
  const hasRoomFor = ({ size }: Waiting) => taken.places < room.places && taken.size + size <= room.size;
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && hasRoomFor(next); next = waiting[0]) {
      waiting.shift();
      taken.size += next.size;
      taken.places += 1;
      next.begin();
    }
    weather.noteCrowd(waiting.length > 0);
  };
  const getRoom = (size: number, patienceMs: number) =>
    new Promise<void>((resolve, reject) => {
      const cameAt = performance.now();
      const lookAround = () => {
        if (!weather.isStorm() && performance.now() - cameAt < LONGEST_WAIT_MS) {
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
      weather.noteArrival();
      const [first] = waiting;
      if (first === undefined || !weather.isStorm()) return;
      if (performance.now() < (first.cameAt + first.leavesAt) / 2) return;
      throw busy();
    },
  };
}
