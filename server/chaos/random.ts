/** A seeded random generator: the same seed gives the same choices. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next: () => number;
  /** An integer from 0 up to, but not including, `max`. */
  below: (most: number) => number;
  pick: <Value>(values: readonly Value[]) => Value;
};

/** Mulberry32, by Tommy Ettinger (public domain): small, and good enough for choices. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (max: number) => Math.floor(next() * max);
  return { next, below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}

/** Returns the bytes corrupted in one to three ways; pieces may come from `others`. */
export function breakBytes(random: Random, bytes: Buffer, others: readonly Buffer[]): Buffer {
  let broken: Buffer = Buffer.from(bytes);
  for (let times = 1 + random.below(3); times > 0; times -= 1)
    broken = random.pick(BREAKS)(random, broken, random.pick(others));
  return broken;
}

const BREAKS: ((chance: Random, bytes: Buffer, other: Buffer) => Buffer)[] = [
  // Flips bits.
  (chance, bytes) => {
    for (let times = 1 + chance.below(32); times > 0 && bytes.length > 0; times -= 1) {
      const at = chance.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
    }
    return bytes;
  },
  // Damages only the header: sizes, counts, types.
  (chance, bytes) => {
    for (let times = 1 + chance.below(6); times > 0 && bytes.length > 0; times -= 1)
      bytes[chance.below(Math.min(bytes.length, 200))] = chance.pick([0, 1, 0x7f, 0x80, 0xff, chance.below(256)]);
    return bytes;
  },
  // Truncates the beginning or the end.
  (chance, bytes) => bytes.subarray(0, chance.below(bytes.length + 1)),
  (chance, bytes) => bytes.subarray(chance.below(bytes.length + 1)),
  // Inserts a piece of another input, or replaces a piece by it.
  (chance, bytes, other) => {
    const from = chance.below(other.length + 1);
    const piece = other.subarray(from, from + chance.below(2000));
    const at = chance.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + chance.pick([0, piece.length]))]);
  },
  // Repeats or removes a piece.
  (chance, bytes) => {
    const [at, length] = [chance.below(bytes.length + 1), chance.below(500)];
    const piece = bytes.subarray(at, at + length);
    return Buffer.concat([
      bytes.subarray(0, at),
      ...(chance.below(2) ? [piece, piece] : []),
      bytes.subarray(at + length),
    ]);
  },
];
