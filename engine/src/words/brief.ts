/** What a prompt asks for: the things and places it names, colours, light, sizes, and what it does not want. */
import { turnColour } from '../pixels/hex.ts';
import { readTerms, type Term } from './reader.ts';
import { putsAdjectiveLast, SEEN, type Language } from './vocabulary.ts';

/** A term that may be seen in the picture. */
export type BriefTerm = Term & {
  /** It only goes along: "a beach with palms" is a beach. */
  isAside: boolean;
  isUnwanted: boolean;
  /** Which stretch of the prompt it stands in; terms of one stretch with nothing between them are one phrase. */
  run: number;
  /** For a colour, the part of the scene that it is for. */
  paints?: 'wall' | 'surface';
  /** A colour that something in the scene has: "pink roses". */
  isOfThing?: true;
  /** It only makes a colour lighter or darker: "dark green". */
  isShade?: true;
};

export type Brief = {
  prompt: string;
  language: Language;
  terms: BriefTerm[];
  /** sRGB, for the wall and for the surface the product stands on. */
  wall?: string;
  surface?: string;
  /** The wall is asked for by colour alone ("navy background"): no furnished set. */
  wantsPlainWall: boolean;
  lightFrom?: 'left' | 'right';
  view?: 'above' | 'eye';
  size?: 'near' | 'far';
  /** How large the product is in the world, by its name. */
  product?: 'small' | 'middle' | 'large' | 'flat';
};

/** Share to black of words before a colour; below 0 to white. */
const SHADES: Record<string, number> = {
  dark: 0.5,
  deep: 0.6,
  light: -0.45,
  pale: -0.55,
  pastel: -0.5,
  'soft light': -0.3,
  bright: -0.1,
};
const SHOWN: readonly Term['kind'][] = [...SEEN, 'unknown'];
const PARTS: readonly Term['kind'][] = ['wall', 'surface'];
/** A head word behind one of these is the head of something that nobody here knows: "pet salon", "shoe store". */
const STRANGE: readonly Term['kind'][] = ['unknown', 'product'];
const SHADE_WORDS: readonly Term['kind'][] = ['style', 'light', 'colour'];

/** What the words ask for. */
export function readBrief(prompt: string): Brief {
  const { language, terms: all } = readTerms(prompt);
  const terms = selectTerms(all, prompt);
  const brief: Brief = { prompt, language, terms, wantsPlainWall: false };
  for (const { kind, value } of all) {
    if (kind === 'side') brief.lightFrom ??= value as 'left' | 'right';
    if (kind === 'view') brief.view ??= value as 'above' | 'eye';
    if (kind === 'size') brief.size ??= value as 'near' | 'far';
    if (kind === 'product') brief.product ??= value as Brief['product'] & string;
  }
  paint(brief);
  return brief;
}

type Segment = { opens: 'start' | 'at' | 'with' | 'for' | 'break'; terms: (BriefTerm & { isMine: boolean })[] };

/** The terms of a sentence without the product itself, which may be named but is there already. */
function selectTerms(terms: Term[], prompt: string): BriefTerm[] {
  const segments = splitSegments(terms, prompt);
  return segments.flatMap((segment, n) => {
    if (n === 0 && segments.length > 1 && isOfProduct(segment, segments[1]!)) return [];
    if (segment.opens === 'for' && segment.terms.some(({ kind }) => kind === 'product')) return [];
    return segment.opens === 'with' ? segment.terms : dropProducts(segment.terms);
  });
}

/** Clauses and their parts, by what opens each: "on marble | with roses | , | in the sun". */
function splitSegments(terms: Term[], prompt: string): Segment[] {
  const segments: Segment[] = [{ opens: 'start', terms: [] }];
  let [isDenied, isMine, isOfStranger, run] = [false, false, false, 0];
  const open = (opens: Segment['opens']) => {
    const isRefusedPlace = isDenied && opens !== 'break' && segments.at(-1)!.terms.length === 0; // "not in a forest"
    segments.push({ opens, terms: [] });
    isDenied = isRefusedPlace;
    isMine = false;
    run += 1;
  };
  for (const term of terms) {
    const { kind } = term;
    const last = segments.at(-1)!;
    if (kind === 'break' || kind === 'but') open('break');
    else if (kind === 'at' || kind === 'with' || kind === 'for') open(kind);
    else if (kind === 'no') {
      open(last.opens === 'start' && last.terms.length === 0 ? 'start' : 'break');
      isDenied = true;
    } else if (kind === 'without') {
      for (const earlier of last.terms) earlier.isUnwanted = true;
      open('break');
    } else if (kind === 'mine') isMine = true;
    else if (SHOWN.includes(kind)) {
      const before = last.terms.at(-1);
      const isStrange = isOfStranger || (term.value === 'head' && before?.run === run && STRANGE.includes(before.kind));
      const own = isStrange ? { kind: 'unknown' as const, name: prompt.slice(term.from, term.to), value: '' } : {};
      last.terms.push({ ...term, ...own, isAside: last.opens === 'with', isUnwanted: isDenied, isMine, run });
    } else if (kind !== 'of') run += 1;
    isOfStranger = kind === 'of' ? last.terms.at(-1)?.kind === 'unknown' : isOfStranger && SHOWN.includes(kind);
  }
  return segments.filter((segment, n) => n === 0 || segment.terms.length > 0);
}

