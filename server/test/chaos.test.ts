/** @module-tag slow */
import { expect, it } from 'vitest';
import { type Round, runRounds } from '../chaos/rounds.ts';

/** The short form of `npm run chaos`: other rounds each day; the test's name contains their seed. */

const SEED = Math.floor(Date.now() / 86_400_000);
const ROUNDS = 1;

it.each([
  ['paid', true],
  ['the built-in engine', false],
])(
  `nothing is lost, doubled or stuck when things break, with a provider that is %s (seed ${SEED})`,
  { timeout: 300_000 },
  async (_name, isPaid) => {
    const rounds: Round[] = [];
    const report = (round: Round) => void rounds.push(round);
    expect(await runRounds({ seed: SEED, from: isPaid ? 0 : 1000, rounds: ROUNDS, isPaid, report })).toBeUndefined();
    expect(rounds).toHaveLength(ROUNDS);
    expect(rounds.flatMap(({ faults }) => faults).length).toBeGreaterThanOrEqual(ROUNDS);
  },
);
