/** The card beside a cut-out network: what file it is, how to look with it, and what to believe of what it says. */
import { z } from 'zod';
import { BadNetwork } from './bad-network.ts';

export type Look = { side: number; mirrored: boolean };

/** Weights of measured figures, and a constant: value = constant + sum of weight × figure. */
export type Linear = { constant: number; weights: Record<string, number> };

export type Softness = { above: number; below: number; erosion: number; shareOf: number };

export type Card = {
  /** The network's, beside the card. */
  file: string;
  sha256: string;
  bytes: number;
  looks: readonly Look[];
  /** Side in pixels of the square at which looks are compared. */
  measuredAt: number;
  softness: Softness;
  /** Of a look's `agreement` and `softness`; the look with the highest value is used. */
  pick: Linear;
  /** Of the figures in SCORE_FIGURES; a picture above `refuseAbove` is refused. */
  score: Linear;
  refuseAbove: number;
};

const MOST_BYTES = 128_000_000;
const PICK_FIGURES = ['agreement', 'softness'];
const SCORE_FIGURES = [
  'softness of the pixelwise median of all looks',
  'softness of the chosen look',
  'mean softness',
  'mean agreement',
  'least agreement',
];
const SOFTNESS =
  /pixels with (\S+) < alpha < (\S+) that survive an erosion by (\d+)x\3, as a share of the pixels with alpha > (\S+)/;
const PICK = /^the look with the highest (.+)$/;

const side = z.number().int().min(32).max(1024).multipleOf(32);
const shape = z.object({
  file: z.string().regex(/^[\w.-]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive().max(MOST_BYTES),
  looks: z
    .array(z.object({ side, mirrored: z.boolean().default(false) }))
    .min(1)
    .max(16),
  measuredAt: side,
  softness: z.string().transform(readSoftness),
  pick: z.string().transform((text, context) => {
    const [, value] = PICK.exec(text) ?? [];
    return readLinear(value ?? '', PICK_FIGURES, context);
  }),
  score: z.string().transform((text, context) => readLinear(text, SCORE_FIGURES, context)),
  refuseAbove: z.number().positive(),
});

/** Reads and checks the text of a card. @throws BadNetwork */
export function readCard(text: string): Card {
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success) throw new BadNetwork(`the card of the network is wrong: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadNetwork('the card of the network is no JSON', { cause: error });
  }
}

function readSoftness(text: string, context: z.RefinementCtx): Softness {
  const [above, below, erosion, shareOf] = (SOFTNESS.exec(text) ?? []).slice(1).map(Number);
  const isRead = [above, below, erosion, shareOf].every((value) => Number.isFinite(value));
  if (isRead && above !== undefined && below !== undefined && erosion !== undefined && shareOf !== undefined) {
    return { above, below, erosion, shareOf };
  }
  context.addIssue('this way of measuring softness is not known');
  return z.NEVER;
}

/** Reads "softness of … + 1 - 2 * mean agreement". */
function readLinear(text: string, figures: readonly string[], context: z.RefinementCtx): Linear {
  const linear: Linear = { constant: 0, weights: {} };
  for (const [, sign, term = ''] of text.matchAll(/(^|[+-])\s*([^+-]+)/g)) {
    const [, number, figure] = /^([\d.]*)\s*\*?\s*(.*?)\s*$/.exec(term) ?? [];
    const weight = (sign === '-' ? -1 : 1) * (number ? Number(number) : 1);
    if (!figure) linear.constant += weight;
    else if (figures.includes(figure)) linear.weights[figure] = (linear.weights[figure] ?? 0) + weight;
    else context.addIssue(`"${figure}" is not known`);
  }
  if (Object.keys(linear.weights).length === 0) context.addIssue('names no figure that is known');
  return linear;
}

/** The value of a line of the card for these figures; NaN where it names one that is not there. */
export function evaluate({ constant, weights }: Linear, figures: Readonly<Record<string, number>>): number {
  let value = constant;
  for (const [name, weight] of Object.entries(weights)) value += weight * (figures[name] ?? NaN);
  return value;
}