/** "My blue mug on ...", "a candle on ...": the first part names what is sold when a place follows. */
function isOfProduct({ terms }: Segment, next: Segment): boolean {
  if (terms.some(({ isUnwanted }) => isUnwanted)) return false;
  if (terms.some(({ kind }) => kind === 'product')) return true;
  if (next.opens !== 'at') return false;
  return terms.some(({ isMine }) => isMine) || terms.some(({ kind, value }) => kind === 'thing' && value === 'sold');
}

/** Without products and the words that belong to them: "ceramic mug", "white cup". */
function dropProducts<T extends BriefTerm>(terms: T[]): T[] {
  const dropped = new Set<T>();
  for (const [n, term] of terms.entries()) {
    if (term.kind !== 'product') continue;
    dropped.add(term);
    for (let k = n - 1; k >= 0 && terms[k]!.run === term.run && !['style', 'light'].includes(terms[k]!.kind); k -= 1) {
      dropped.add(terms[k]!);
    }
  }
  return terms.filter((term) => !dropped.has(term));
}

/** Gives each colour the part it stands beside; one that stands alone is for the wall, a second one for the surface. */
function paint(brief: Brief): void {
  const terms = brief.terms.filter(({ isUnwanted }) => !isUnwanted);
  darken(brief, terms);
  for (const [n, term] of terms.entries()) {
    const hex = /^#[0-9a-f]{6}/.exec(term.value)?.[0];
    if (!hex || (terms[n - 1]?.kind === 'colour' && terms[n - 1]!.run === term.run)) continue; // "sage green" is sage
    const ahead = findNoun(terms, n, 1);
    const back = putsAdjectiveLast(brief.language) ? findNoun(terms, n, -1) : undefined;
    const noun = back && PARTS.includes(back.kind) && !(ahead && PARTS.includes(ahead.kind)) ? back : (ahead ?? back);
    if (noun && !PARTS.includes(noun.kind)) {
      term.isOfThing = true; // "pink roses" are no pink wall
      continue;
    }
    const mayBeThing = term.kind === 'thing' || term.value.endsWith('thing');
    const isFamily = terms[n + 1]?.kind === 'colour' && terms[n + 1]!.run === term.run;
    if (!noun && mayBeThing && !isFamily) continue;
    const part = noun ? (noun.kind as 'wall' | 'surface') : brief.wall === undefined ? 'wall' : 'surface';
    term.paints = part;
    if (part === 'wall' && noun?.value === 'plain') brief.wantsPlainWall = true;
    const shade = findShade(terms, n);
    if (shade) shade.isShade = true;
    brief[part] ??= turnColour(hex, SHADES[shade?.name ?? ''] ?? 0);
  }
}

const DARK = '#26262b';

/** "A dark background" is a dark wall and no dark hour, unless the words say its colour. */
function darken(brief: Brief, terms: BriefTerm[]): void {
  for (const [n, term] of terms.entries()) {
    const isColoured = terms.some(({ run, value }) => run === term.run && value.startsWith('#'));
    const noun = [terms[n + 1], terms[n - 1]].find((one) => one?.run === term.run && PARTS.includes(one.kind));
    if (term.kind !== 'light' || term.name !== 'dark' || isColoured || noun?.value !== 'plain') continue;
    term.paints = noun.kind as 'wall' | 'surface';
    term.kind = 'colour';
    brief[term.paints] ??= DARK;
    if (term.paints === 'wall') brief.wantsPlainWall = true;
  }
}

/** The noun that a colour belongs to, over other words of looks. */
function findNoun(terms: BriefTerm[], from: number, step: 1 | -1): BriefTerm | undefined {
  const { run } = terms[from]!;
  for (let n = from + step; terms[n]?.run === run; n += step) {
    if (!SHADE_WORDS.includes(terms[n]!.kind)) return terms[n];
  }
  return undefined;
}

function findShade(terms: BriefTerm[], n: number): BriefTerm | undefined {
  const beside = [terms[n - 1], terms[n + 1]];
  return beside.find((term) => term?.run === terms[n]!.run && SHADES[term.name] !== undefined);
}
