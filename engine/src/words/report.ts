/** Reports which phrases of a prompt are drawn, in its own words. */
import type { Brief, BriefTerm } from './brief.ts';
import { lightOf } from '../pixels/colour.ts';
import type { Language } from './vocabulary.ts';
import type { Wish } from './wishes.ts';

/** At most MAX_PHRASES phrases each that are drawn and that are not, in the prompt's order and words. */
export type Understood = { understood: string[]; notDrawn: string[] };

/** Neutral words join their neighbours and are never reported alone. */
export type Verdict = 'shown' | 'missing' | 'neutral';
export type Judged = Pick<Wish, 'from' | 'to' | 'run' | 'clause'> & { verdict: Verdict };

const MAX_LENGTH = 80; // characters per phrase
const LITTLE = 0.1; // of a thing that is missing
const ASIDE = 0.4; // of a place that is missing: the weight of a missing accessory
const MAX_PHRASES = 200; // phrases: the server accepts no longer list, and no half of a surrogate pair

/** Joins neighbours with the same verdict in a run or clause: "velvet sofa", "slow turn to the left". */
export function report(prompt: string, language: Language, judged: Judged[], part: 'run' | 'clause'): Understood {
  const phrases: Judged[] = [];
  for (const wish of judged) {
    const last = phrases.at(-1);
    const isHalf = last?.from === wish.from; // part of the same word
    const goesOn = last?.verdict === wish.verdict || last?.verdict === 'neutral' || wish.verdict === 'neutral';
    if (last?.[part] !== wish[part] || !(isHalf || goesOn)) phrases.push({ ...wish });
    else {
      const isOpen = last.verdict === 'neutral' || (isHalf && last.verdict === 'shown' && wish.verdict !== 'neutral');
      Object.assign(last, { to: wish.to, verdict: isOpen ? wish.verdict : last.verdict });
    }
  }
  const tell = (wanted: Verdict) => {
    const own = phrases.filter(({ verdict }) => verdict === wanted);
    const cut = own.map(({ from, to }) => prompt.slice(from, Math.min(to, from + MAX_LENGTH)));
    const said = cut.map((phrase) => phrase.replace(/\p{Cs}/gu, '').trim());
    return [...new Set(language === 'de' ? said : said.map((phrase) => phrase.toLowerCase()))].slice(0, MAX_PHRASES);
  };
  return { understood: tell('shown'), notDrawn: tell('missing') };
}

/** A set's properties: words that select it, what it shows, and which parts can be recoloured. */
export type Shown = {
  /** From above there is one surface: it has the wall's colour, where there is one. */
  view: 'eye' | 'above';
  words: ReadonlySet<string>;
  shows: ReadonlySet<string>;
  tint: Record<'wall' | 'surface', boolean>;
  seen: { wall?: string; surface?: string };
};

const DARK = 0.12; // linear light below which a set is dark
/** Light that no dark set shows, however much it is brightened. */
const DAYLIGHT = ['bright', 'sunny', 'morning', 'afternoon'];

/** Reports which requests the plate shows. */
export function reportUnderstood(brief: Brief, plate: Shown): Understood {
  return report(brief.prompt, brief.language, judgeAll(brief, plate), 'run');
}

/** How much the plate does not show: light, style and accessories are little beside a place. */
export function weighMissing(brief: Brief, plate: Shown): number {
  const missing = judgeAll(brief, plate).filter(({ verdict }) => verdict === 'missing');
  const weigh = ({ kind, isAside }: BriefTerm) => (kind === 'light' || kind === 'style' ? LITTLE : isAside ? ASIDE : 1);
  return missing.reduce((sum, term) => sum + weigh(term), 0);
}

function judgeAll({ terms, wall, surface }: Brief, plate: Shown) {
  const isHidden = plate.view === 'above' && wall !== undefined && wall !== surface;
  const wanted = terms.filter(({ isUnwanted }) => !isUnwanted);
  return wanted.map((term) => {
    const isLate = term.isLate === true || (isHidden && term.paints === 'surface');
    return { ...term, verdict: judge(term, plate, isLate) };
  });
}

/** @param isLate where it would be, another colour is */
function judge({ kind, name, value, paints, isShade }: BriefTerm, plate: Shown, isLate: boolean): Verdict {
  if (kind === 'unknown') return 'missing';
  if (isShade) return 'neutral'; // reported with its colour
  if (kind === 'light') return DAYLIGHT.includes(name) && isNight(plate) ? 'missing' : 'shown';
  if (paints && !isLate && (plate.tint[paints] || plate.words.has(name))) return 'shown';
  if (plate.shows.has(name)) return 'shown';
  if (isLate) return 'missing';
  if (value === 'plain') return 'neutral'; // every scene has a background and a surface
  return (kind === 'style' || kind === 'colour') && plate.words.has(name) ? 'shown' : 'missing';
}

/** True if wall and floor are both dark. */
export function isDark({ seen: { wall, surface } }: Pick<Shown, 'seen'>): boolean {
  const parts = [wall, surface].filter((part) => part !== undefined);
  return parts.length > 0 && parts.every((part) => lightOf(part) < DARK);
}

/** True for a dark set. From above there is only a dark surface, in any light. */
function isNight(plate: Shown): boolean {
  const isByDay = DAYLIGHT.some((name) => plate.words.has(name) || plate.shows.has(name));
  return plate.view === 'eye' && isDark(plate) && !isByDay;
}
