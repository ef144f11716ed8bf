/** Letters of a text: [from, to). */
export type Stretch = { from: number; to: number };

/** Every place of the text at which the words stand, whatever the flags of their pattern. */
export function findAll(text: string, words: RegExp): Stretch[] {
  return [...text.matchAll(new RegExp(words.source, 'g'))].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** From the first letter of them all to the last. */
export function join(stretches: Stretch[]): Stretch {
  return { from: Math.min(...stretches.map(({ from }) => from)), to: Math.max(...stretches.map(({ to }) => to)) };
}

export function overlaps(one: Stretch, other: Stretch): boolean {
  return one.from < other.to && one.to > other.from;
}
