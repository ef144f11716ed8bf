import { makeRandom } from './random.ts';
import { listBreaches, settle } from './checks.ts';
import { injectFaults, repair } from './faults.ts';
import { makeNoise, makeTraffic } from './traffic.ts';
import { startWorld, type World } from './world.ts';

export type Round = { number: number; faults: string[]; breaches: string[]; seconds: number };
export type RunOptions = {
  seed: number;
  /** Number of the first round, and the number of rounds. */
  from: number;
  rounds: number;
  /** Whether the provider is a paid one or stands in for the built-in engine. */
  isPaid: boolean;
  report: (round: Round) => void;
};

/** Runs rounds on one world until one fails. Each round's choices depend on the seed and its number only. */
export async function runRounds(options: RunOptions): Promise<Round | undefined> {
  const world = await startWorld(options.isPaid);
  try {
    for (let number = options.from; number < options.from + options.rounds; number += 1) {
      const round = await runRound(world, options.seed, number);
      options.report(round);
      if (round.breaches.length > 0) return round;
    }
    return undefined;
  } finally {
    await world.close();
  }
}

async function runRound(world: World, seed: number, number: number): Promise<Round> {
  const random = makeRandom(seed * 100_003 + number);
  const start = performance.now();
  const traffic = await makeTraffic(world, 2 + random.below(3));
  const [faults] = await Promise.all([injectFaults(world, random), makeNoise(world, traffic, random)]);
  await repair(world);
  const stuck = await settle(world);
  const breaches = [...stuck, ...(await listBreaches(world, traffic))];
  return { number, faults, breaches, seconds: (performance.now() - start) / 1000 };
}
