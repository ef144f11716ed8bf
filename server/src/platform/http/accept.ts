/** How much an Accept header wants a type, how exactly it names it, and where: the most exact range counts. */
type Wish = { weight: number; exactness: number; place: number };

/**
 * Whether an Accept header (RFC 9110, 12.5.1) asks for `type` rather than for `usual`, which is also for whoever says
 * nothing, or wants neither. Of two that weigh the same the more exactly named goes first, then the first named.
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(readRange);
  const [one, other] = [findWish(ranges, type), findWish(ranges, usual)];
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.weight === 0) return false;
  if (one.exactness !== other.exactness) return one.exactness > other.exactness;
  return one.place < other.place;
}

function readRange(text: string): { range: string; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

function findWish(ranges: ReturnType<typeof readRange>[], type: string): Wish {
  const names = ['*/*', type.replace(/\/.*/, '/*'), type];
  return ranges.reduce<Wish>(
    (best, { range, weight }, place) => {
      const exactness = names.indexOf(range);
      return exactness > best.exactness ? { weight, exactness, place } : best;
    },
    { weight: 0, exactness: -1, place: 0 },
  );
}
