/** From what a seller writes to what moves: one camera, any number of effects. */
import type { EffectName } from './effects.ts';
import type { Understood } from '../scenes/understood.ts';
import { translateMotion } from './motion-terms.ts';
import type { CameraName } from './moves.ts';
import { findAll, reportMotion, type Stretch } from './understood-motion.ts';

export type MotionPlan = Understood & {
  camera: CameraName;
  /** The product rises and sinks by itself. */
  floats: boolean;
  effects: EffectName[];
  /** Times the usual size of a move. */
  pace: number;
};

type Direction = 'left' | 'right' | 'up' | 'down';

type CameraRule = {
  words: RegExp;
  /** `direction` is the one named beside the words, or a chosen left or right. */
  camera: (direction: Direction, isNamed: boolean) => CameraName;
  /** Steam rises and petals spin too: then the camera is not meant. */
  isAlsoOfThings?: true;
};

const either =
  (name: 'orbit' | 'pan' | 'truck') =>
  (direction: Direction): CameraName =>
    direction === 'left' || direction === 'up' ? `${name}-left` : `${name}-right`;
const upright =
  (name: 'tilt' | 'crane') =>
  (direction: Direction): CameraName =>
    direction === 'down' ? `${name}-down` : `${name}-up`;

/** Where two rules match at the same place the earlier one stands. */
const CAMERA_RULES: CameraRule[] = [
  {
    words:
      /\b(?:zoom\w*|doll(?:y|ies)|mov(?:e|es|ing)|pull\w*|track\w*|step\w*|back\w*) (?:\w+ )?(?:out|back|away)\b|\breveal\w*|\bpullback\b|\bpull-?out\b/,
    camera: () => 'pull-out',
  },
  {
    words:
      /\bstatic\b|\bstationary\b|\btripod\b|\bmotionless\b|\block(?:ed)?[- ](?:off|down|camera|shot)\b|\b(?:fixed|still) (?:camera|shot|frame)\b|\bcamera (?:is |stays |remains )?(?:fixed|still)\b/,
    camera: () => 'still',
  },
  {
    words:
      /\bpan(?:s|ning|ned)?\b|\b(?:left to right|right to left)\b|\bslid(?:e|es|ing)\b|\b(?:camera|view|shot) (?:\w+ )?(?:moves?|moving|goes|glides?|drifts?) (?:\w+ ){0,3}(?:left|right)\b/,
    camera: either('pan'),
  },
  {
    words:
      /\btruck(?:s|ing)?\b|\btrack(?:s|ing)?\b|\bdoll(?:y|ies) (?:\w+ ){0,2}(?:left|right)\b|\bside(?:ways| to side)\b|\blateral\w*/,
    camera: either('truck'),
  },
  {
    words:
      /\borbit\w*|\barc(?:s|ing)?\b|\bcircl(?:e|es|ing)\b|\brevolv\w*|\b(?:mov\w+|go(?:es|ing)?|fl(?:y|ies|ying)|travel\w*|glid\w+|swing\w*|camera) (?:\w+ ){0,2}around\b|^\W*around\b|\baround (?:the|my|this|it)\b/,
    camera: either('orbit'),
    isAlsoOfThings: true,
  },
  {
    words: /\brotat\w*|\bspin\w*|\bturn(?:s|ing)?\b|\bturntable\b|\btwirl\w*|\b360\b|\blean\w*|\bsway\w*|\bswivel\w*/,
    camera: (direction, isNamed) =>
      isNamed && (direction === 'left' || direction === 'right') ? `turn-${direction}` : 'turn',
    isAlsoOfThings: true,
  },
  { words: /\btilt\w*/, camera: upright('tilt') },
  {
    words:
      /\bcrane\w*|\bpedestal\b|\bboom(?:s|ing)?\b|\bjib\b|\bris(?:e|es|ing)\b|\bascend\w*|\bdescend\w*|\blower(?:s|ing)\b|\b(?:camera|view|shot) (?:\w+ )?(?:moves?|moving|goes|glides?|drifts?) (?:\w+ ){0,2}(?:up|down)/,
    camera: upright('crane'),
    isAlsoOfThings: true,
  },
  { words: /\bhand-?held\b|\bshak(?:y|e|es|ing)\b|\bwobbl\w*|\bdocumentary\b/, camera: () => 'handheld' },
  {
    words:
      /\bzoom\w*(?: in)?\b|\bpush\w*(?: in)?\b|\bcloser\b|\bclose-?ups?\b|\bdoll(?:y|ies)\b|\bapproach\w*|\bmov(?:e|es|ing) (?:in|forward|towards?)\b/,
    camera: () => 'push-in',
  },
  {
    words: /\bparallax\b|\bken burns\b|\b3d\b|\bcinematic\b|\bdrift(?:s|ing)? (?:past|by)\b/,
    camera: () => 'parallax',
  },
];

