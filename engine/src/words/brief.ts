/** What a scene prompt asks for: things, places, colours, light and sizes, and what it excludes. */
import { turnColour } from '../pixels/colour.ts';
import type { Language } from './vocabulary.ts';
import { ADJECTIVE_LAST, readWishes, SHADE_WORDS, type Wish } from './wishes.ts';

/** A request for something visible in the picture. */
export type BriefTerm = Wish & {
  /** For a colour: the part of the scene that it applies to. */
  paints?: 'wall' | 'surface';
  /** True for the colour of a thing in the scene: "pink roses". */
  isOfThing?: true;
  /** True if it only makes a colour lighter or darker: "dark green". */
  isShade?: true;
  /** Its part of the scene has another colour, which was said first. */
  isLate?: true;
};

export type Brief = {
  prompt: string;
  language: Language;
  terms: BriefTerm[];
  /** sRGB colours of the wall and of the surface under the product. */
  wall?: string;
  surface?: string;
  /** True if only a wall colour is requested ("navy background"): no furnished set. */
  wantsPlainWall: boolean;
  lightFrom?: 'left' | 'right';
  view?: 'above' | 'eye';
  size?: 'near' | 'far';
  /** The product's real size, by its name. */
  product?: 'small' | 'middle' | 'large' | 'flat';
};

/** Reads a prompt. */
export function readBrief(prompt: string): Brief {
  const { language, terms, wishes } = readWishes(prompt, 'scene');
  const brief: Brief = { prompt, language, terms: wishes, wantsPlainWall: false };
  for (const { kind, value, from } of terms) {
    if (kind === 'side') brief.lightFrom ??= value as 'left' | 'right';
    if (kind === 'view') brief.view ??= value as 'above' | 'eye';
    if (kind === 'size') brief.size ??= value as 'near' | 'far';
    const isProp = wishes.some((one) => one.from === from && one.kind === 'unknown');
    if (kind === 'product' && !isProp) brief.product ??= value as Brief['product'] & string;
  }
  paint(brief);
  return brief;
}

/** Assigns each colour to the part named beside it; free ones go to the wall, then to the surface. */
function paint(brief: Brief): void {
  const terms = brief.terms.filter(({ isUnwanted }) => !isUnwanted);
  const alone: Painted[] = [];
  for (const [n, term] of terms.entries()) {
    const hex = /#[0-9a-f]{6}/.exec(term.value)?.[0];
    if (!hex || (terms[n - 1]?.kind === 'colour' && terms[n - 1]!.run === term.run)) continue; // "sage green" is sage
    const ahead = findNoun(terms, n, 1);
    const back = ADJECTIVE_LAST.includes(brief.language) ? findNoun(terms, n, -1) : undefined; // "mesa blanca"
    const own = back && isPart(back) && !(ahead && isPart(ahead)) ? back : (ahead ?? back);
    const noun = isPart(term) ? term : own; // "a dark background" is a dark wall, not a dark time of day
    if (noun && !isPart(noun)) {
      term.isOfThing = true; // "pink roses" do not make a pink wall
      continue;
    }
    const mayBeThing = term.kind === 'thing' || term.value.endsWith('thing');
    if (!noun && mayBeThing) continue;
    const shade = [terms[n - 1], terms[n + 1]].find((one) => one?.run === term.run && Number(one.value));
    if (shade) shade.isShade = true;
    const colour = turnColour(hex, Number(shade?.value ?? 0));
    if (noun?.kind === 'wall' && noun.value.startsWith('plain')) brief.wantsPlainWall = true;
    if (noun) paintPart(brief, noun.kind as 'wall' | 'surface', { term, colour });
    else alone.push({ term, colour });
  }
  for (const one of alone) paintPart(brief, brief.wall === undefined ? 'wall' : 'surface', one);
}

type Painted = { term: BriefTerm; colour: string };

function paintPart(brief: Brief, part: 'wall' | 'surface', { term, colour }: Painted): void {
  brief[part] ??= colour;
  if (brief[part] === colour) term.paints = part;
  else term.isLate = true;
}

const isPart = ({ kind }: BriefTerm) => kind === 'wall' || kind === 'surface';

/** The noun that a colour belongs to, skipping other adjectives. */
function findNoun(terms: BriefTerm[], from: number, step: 1 | -1): BriefTerm | undefined {
  for (let n = from + step; terms[n]?.run === terms[from]!.run; n += step) {
    if (!SHADE_WORDS.includes(terms[n]!.kind)) return terms[n];
  }
  return undefined;
}
