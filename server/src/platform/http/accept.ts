/** What a header of wishes (RFC 9110, 12.4.2) names, in small letters and its order; a weight of 0 refuses it. */
export function readWishes(header: string | undefined): { name: string; weight: number }[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((wish) => {
      const [name = '', ...parameters] = wish.split(';').map((part) => part.trim());
      const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 };
    });
}

/** How much an Accept header wants a type, how exactly it names it, and where: the most exact range counts. */
type Wish = { weight: number; exactness: number; place: number };

/**
 * Whether an Accept header (RFC 9110, 12.5.1) asks for `type` rather than for `usual`, which is also for whoever says
 * nothing, or wants neither. Of two that weigh the same the more exactly named goes first, then the first named.
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  const [one, other] = [findWish(accept, type), findWish(accept, usual)];
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.weight === 0) return false;
  if (one.exactness !== other.exactness) return one.exactness > other.exactness;
  return one.place < other.place;
}

function findWish(accept: string | undefined, type: string): Wish {
  const names = ['*/*', type.replace(/\/.*/, '/*'), type];
  return readWishes(accept).reduce<Wish>(
    (best, { name, weight }, place) => {
      const exactness = names.indexOf(name);
      return exactness > best.exactness ? { weight, exactness, place } : best;
    },
    { weight: 0, exactness: -1, place: 0 },
  );
}