const EFFECT_RULES: { words: RegExp; effect: EffectName }[] = [
  { words: /\bsnow\w*|\bflurr(?:y|ies)\b|\bblizzard\b/, effect: 'snow' },
  { words: /\brain(?:s|y|ing|drops?|fall)?\b|\bdrizzl\w*|\bdownpour\b/, effect: 'rain' },
  { words: /\bpetals?\b|\bblossoms?\b|\bsakura\b|\bflowers?\b/, effect: 'petals' },
  { words: /\bleaf\b|\bleaves\b|\bfoliage\b|\bautumn\w*/, effect: 'leaves' },
  { words: /\bconfetti\b|\bcelebrat\w*|\bparty\b|\bstreamers?\b/, effect: 'confetti' },
  { words: /\bdust\w*|\bmotes?\b|\bparticles?\b|\bpollen\b|\bfirefl(?:y|ies)\b/, effect: 'dust' },
  { words: /\bbokeh\b|\b(?:fairy|city|blurr(?:ed|y)|christmas|string) lights\b/, effect: 'bokeh' },
  { words: /\bbubbl\w*|\bfizz\w*|\bsoap\b|\bfoam\w*/, effect: 'bubbles' },
  { words: /\bsparkl\w*|\btwinkl\w*|\bglitter\w*|\bmagic\w*|\bstars?\b/, effect: 'sparkle' },
  { words: /\bsteam\w*|\bvapou?r\w*|\bsmok(?:e|es|ing|y)\b/, effect: 'steam' },
  { words: /\bfog\w*|\bmist\w*|\bhaz(?:e|y)\b|\bclouds?\b/, effect: 'fog' },
  { words: /\bwater\w*|\brippl\w*|\bwaves?\b|\bsplash\w*|\bpuddle\b/, effect: 'water' },
  {
    words: /\b(?:sun ?|god ?|light )?rays?\b|\bsunbeams?\b|\bsunlight\b|\bsunshine\b|\bsunny\b|\bbeams?\b/,
    effect: 'rays',
  },
  { words: /\bfocus\w*|\bdepth of field\b|\bblur\w* background\b|\bbackground blur\w*/, effect: 'focus' },
  {
    words:
      /\bsweep\w*|\bshin(?:e|es|ing|y)\b|\bglint\w*|\bgleam\w*|\bshimmer\w*|\bgloss\w*|\bhighlights?\b|\blight(?:ing)?\b(?! (?:snow|rain|dust|steam|smoke|fog|mist|haze|breeze|wind|rays?|beams?))/,
    effect: 'sweep',
  },
];

const AIRBORNE =
  /\b(?:snow\w*|petals?|blossoms?|leaf|leaves|confetti|dust|motes?|particles?|pollen|bubbles?|smoke|steam|mist|fog|clouds?|lights?|bokeh)\b/;
