/** The card of a cut-out network: its file, how to run it, and how to judge its confidence. */
import { z } from 'zod';

/** Soft pixels: alpha between `above` and `below`, and left after an erosion by a square of `erosion` pixels. */
export type Softness = { above: number; below: number; erosion: number; shareOf: number };

/** The box of the second passes: of parts above `minShare` of the largest, padded by `padding` of the picture. */
export type SecondPass = { minShare: number; padding: number };

const MAX_BYTES = 128_000_000;
const NUMBER = '(\\d*\\.?\\d+)';
const SOFTNESS = new RegExp(
  `${NUMBER} < alpha < ${NUMBER} that survive an erosion by (\\d+)x\\3, .*alpha > ${NUMBER}$`,
);
const SECOND_PASS = new RegExp(`at least ${NUMBER} of the largest .*, ${NUMBER} % of the picture looser`);
const SCORE = /^softness of the result \+ 1 - mean agreement of the \w+ looks$/;

const softness = z.string().regex(SOFTNESS, 'this way of measuring softness is not known').transform(readSoftness);
const again = z.string().regex(SECOND_PASS, 'this way of looking again is not known').transform(readSecondPass);
/** Fields of every card: the network's file, in the card's folder. */
export const namedFile = { file: z.string().regex(/^[\w.-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) };
const side = z.number().int().min(32).max(1024).multipleOf(32);
/** The card of our own network. */
export const cardShape = z
  .object({
    ...namedFile,
    bytes: z.number().int().positive().max(MAX_BYTES),
    looks: z.array(z.object({ side })).min(1).max(8),
    /** Undefined if there are no second passes. */
    again: again.optional(),
    /** Side in pixels of the square at which passes are compared. */
    measuredAt: side,
    softness,
    score: z.string().regex(SCORE, 'this score is not known'),
    /** With a score above it the user is asked to confirm the candidate. */
    askAbove: z.number().positive(),
  })
  .transform(({ looks, ...card }) => ({ ...card, sides: looks.map((pass) => pass.side) }));

/** `sides`: the picture is resized to a square of each side in pixels, one inference pass per side. */
export type Card = z.infer<typeof cardShape>;

/** Parses and validates a card. @throws BadNetwork */
export const readCard = (text: string): Card => parseCard(cardShape, text);

/** Parses a card by its schema. @throws BadNetwork */
export function parseCard<Read>(shape: z.ZodType<Read>, text: string): Read {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    const details = cause instanceof z.ZodError ? z.prettifyError(cause) : 'it is no JSON';
    throw new BadNetwork(`the card of the network is wrong: ${details}`, { cause });
  }
}

function readSoftness(text: string): Softness {
  const [above, below, erosion, shareOf] = readNumbers(SOFTNESS, text);
  return { above: above!, below: below!, erosion: erosion!, shareOf: shareOf! };
}

function readSecondPass(text: string): SecondPass {
  const [minShare, percent] = readNumbers(SECOND_PASS, text);
  return { minShare: minShare!, padding: percent! / 100 };
}

const readNumbers = (pattern: RegExp, text: string) => pattern.exec(text)!.slice(1).map(Number);

/** A network or its card cannot be used. The message tells the operator why. */
export class BadNetwork extends Error {
  override readonly name = 'BadNetwork';
}
