/** What a prompt asks of a clip: one camera and any number of effects, each a row of motion-rules.psv. */
import { reportMotion } from './motion-report.ts';
import { rules, wordsOf, type Rule } from './motion-rules.ts';
import type { Understood } from './scene-report.ts';
import { findAll, overlaps, type Stretch } from './stretch.ts';
import { translateMotion } from './translation.ts';

type Sides<Name extends string, Side extends string> = `${Name}-${Side}`;

/** Every camera move that words can ask for. */
export type CameraName =
  | 'push-in'
  | 'pull-out'
  | 'turn'
  | 'parallax'
  | 'handheld'
  | 'still'
  | Sides<'orbit' | 'pan' | 'truck' | 'turn', 'left' | 'right'>
  | Sides<'tilt' | 'crane', 'up' | 'down'>;

/** What can drift through the air. */
export type ParticleName =
  | 'snow'
  | 'rain'
  | 'petals'
  | 'leaves'
  | 'confetti'
  | 'dust'
  | 'bokeh'
  | 'bubbles'
  | 'sparkle';

/** Everything that words can add to a camera move. */
export type EffectName = ParticleName | 'sweep' | 'rays' | 'steam' | 'fog' | 'focus' | 'hover-shadow';

export type MotionPlan = Understood & {
  camera: CameraName;
  /** The product rises and sinks by itself. */
  floats: boolean;
  effects: EffectName[];
  /** Times the usual size of a move. */
  pace: number;
};

type Direction = 'left' | 'right' | 'up' | 'down';

const cameras = rules.filter(({ kind }) => kind === 'camera' || kind === 'move');
const effects = rules.filter(({ kind }) => kind === 'effect');
const has = (text: string, name: string) => findAll(text, wordsOf(name)).length > 0;

/**
 * Reads what a prompt of any of nine languages asks for; unknown words get a push-in with a sweep of light.
 * @param seed decides a side that is not named
 * @param hasProduct whether there is a product that can turn and float by itself
 */
export function readMotion(prompt: string, seed: number, hasProduct = true): MotionPlan {
  const translation = translateMotion(prompt);
  const { text } = translation;
  // Every replacement is as long as what it replaces: places in the text stay places in the prompt.
  const calmed = text.replace(wordsOf('calmed'), (found) => 'slow'.padEnd(found.length, 'x'));
  const wanted = dropNegated(calmed.replace(wordsOf('name'), (found) => 'x'.repeat(found.length)));
  const isStill = has(text, 'unmoved');
  const found = findCamera(wanted, seed);
  const named = effects.flatMap(({ words, name }) => findAll(wanted, words).map((at) => ({ ...at, name })));
  const shown = effects.map(({ name }) => name as EffectName).filter((one) => named.some(({ name }) => name === one));
  const float = hasProduct ? findFloat(wanted) : undefined;
  if (float) shown.unshift('hover-shadow');
  const isNothing = !found && shown.length === 0;
  const moved = found?.camera.startsWith('turn') && !hasProduct ? 'parallax' : found?.camera;
  const camera = isStill ? 'still' : (moved ?? 'push-in');
  const isFrozen = camera === 'still' && shown.length === 0;
  if (isNothing || isFrozen) shown.push('sweep', ...(isFrozen ? (['dust'] as const) : []));
  const isDrawn = found?.camera === camera;
  const told = reportMotion(prompt, translation, wanted, {
    camera: isDrawn ? found.words : [],
    others: found ? [...(isDrawn ? [] : found.words), ...findOtherCameras(wanted, found.words)] : [],
    drawn: [...named, ...(float ? [float] : []), ...findAll(text, wordsOf('unmoved'))],
    turns: camera.startsWith('orbit') || camera.startsWith('turn'),
  });
  return { camera, floats: float !== undefined, effects: shown, pace: readPace(wanted), ...told };
}