const FLOAT = /\bfloat\w*|\bhover\w*|\blevitat\w*|\bweightless\w*|\bbob(?:s|bing)\b/;
const GENTLE = /\bslow\w*|\bgent\w*|\bsubtl\w*|\bsoft(?:ly)?\b|\bcalm\w*|\bgradual\w*|\bdelicate\w*/;
const LIVELY = /\bfast\w*|\bdynamic\w*|\bquick\w*|\brapid\w*|\benerg\w*|\bdramatic\w*|\bbold\w*/;
/** What only sounds like an effect: the kind of a thing, or its colour. */
const NAMES =
  /\bwater[- ]?(?:bottle|proof\w*|resistant|melon|colou?r|glass|jug|pitcher|can)s?\b|\b(?:snow|frost)[- ]?white\b|\b(?:dust|smoke|bubble|fog)[- ](?:free|proof|bag|wrap)\b|\b(?:petal|leaf|light|bright) (?:pink|green|blue|gr[ea]y|brown|beige|yellow|purple|red|oak|wood\w*|walls?|background|colou?r\w*)\b|\bwaves? of\b|\bwavy\b|\bsteam iron\b|\brain ?(?:coat|jacket|boot)s?\b|\bleaves the\b|\blight ?weight\b/g;
const NOT_SO = /\bnot (?:too|so|very|that) (?:fast|quick|rapid|wild|dynamic)\w*/g;
const NO_MOTION =
  /\b(?:no|without|zero)(?: any)? (?:camera )?(?:motion|movement|moves?)\b|\b(?:do not|don't|dont) move\b/;

/**
 * Reads what a prompt of any of nine languages asks for; unknown words get a push-in with a sweep of light.
 * @param seed decides a side that is not named
 * @param hasProduct whether there is a product that can turn and float by itself
 */
export function readMotion(prompt: string, seed: number, isCameraFixed: boolean, hasProduct = true): MotionPlan {
  const translation = translateMotion(prompt);
  const { text } = translation;
  // Every replacement is as long as what it replaces: places in the text stay places in the prompt.
  const wanted = dropNegated(
    text
      .replace(NOT_SO, (found) => 'slow'.padEnd(found.length, 'x'))
      .replace(NAMES, (found) => 'x'.repeat(found.length)),
  );
  const isStill = isCameraFixed || NO_MOTION.test(text);
  const found = findCamera(wanted, seed);
  const named = EFFECT_RULES.flatMap(({ words, effect }) => findAll(wanted, words).map((at) => ({ ...at, effect })));
  const effects = EFFECT_RULES.map(({ effect }) => effect).filter((one) => named.some(({ effect }) => effect === one));
  const float = hasProduct ? findFloat(wanted) : undefined;
  if (float) effects.unshift('hover-shadow');
  const isNothing = !found && effects.length === 0;
  const moved = found?.camera.startsWith('turn') && !hasProduct ? 'parallax' : found?.camera;
  const camera = isStill ? 'still' : (moved ?? 'push-in');
  const isFrozen = camera === 'still' && effects.length === 0;
  if (isNothing || isFrozen) effects.push('sweep', ...(isFrozen ? (['dust'] as const) : []));
  const isDrawn = found?.camera === camera;
  const told = reportMotion(prompt, translation, wanted, {
    camera: isDrawn ? found.words : [],
    others: found ? [...(isDrawn ? [] : found.words), ...findOtherCameras(wanted, found)] : [],
    drawn: [...named, ...(float ? [float] : []), ...findAll(text, NO_MOTION)],
    turns: camera.startsWith('orbit') || camera.startsWith('turn'),
  });
  return { camera, floats: float !== undefined, effects, pace: readPace(wanted), ...told };
}

/** Takes out what stands behind "no", "without" or "not", as far as the clause goes. */
function dropNegated(text: string): string {
  const unwanted =
    /\b(?:no|not|without|don't|dont|do not|never|avoid|except)\b(?:(?! (?:but|just|only|with|and)\b)[^.,;:!?\n]){0,40}/g;
  return text.replace(unwanted, (found) => ','.padEnd(found.length));
}

/** What the first words about the camera ask for, and where these words and those of its direction stand. */
type FoundCamera = { camera: CameraName; words: Stretch[] };

function findCamera(text: string, seed: number): FoundCamera | undefined {
  let first: (Stretch & { rule: CameraRule }) | undefined;
  for (const rule of CAMERA_RULES) {
    const match = matchCamera(text, rule);
    if (match && match.from < (first?.from ?? Infinity)) first = { ...match, rule };
  }
  if (!first) return undefined;
  const { from, to, rule } = first;
  const side = findDirection(text, from, to);
  const camera = rule.camera(side?.direction ?? (seed & 1 ? 'left' : 'right'), side !== undefined);
  return { camera, words: [{ from, to }, ...(side ? [side] : [])] };
}

function matchCamera(text: string, { words, isAlsoOfThings }: CameraRule): Stretch | undefined {
  const [match] = findAll(text, words);
  return match && !(isAlsoOfThings && AIRBORNE.test(wordsBefore(text, match.from, 3))) ? match : undefined;
}

/** Words that would move the camera in another way: there is one move in a clip. */
function findOtherCameras(text: string, { words }: FoundCamera): Stretch[] {
  const isOwn = (one: Stretch) => words.some(({ from, to }) => one.from < to && one.to > from);
  return CAMERA_RULES.flatMap((rule) => {
    const stretch = matchCamera(text, rule);
    return stretch &&
      !isOwn(stretch) &&
      /[.,;:!?]|\b(?:and|then|while|after)\b/.test(text.slice(words[0]!.to, stretch.from))
      ? [stretch]
      : [];
  });
}

const CLAUSE_END = /[.,;:!?\n]/;

type Side = Stretch & { direction: Direction };

/** In the words themselves, then in the seven that follow within the clause, then in the two before. */
function findDirection(text: string, from: number, to: number): Side | undefined {
  const own = pickDirection(text, from, to);
  if (own) return own;
  const clause = text.slice(to).split(CLAUSE_END)[0] ?? '';
  const after = clause.split(' ').slice(0, 8).join(' ');
  return (
    pickDirection(text, to, to + after.length) ??
    pickDirection(text, from - wordsBefore(text, from, 2).length - 1, from)
  );
}

/** The last words before a place, within its clause. */
function wordsBefore(text: string, at: number, count: number): string {
  const clause = text.slice(0, at).split(CLAUSE_END).at(-1) ?? '';
  return clause.trimEnd().split(' ').slice(-count).join(' ');
}

function pickDirection(text: string, from: number, to: number): Side | undefined {
  const part = text.slice(Math.max(0, from), to);
  const at = (match: RegExpExecArray, direction: Direction): Side => {
    const start = Math.max(0, from) + match.index;
    return { from: start, to: start + match[0].length, direction };
  };
  const goal = /\b(?:left|right) to (?:the )?(left|right)\b/.exec(part);
  if (goal) return at(goal, goal[1] === 'left' ? 'left' : 'right');
  const match = /\b(left|right|up|down|upwards?|downwards?|counter-?clockwise|clockwise|descend\w*|lower\w*)\b/.exec(
    part,
  );
  if (!match) return undefined;
  const word = match[0];
  if (word === 'left' || word === 'clockwise') return at(match, 'left');
  if (word === 'right' || word.startsWith('counter')) return at(match, 'right');
  return at(match, word.startsWith('up') ? 'up' : 'down');
}

/** "Floating dust" and "petals float by" say nothing about the product. */
function findFloat(text: string): Stretch | undefined {
  const [match] = findAll(text, FLOAT);
  if (!match) return undefined;
  const after = text.slice(match.to).trimStart().split(' ')[0] ?? '';
  const isOfThings = AIRBORNE.test(wordsBefore(text, match.from, 3)) || AIRBORNE.test(after);
  return isOfThings ? undefined : match;
}

function readPace(text: string): number {
  const gentle = GENTLE.exec(text)?.index ?? Infinity;
  const lively = LIVELY.exec(text)?.index ?? Infinity;
  if (gentle === lively) return 1;
  return gentle < lively ? 0.6 : 1.5;
}
