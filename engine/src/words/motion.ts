/** What a clip prompt asks for: one camera move and any number of effects, by the rows of `motion-words.psv`. */
import { report, type Judged, type Understood, type Verdict } from './report.ts';
import { isVisible, readWishes, type Wish } from './wishes.ts';

/** Every camera move and the sides it may take; the seed decides a side that is not named. */
const MOVES = {
  'push-in': [''],
  'pull-out': [''],
  parallax: [''],
  still: [''],
  turn: ['', '-left', '-right'],
  orbit: ['-right', '-left'],
  pan: ['-right', '-left'],
  crane: ['-up', '-down'],
} as const;
type MoveName = keyof typeof MOVES;
export type CameraName = { [Name in MoveName]: `${Name}${(typeof MOVES)[Name][number]}` }[MoveName];

/** Every effect, in drawing order. */
const EFFECTS = ['snow', 'rain', 'petals', 'leaves', 'confetti', 'sparkle', 'sweep'] as const;
export type EffectName = (typeof EFFECTS)[number];

export type MotionPlan = Understood & {
  camera: CameraName;
  effects: EffectName[];
  /** Factor of a move's usual size. */
  pace: number;
  /** True if a zoom was excluded: no move comes closer or goes back. */
  keepsSize?: true;
};

/**
 * Reads a prompt in any of nine languages. The default is a push-in with a sweep of light, unless the words exclude it.
 * @param seed decides a side that is not named
 * @param hasProduct true if there is a product that can turn by itself
 */
export function readMotion(prompt: string, seed: number, hasProduct = true): MotionPlan {
  const { language, wishes } = readWishes(prompt, 'clip');
  const wanted = wishes.filter(({ isUnwanted }) => !isUnwanted);
  const excluded = wishes.filter(({ isUnwanted }) => isUnwanted);
  const moves = findMoves(wanted);
  const requested = moves[0] && aim(moves[0], seed);
  const isExcluded = (name: MoveName) => findMoves(excluded).some((move) => move.name === name);
  const others = [requested ? 'parallax' : 'push-in', 'pan'] as const;
  const other = aim({ name: others.find((name) => !isExcluded(name)) ?? 'still' }, seed);
  const camera = requested && (hasProduct || !requested.startsWith('turn')) ? requested : other;
  const drawn = wanted.filter(({ kind, value }) => (kind === 'air' || kind === 'effect') && value !== '');
  const effects = EFFECTS.filter((name) => drawn.some(({ value }) => value === name));
  const isBare = excluded.some(({ kind, value }) => kind === 'effect' && (value === '' || value === 'sweep'));
  if (effects.length === 0 && !isBare && (!requested || camera === 'still')) effects.push('sweep');
  const keepsSize = isExcluded('push-in') && camera !== 'push-in' && camera !== 'pull-out';
  const pace = Number(wanted.find(({ kind }) => kind === 'pace')?.value ?? 1);
  const judged = judgeWishes(wanted, { moves, drawn, camera, isMade: requested === camera });
  const reported = report(prompt, language, judged, 'clause');
  return { camera, effects, pace, ...(keepsSize && { keepsSize }), ...reported };
}

/** True if the words describe drifting particles: "petals spinning". */
function describesParticles(wishes: Wish[], n: number): boolean {
  return wishes.some(({ kind, clause }, k) => k < n && kind === 'air' && clause === wishes[n]!.clause);
}

/** Requested events that cannot be drawn; "floating petals" and "petals float by" only ask for petals. */
function isUndrawn(wishes: Wish[], n: number): boolean {
  const [wish, next] = [wishes[n]!, wishes[n + 1]];
  if (wish.kind === 'air') return wish.value === '';
  return wish.kind === 'deed' && !(next?.kind === 'air' && next.run === wish.run) && !describesParticles(wishes, n);
}

/** A move and the words that name it. */
type Move = { name: MoveName; side?: string | undefined; words: Wish[] };

/** Moves in order of the words; without any, "all around" is a turn and "from left to right" a pan. */
function findMoves(wishes: Wish[]): Move[] {
  const moves = wishes.flatMap((_, n) => findMove(wishes, n) ?? []);
  const explicit = moves.filter(({ words }) => isMove(words[0]!));
  return explicit.length > 0 ? explicit : moves;
}

