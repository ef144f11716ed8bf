import { readBrief, type BriefTerm } from '../scenes/brief.ts';
import type { Understood } from '../scenes/understood.ts';
import { quoteOrigin, type Translation } from './motion-terms.ts';

/** Letters of the text: [from, to). */
export type Stretch = { from: number; to: number };

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
const PACE =
  /\b(?:slow\w*|gent\w*|subtl\w*|soft(?:ly)?|calm\w*|gradual\w*|delicate\w*|fast\w*|dynamic\w*|quick\w*|rapid\w*|dramatic\w*)\b/g;
const WHOLE_TURN =
  /\ball (?:the way )?(?:a)?round\b|\b360(?: degrees?)?\b|\bfull(?:y|er)? (?:circle|turn|rotation|orbit)s?\b|\bcomplete(?:ly)?\b|\bhalf (?:a )?turns?\b|\b(?:back|other|far) side\b/g;
/** What something or someone would have to do that is not in the photo. */
const DEEDS =
  /\b(?:some(?:one|body)|a (?:man|woman|person|hand|model|girl|boy|child|dog|cat)|people|hands?|fingers?)\b|\bpick(?:s|ing|ed)?(?: \w+)? up\b|\b(?:open|clos|shut|unbox|unwrap|unfold|pour|drip|drink|eat|bit|cut|chop|hold|grab|lift|carr(?:y|i)|wear|tr(?:y|i)es? on|walk|run|danc|jump|talk|speak|smil|wav(?:e|ing) (?:at|to)|explod|shatter|break|burst|burn|melt|transform|morph|chang(?:e|es|ing) (?:colou?r|shape)|assembl|disappear|vanish|appear|multipl|fall(?:s|ing)? over|roll|bounc|fl(?:y|ies|ying) (?:away|off|in)|driv|fill|splash(?:es)? (?:out|over)|light(?:s)? up|switch|press|writ|typ)(?:s|es|e|ed|ing|ning|ting|ping|bing)?\b|\b(?:text|caption|music|voice|sound)s?\b/g;
const NEUTRAL =
  /\b(?:cameras?|videos?|clips?|films?|movies?|shots?|scenes?|footage|animat\w*|motions?|movements?|mov(?:e|es|ing)|loops?|seconds?|smooth\w*|cinematic|elegant\w*|effects?|product|ads?|commercial|promo\w*|show\w*|make\w*|creat\w*|reveal\w*|logos?|labels?|details?|front|please|everything|stay\w*|keep\w*|remain\w*|stands?|rests?|hot|cool|dreamy|magical|beautiful\w*|nice\w*|toward\w*|across|through|drift\w*|ris(?:e|es|ing)|fall(?:s|ing)?|glid\w*|swirl\w*|gleam\w*|winter|summer|spring|morning|evening)\b/g;
const TRIMMED =
  /^(?:(?:the|a|an|and|with|to|of|in|on|as|then|it|und|mit|die|der|das|y|con|et|avec|e|com|la|le|el|il|o)\s+)+|\s+(?:the|a|an|and|with|of|it|then)$/giu;

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
    const isWhole = heard.turns && find(WHOLE_TURN).length > 0;
    const camera = within(heard.camera);
    const shown = [...(isWhole ? [] : camera), ...within(heard.drawn)];
    const deeds = find(DEEDS).filter((deed) => !shown.some((one) => overlaps(one, deed)));
    const missing = [...(isWhole ? [...camera, ...find(WHOLE_TURN)] : []), ...within(heard.others), ...deeds];
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
  const { terms } = readBrief([PACE, WHOLE_TURN, NEUTRAL].reduce((text, words) => text.replace(words, blank), rest));
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

function join(stretches: Stretch[]): Stretch {
  return { from: Math.min(...stretches.map(({ from }) => from)), to: Math.max(...stretches.map(({ to }) => to)) };
}

function overlaps(one: Stretch, other: Stretch): boolean {
  return one.from < other.to && one.to > other.from;
}

function splitClauses(text: string): Stretch[] {
  const ends = findAll(text, CLAUSES);
  return [...ends, { from: text.length, to: text.length }].map(({ from }, n) => ({
    from: ends[n - 1]?.to ?? 0,
    to: from,
  }));
}

/** Every place of the text at which the words stand, whatever the flags of their pattern. */
export function findAll(text: string, words: RegExp): Stretch[] {
  return [...text.matchAll(new RegExp(words.source, 'g'))].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}
