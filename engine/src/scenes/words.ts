// From a sentence to words that can be compared: lower case, no accents, stems, negated parts taken out.

export interface Words {
  /** Stems in order, without what the sentence says no to. */
  stems: string[];
  /** For each stem, whether it only goes along: "a beach with palms" is a beach. */
  asides: boolean[];
  /** Stems of things that are not wanted. */
  unwanted: string[];
}

const NEGATIONS = ['no', 'not', 'without', 'avoid', 'except'];
const COMPANY = /\b(?:with|under|beside|among|amid|near|next to|surrounded by)\b/;
const PLACES = /\b(?=(?:on|in|at|against|inside)\b)/;
/** What is sold: "a coffee mug on marble" stands on marble, and in no café. */
const PRODUCTS =
  /\b(?:mug|cup|bottle|glass|tumbler|jar|bag|handbag|backpack|shoe|sneaker|boot|watch|ring|necklace|bracelet|earring|perfume|lipstick|cream|serum|box|can|tin|vase|teddy|toy|kettle|headphone|phone|laptop|camera|candle|soap|shampoo|sunglasse|hat|dress|shirt|jacket|product|item)s?\b/;
const CLAUSE_ENDS = /[,.;:!?]|\b(?:but|with|on|in|and a|instead)\b/;

export function readWords(prompt: string, negativePrompt = ''): Words {
  const text = plain(prompt);
  const negated = new RegExp(`\\b(?:${NEGATIONS.join('|')})\\b(.*?)(?=${CLAUSE_ENDS.source}|$)`, 'g');
  const unwanted = [...text.matchAll(negated)].flatMap((match) => toStems(match[1] ?? ''));
  const parts = text
    .replace(negated, ' ')
    .split(/[,.;:!?]/)
    .flatMap(splitCompany);
  return {
    stems: parts.flatMap(({ stems }) => stems),
    asides: parts.flatMap(({ stems, isAside }) => stems.map(() => isAside)),
    unwanted: [...unwanted, ...toStems(plain(negativePrompt))],
  };
}

/** A clause in what it names and what goes along with it, until it names a place again. */
function splitCompany(clause: string): { stems: string[]; isAside: boolean }[] {
  return clause.split(PLACES).flatMap((part, n, all) => {
    const at = part.search(COMPANY);
    const isProduct = n === 0 && all.length > 1 && PRODUCTS.test(part);
    if (at < 0) return [{ stems: toStems(part), isAside: isProduct }];
    return [
      { stems: toStems(part.slice(0, at)), isAside: false },
      { stems: toStems(part.slice(at)), isAside: true },
    ];
  });
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\bcolou?r(?:ed)?\b/g, 'colour')
    .replace(/[\p{C}]/gu, ' ');
}

export function toStems(text: string): string[] {
  return (text.replace(/\be-/g, 'e').match(/[a-z0-9']+/g) ?? []).map(stem);
}

/** Enough for nouns in the plural and a few endings; both sides of every comparison pass through it. */
export function stem(word: string): string {
  const base = word.replace(/'s?$/, '');
  if (base.length > 4 && base.endsWith('ies')) return `${base.slice(0, -3)}y`;
  if (base === 'leaves') return 'leaf';
  if (base.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(base)) return base.slice(0, -2);
  if (base.length > 3 && base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) return base.slice(0, -1);
  return base;
}

/** The places where a phrase (already stems) begins. */
export function findPhrase(stems: string[], phrase: string[]): number[] {
  const places: number[] = [];
  for (let start = 0; start + phrase.length <= stems.length; start += 1) {
    if (phrase.every((word, n) => stems[start + n] === word)) places.push(start);
  }
  return places;
}
