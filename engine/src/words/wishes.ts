/** What a sentence asks for, clause by clause, with exclusions marked and without the product itself. */
import { readTerms, type Subject, type Term } from './reader.ts';
import { CLIP_KINDS, VISIBLE_KINDS, type Language } from './vocabulary.ts';

/** A term for something that can be shown or can happen. */
export type Wish = Term & {
  /** True for an accessory: "a beach with palms" is a beach. */
  isAside: boolean;
  isUnwanted: boolean;
  /** Adjacent wishes share a run. */
  run: number;
  /** Index of its clause and of its sentence. */
  clause: number;
  sentence: number;
};

type Opening = 'start' | 'at' | 'with' | 'for' | 'break';
type Segment = { opens: Opening; hasPossessive: boolean; wishes: Wish[] };

const SUBJECT_KINDS: Record<Subject, readonly Term['kind'][]> = {
  scene: [...VISIBLE_KINDS, 'unknown'],
  clip: [...CLIP_KINDS, ...VISIBLE_KINDS, 'unknown'],
};
export const ADJECTIVE_LAST: readonly Language[] = ['es', 'fr', 'pt', 'it', 'ar'];
export const SHADE_WORDS: readonly Term['kind'][] = ['style', 'light', 'colour'];
export const isVisible = ({ kind }: Term): boolean => SUBJECT_KINDS.scene.includes(kind);

/** Reads a prompt for a scene or a clip: its wishes in order, and all its terms. */
export function readWishes(prompt: string, subject: Subject): { language: Language; terms: Term[]; wishes: Wish[] } {
  const { language, terms } = readTerms(prompt, subject);
  const relevant = terms.filter((_, n) => !isProductColour(terms, n, language));
  const segments = splitSegments(relevant, SUBJECT_KINDS[subject]);
  const isNamed = segments.length > 1 && namesProduct(segments[0]!, segments[1]!);
  const wishes = segments.flatMap((segment, n) => {
    if (segment.wishes.some(({ kind }) => kind === 'deed')) return segment.wishes; // "the bottle opens" is one phrase
    const isProduct = n === 0 && isNamed;
    const isUse = segment.opens === 'for' && segment.wishes.some(({ kind }) => kind === 'product');
    if (isProduct || isUse) return segment.wishes.filter((wish) => !isVisible(wish));
    if (segment.opens === 'with') return segment.wishes;
    const isFirst = n === 1 && (isNamed || segments[0]!.wishes.length === 0);
    const isPlace = isFirst && segment.opens === 'at' && !segment.hasPossessive;
    return dropProducts(isPlace ? segment.wishes.map(toProp) : segment.wishes);
  });
  return { language, terms, wishes };
}

/** True for a colour of the product ("white product"), unlike in "pink product background". */
function isProductColour(terms: Term[], n: number, language: Language): boolean {
  if (terms[n]!.kind !== 'colour' && !Number(terms[n]!.value)) return false; // nor a shade
  const line = ADJECTIVE_LAST.includes(language) ? terms.slice(0, n + 1).toReversed() : terms.slice(n);
  const words = line.filter(({ kind }) => kind !== 'of' && kind !== 'and');
  const at = words.findIndex(({ kind }) => !SHADE_WORDS.includes(kind));
  const next = words.slice(at + 1).find(({ kind }) => kind !== 'style' && kind !== 'light');
  const isColour = words.slice(0, at).some(({ kind }) => kind === 'colour');
  return words[at]?.kind === 'ware' && isColour && !(next && next.kind !== 'colour' && isVisible(next));
}

/** Splits sentences into parts by their opening words: "on marble | with roses | , | in the sun". */
function splitSegments(terms: Term[], kinds: readonly Term['kind'][]): Segment[] {
  const segments: Segment[] = [{ opens: 'start', hasPossessive: false, wishes: [] }];
  let [isNegated, isOfUnknown, run, clause, sentence] = [false, false, 0, 0, 0];
  const open = (opens: Opening) => {
    isNegated &&= opens !== 'break' && segments.at(-1)!.wishes.length === 0; // "not in a forest"
    segments.push({ opens, hasPossessive: false, wishes: [] });
    run += 1;
    clause += 1;
  };
  for (const term of terms) {
    const { kind } = term;
    const last = segments.at(-1)!;
    if (kind === 'break' || kind === 'but') {
      open('break');
      sentence += 1;
    } else if (kind === 'at' || kind === 'with' || kind === 'for') open(kind);
    else if (kind === 'no') {
      open(last.opens === 'start' && last.wishes.length === 0 ? 'start' : 'break');
      isNegated = true;
    } else if (kind === 'without') {
      for (const earlier of last.wishes) earlier.isUnwanted = true;
      open('break');
    } else if (kind === 'mine') last.hasPossessive = true;
    else if (kinds.includes(kind)) {
      const before = last.wishes.at(-1);
      const isHead = term.value === 'head' && before?.run === run; // of "pet salon", "shoe store"
      const isUnknownPlace = isOfUnknown || (isHead && ['unknown', 'product'].includes(before.kind));
      const own: Term = isVisible(term) && isUnknownPlace ? { ...term, kind: 'unknown', name: '', value: '' } : term;
      last.wishes.push({ ...own, isAside: last.opens === 'with', isUnwanted: isNegated, run, clause, sentence });
    } else if (kind !== 'of') run += 1;
    if (kind === 'and') clause += 1;
    isOfUnknown = kind === 'of' ? last.wishes.at(-1)?.kind === 'unknown' : isOfUnknown && isVisible(term);
  }
  return segments.filter((segment, n) => n === 0 || segment.wishes.length > 0);
}

/** True if the first part names the product, as when a place follows: "my blue mug on …", "a candle on …". */
function namesProduct({ hasPossessive, wishes }: Segment, next: Segment): boolean {
  if (wishes.some(({ isUnwanted }) => isUnwanted)) return false;
  if (wishes.some(({ kind }) => kind === 'product')) return true;
  return next.opens === 'at' && wishes.some((one) => isVisible(one) && (hasPossessive || one.value === 'sold'));
}

/** Furniture at the beginning of a place: "on a wooden stool", unlike "on the floor, a stool" and "on my stool". */
function toProp(wish: Wish, _: number, [first]: Wish[]): Wish {
  const isProp = wish.kind === 'product' && wish.value === 'large' && wish.run === first!.run;
  return isProp ? { ...wish, kind: 'unknown', name: '', value: '' } : wish;
}

/** Removes products and their adjectives: "ceramic mug", "white cup". */
function dropProducts(wishes: Wish[]): Wish[] {
  const own = (one: Wish) => isVisible(one) && one.kind !== 'style' && one.kind !== 'light';
  const dropped = new Set<Wish>();
  for (const [n, wish] of wishes.entries()) {
    if (wish.kind !== 'product') continue;
    dropped.add(wish);
    for (let k = n - 1; k >= 0 && wishes[k]!.run === wish.run && own(wishes[k]!); k -= 1) dropped.add(wishes[k]!);
  }
  return wishes.filter((wish) => !dropped.has(wish));
}