/** Takes out what stands behind "no", "without" or "not", as far as the clause goes. */
function dropNegated(text: string): string {
  const denial = /\b(?:no|not|without|don't|dont|do not|never|avoid|except)\b/g;
  const end = /[.,;:!?\n]| (?:but|just|only|with|and)\b/;
  let out = text;
  for (const { from, to } of findAll(text, denial)) {
    const reach = to + Math.min(40, text.slice(to).split(end)[0]!.length);
    out = out.slice(0, from) + ','.padEnd(reach - from) + out.slice(reach);
  }
  return out;
}

/** What the first words about the camera ask for, and where these words and those of its direction stand. */
type FoundCamera = { camera: CameraName; words: Stretch[] };

function findCamera(text: string, seed: number): FoundCamera | undefined {
  let first: (Stretch & { rule: Rule }) | undefined;
  for (const rule of cameras) {
    const match = matchCamera(text, rule);
    if (match && match.from < (first?.from ?? Infinity)) first = { ...match, rule };
  }
  if (!first) return undefined;
  const { from, to, rule } = first;
  const side = findDirection(text, from, to);
  return { camera: aim(rule.name, side?.direction, seed), words: [{ from, to }, ...(side ? [side] : [])] };
}

/** The camera of a row, to the side that is named, or one by the seed. */
function aim(name: string, named: Direction | undefined, seed: number): CameraName {
  if (name === 'turn') return named === 'left' || named === 'right' ? `turn-${named}` : 'turn';
  if (name === 'tilt' || name === 'crane') return `${name}-${named === 'down' ? 'down' : 'up'}`;
  if (name !== 'orbit' && name !== 'pan' && name !== 'truck') return name as CameraName;
  const side = named ?? (seed & 1 ? 'left' : 'right');
  return `${name}-${side === 'left' || side === 'up' ? 'left' : 'right'}`;
}

function matchCamera(text: string, { words, kind }: Rule): Stretch | undefined {
  const [match] = findAll(text, words);
  return match && !(kind === 'move' && has(wordsBefore(text, match.from, 3), 'airborne')) ? match : undefined;
}

/** Words that would move the camera in another way: there is one move in a clip. */
function findOtherCameras(text: string, own: Stretch[]): Stretch[] {
  return cameras.flatMap((rule) => {
    const at = matchCamera(text, rule);
    if (!at || own.some((one) => overlaps(one, at))) return [];
    return /[.,;:!?]|\b(?:and|then|while|after)\b/.test(text.slice(own[0]!.to, at.from)) ? [at] : [];
  });
}

const CLAUSE_END = /[.,;:!?\n]/;

type Side = Stretch & { direction: Direction };

/** In the words themselves, then in the seven that follow within the clause, then in the two before. */
function findDirection(text: string, from: number, to: number): Side | undefined {
  const clause = text.slice(to).split(CLAUSE_END)[0] ?? '';
  const after = clause.split(' ').slice(0, 8).join(' ');
  const before = from - wordsBefore(text, from, 2).length - 1;
  return pickSide(text, from, to) ?? pickSide(text, to, to + after.length) ?? pickSide(text, before, from);
}

/** The last words before a place, within its clause. */
function wordsBefore(text: string, at: number, count: number): string {
  const clause = text.slice(0, at).split(CLAUSE_END).at(-1) ?? '';
  return clause.trimEnd().split(' ').slice(-count).join(' ');
}

const GOAL = /\b(?:left|right) to (?:the )?(left|right)\b/;
const SIDES: [RegExp, Direction][] = [
  [/\b(?:left|clockwise)\b/, 'left'],
  [/\b(?:right|counter-?clockwise)\b/, 'right'],
  [/\bup(?:wards?)?\b/, 'up'],
  [/\b(?:down(?:wards?)?|descend\w*|lower\w*)\b/, 'down'],
];

function pickSide(text: string, from: number, to: number): Side | undefined {
  const start = Math.max(0, from);
  const part = text.slice(start, to);
  const at = (match: RegExpExecArray, direction: Direction): Side => {
    return { from: start + match.index, to: start + match.index + match[0].length, direction };
  };
  const goal = GOAL.exec(part);
  if (goal) return at(goal, goal[1] as Direction);
  const found = SIDES.flatMap(([words, direction]) => {
    const match = words.exec(part);
    return match ? [at(match, direction)] : [];
  });
  return found.sort((one, other) => one.from - other.from)[0];
}

/** "Floating dust" and "petals float by" say nothing about the product. */
function findFloat(text: string): Stretch | undefined {
  const [match] = findAll(text, wordsOf('float'));
  if (!match) return undefined;
  const after = text.slice(match.to).trimStart().split(' ')[0] ?? '';
  return has(wordsBefore(text, match.from, 3), 'airborne') || has(after, 'airborne') ? undefined : match;
}

function readPace(text: string): number {
  const [gentle, lively] = ['gentle', 'lively'].map((name) => findAll(text, wordsOf(name))[0]?.from ?? Infinity);
  if (gentle === lively) return 1;
  return gentle! < lively! ? 0.6 : 1.5;
}
