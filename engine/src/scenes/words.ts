// From a sentence to words that can be compared: lower case, no accents, stems, negated parts taken out.

export interface Words {
  /** Stems in order, without what the sentence says no to. */
  stems: string[];
  /** Stems of things that are not wanted. */
  unwanted: string[];
}

const NEGATIONS = ['no', 'not', 'without', 'avoid', 'except'];
const CLAUSE_ENDS = /[,.;:!?]|\b(?:but|with|on|in|and a|instead)\b/;

export function readWords(prompt: string, negativePrompt = ''): Words {
  const text = plain(prompt);
  const negated = new RegExp(`\\b(?:${NEGATIONS.join('|')})\\b(.*?)(?=${CLAUSE_ENDS.source}|$)`, 'g');
  const unwanted = [...text.matchAll(negated)].flatMap((match) => toStems(match[1] ?? ''));
  return {
    stems: toStems(text.replace(negated, ' ')),
    unwanted: [...unwanted, ...toStems(plain(negativePrompt))],
  };
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
