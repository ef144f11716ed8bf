import type { Brief, BriefTerm } from './brief.ts';

/**
 * Phrases of the prompt that the picture shows, and those that it does not, in the order and the words of the prompt.
 */
export type Understood = { understood: string[]; notDrawn: string[] };

/** What a set says of itself: all that leads to it, what can be seen in it, and what of it takes a colour. */
export type Shown = {
  words: ReadonlySet<string>;
  shows: ReadonlySet<string>;
  tint: Record<'wall' | 'surface', boolean>;
};

type Verdict = 'shown' | 'missing' | 'neutral';

const LONGEST = 80; // characters of one phrase

/** Sorts what was asked for by what the plate shows of it. */
export function reportUnderstood(brief: Brief, plate: Shown): Understood {
  const report: Understood = { understood: [], notDrawn: [] };
  for (const phrase of joinPhrases(brief, plate)) {
    const text = brief.prompt.slice(phrase.from, phrase.to).slice(0, LONGEST).trim();
    const list = phrase.verdict === 'shown' ? report.understood : report.notDrawn;
    const said = brief.language === 'de' ? text : text.toLowerCase();
    if (!list.includes(said)) list.push(said);
  }
  return report;
}

type Phrase = { from: number; to: number; run: number; verdict: Verdict };

/** Neighbours of one verdict are one phrase: "velvet sofa", "mesa de madera". */
function joinPhrases(brief: Brief, plate: Shown): Phrase[] {
  const phrases: Phrase[] = [];
  for (const term of brief.terms) {
    if (term.isUnwanted) continue;
    const { from, to, run } = term;
    const verdict = judge(term, plate);
    const last = phrases.at(-1);
    if (last?.run !== run) phrases.push({ from, to, run, verdict });
    else if (last.from === from) last.verdict = last.verdict === 'shown' ? verdict : last.verdict; // halves of one word
    else if (last.verdict === verdict || verdict === 'neutral' || last.verdict === 'neutral') {
      last.to = to;
      if (last.verdict === 'neutral') last.verdict = verdict;
    } else phrases.push({ from, to, run, verdict });
  }
  return phrases.filter(({ verdict }) => verdict !== 'neutral');
}

function judge({ kind, name, value, paints, isShade }: BriefTerm, plate: Shown): Verdict {
  if (kind === 'unknown') return 'missing';
  if (isShade) return 'neutral'; // goes with its colour
  if (kind === 'light') return 'shown';
  if (paints && (plate.tint[paints] || plate.words.has(name))) return 'shown';
  if (plate.shows.has(name)) return 'shown';
  if (value === 'plain') return 'neutral'; // every scene has a background and a surface
  return (kind === 'style' || kind === 'colour') && plate.words.has(name) ? 'shown' : 'missing';
}