const isMove = ({ kind }: Wish) => kind === 'camera' || kind === 'move';

/** The move that a request names, with the direction after it in its sentence, or the side before it. */
function findMove(wishes: Wish[], n: number): Move | undefined {
  const wish = wishes[n]!;
  if (wish.kind !== 'camera' && describesParticles(wishes, n)) return undefined;
  const after = wishes.slice(n + 1);
  const end = after.findIndex((one) => one.sentence !== wish.sentence || (isMove(one) && moveOf(one)));
  const reach = after.slice(0, end < 0 ? undefined : end);
  const wayOf = ({ value }: Wish) => value.split(' ')[0]!;
  const way = reach.find((one) => wayOf(one) !== '' && moveOf(wish, wayOf(one)));
  const name = moveOf(wish, way && wayOf(way));
  const before = wishes.slice(0, n).filter(({ clause }) => clause === wish.clause);
  const side = [wish, ...reach, ...before.toReversed()].find(sideOf);
  return name && { name, side: side && sideOf(side), words: [wish, way, side].filter((one) => one !== undefined) };
}

/** Parses the table's meanings of a word, alone or with a direction: "=push-in out=pull-out". */
function moveOf({ value }: Wish, way = ''): MoveName | undefined {
  const entry = value.split(' ').find((one) => one.startsWith(`${way}=`));
  return entry?.split('=')[1] as MoveName | undefined;
}

/** The side that a word names, alone or with a move: "up =crane". */
const sideOf = ({ value }: Wish) => ['left', 'right', 'up', 'down'].find((side) => value.split(' ').includes(side));

/** The camera for a move to the named side. */
function aim({ name, side = '' }: Pick<Move, 'name' | 'side'>, seed: number): CameraName {
  const sides: readonly string[] = MOVES[name];
  const own = sides.find((one) => one === `-${side}`) ?? (sides.length === 2 ? sides[seed & 1] : '');
  return `${name}${own}` as CameraName;
}

const APPEARANCE_KINDS: readonly Wish['kind'][] = ['light', 'colour', 'style', 'wall', 'surface'];

type Interpretation = { moves: Move[]; drawn: Wish[]; camera: CameraName; isMade: boolean };

/**
 * Reports what is drawn. Only one move is made, only to sides that it has, and a turn only by some degrees. The photo's
 * own scene stays, so requested places, things and light are not drawn. Adjectives of what is drawn are not reported.
 */
function judgeWishes(wanted: Wish[], { moves: [first, ...others], drawn, camera, isMade }: Interpretation): Judged[] {
  const { name = '', words = [] } = first ?? {};
  const isInFirstClause = ({ clause }: Wish) => clause === words[0]?.clause;
  const whole = wanted.filter((one) => one.kind === 'whole' && isInFirstClause(one) && /^(?:orbit|turn)/.test(name));
  const later = others.filter((other) => other.name !== name).flatMap((other) => other.words);
  const own = [...words, ...whole];
  const isDone = isMade && whole.length === 0;
  const isWrongSide = (one: Wish) => !camera.endsWith(sideOf(one) ?? '');
  const shown = [...drawn, ...(isDone ? own.filter((one) => !isWrongSide(one)) : [])];
  const missing = [
    ...wanted.filter((_, n) => isUndrawn(wanted, n)),
    ...later.filter((one) => !isInFirstClause(one)),
    ...(isDone ? own.filter(isWrongSide) : own),
  ];
  const verdictOf = (wish: Wish): Verdict | undefined => {
    if (shown.includes(wish)) return 'shown';
    if (missing.includes(wish)) return 'missing';
    if (wish.kind === 'side' || wish.kind === 'way') return undefined;
    if (!isVisible(wish) || wish.kind === 'product' || wish.value === 'plain') return 'neutral';
    const isAppearance = APPEARANCE_KINDS.includes(wish.kind) || wish.value.startsWith('#');
    const leads = isAppearance ? [...shown, ...missing] : wish.kind === 'unknown' ? drawn : [];
    return leads.some(({ run }) => run === wish.run) ? undefined : 'missing';
  };
  return wanted.flatMap((wish) => {
    const verdict = verdictOf(wish);
    return verdict ? [{ ...wish, verdict }] : [];
  });
}
