import { readBrief, type BriefTerm } from './brief.ts';
import { wordsOf } from './motion-rules.ts';
import type { Understood } from './scene-report.ts';
import { findAll, join, overlaps, type Stretch } from './stretch.ts';
import { quoteOrigin, type Translation } from './translation.ts';

export type Heard = {
  /** The words of the one camera move. */
  camera: Stretch[];
  /** Words of camera moves that are not made. */
  others: Stretch[];
  /** Words of everything else that is shown. */
  drawn: Stretch[];
  /** Whether the camera goes round the product, or the product turns: only some degrees of it. */
  turns: boolean;
};

const LONGEST = 80; // characters of one phrase
const CLAUSES = /[.,;:!?\n、。，；！？،؛؟]|\b(?:and|then|while|with|as|before|after|but)\b/g;
const PACE = new RegExp(`${wordsOf('gentle').source}|${wordsOf('lively').source}`, 'g');
const LEADING =
  'the a an and with to of in on as then it und mit die der das y con et avec e com la le el il o sich'.split(' ');
const TRAILING = 'the a an and with of it then'.split(' ');
const TRIMMED = new RegExp(`^(?:(?:${LEADING.join('|')})\\s+)+|\\s+(?:${TRAILING.join('|')})$`, 'giu');

/**
 * Sorts the phrases of the prompt, clause by clause; `wanted` is the text without what it does not want. The photo's
 * own scene stays: places, things and light that the words ask for are not drawn.
 */
export function reportMotion(prompt: string, translation: Translation, wanted: string, heard: Heard): Understood {
  const told: Understood = { understood: [], notDrawn: [] };
  const clauses = splitClauses(wanted);
  const strange = findStrange(wanted, clauses, heard);
  for (const clause of clauses) {
    const within = (stretches: Stretch[]) => stretches.filter((one) => overlaps(one, clause));
    const find = (words: RegExp) => within(findAll(wanted, words));
    const isWhole = heard.turns && find(wordsOf('whole')).length > 0;
    const camera = within(heard.camera);
    const shown = [...(isWhole ? [] : camera), ...within(heard.drawn)];
    const deeds = find(wordsOf('deed')).filter((deed) => !shown.some((one) => overlaps(one, deed)));
    const missing = [...(isWhole ? [...camera, ...find(wordsOf('whole'))] : []), ...within(heard.others), ...deeds];
    const pace = find(PACE);
    const isWholeClauseMissing = deeds.length > 0 && shown.length === 0;
    if (missing.length > 0) quote(told.notDrawn, isWholeClauseMissing ? [clause] : missing);
    if (shown.length > 0) quote(told.understood, missing.length > 0 ? shown : [...shown, ...pace]);
    else if (missing.length === 0 && pace.length > 0 && heard.camera.length > 0) quote(told.understood, pace);
    if (!isWholeClauseMissing) for (const phrase of within(strange)) quote(told.notDrawn, [phrase]);
  }
  return told;

  function quote(list: string[], stretches: Stretch[]): void {
    const { from, to } = join(stretches);
    const phrase = quoteOrigin(prompt, translation, from, to).replace(TRIMMED, '').slice(0, LONGEST).trim();
    if (phrase !== '' && !list.includes(phrase)) list.push(phrase);
  }
}

const LOOKS: readonly BriefTerm['kind'][] = ['light', 'colour', 'style', 'wall', 'surface'];

/**
 * Phrases of a scene, and words that neither clips nor scenes know; looks and deeds beside what is drawn go with it.
 */
function findStrange(wanted: string, clauses: Stretch[], { camera, others, drawn }: Heard): Stretch[] {
  const blank = (found: string) => ' '.repeat(found.length);
  const told = clauses.flatMap((clause) => {
    const own = [...camera, ...others, ...drawn].filter((one) => overlaps(one, clause));
    return own.length > 0 ? [join(own)] : [];
  });
  let rest = wanted.replace(/\bx+\b/g, blank).replace(CLAUSES, (found) => ','.padEnd(found.length));
  for (const { from, to } of told) rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to);
  const { terms } = readBrief(
    [PACE, wordsOf('whole'), wordsOf('neutral')].reduce((text, words) => text.replace(words, blank), rest),
  );
  const isBeside = ({ from, to }: Stretch, stretches: Stretch[]) =>
    stretches.some((one) => wanted.slice(to, one.from).trim() === '' && wanted.slice(one.to, from).trim() === '');
  return joinRuns(terms.filter(({ isUnwanted }) => !isUnwanted)).flatMap((run) => {
    const isDrawn = run.every(({ kind, value }) => kind === 'product' || value === 'plain');
    const areLooks = run.every(({ kind }) => LOOKS.includes(kind)) && isBeside(join(run), told);
    const isDeed = run.every(({ kind }) => kind === 'unknown') && isBeside(join(run), drawn);
    return isDrawn || areLooks || isDeed ? [] : [join(run)];
  });
}

/** Terms with nothing between them. */
function joinRuns(terms: BriefTerm[]): BriefTerm[][] {
  const runs = new Map<number, BriefTerm[]>();
  for (const term of terms) runs.set(term.run, [...(runs.get(term.run) ?? []), term]);
  return [...runs.values()];
}

function splitClauses(text: string): Stretch[] {
  const ends = findAll(text, CLAUSES);
  return [...ends, { from: text.length, to: text.length }].map(({ from }, n) => ({
    from: ends[n - 1]?.to ?? 0,
    to: from,
  }));
}
