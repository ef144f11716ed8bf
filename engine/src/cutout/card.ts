/** The card beside a cut-out network: what file it is, how to look with it, and what to believe of what it says. */
import { z } from 'zod';

const MOST_BYTES = 128_000_000;
const SCORE = 'softness of the result + 1 - mean agreement of the four looks';

const share = z.number().min(0).max(1);
/** Soft pixels lie between two levels and survive an erosion by a square of so many; a share of all above one level. */
const softness = z.object({ above: share, below: share, erosion: z.int().positive(), shareOf: share });
/** The box for the second passes: around parts of at least `least` of the largest, `looser` of the picture wider. */
const again = z.object({ least: share, looser: share });
/** Of every card: the network's file, beside the card. */
export const namedFile = { file: z.string().regex(/^[\w.-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) };
const side = z.number().int().min(32).max(1024).multipleOf(32);
/** What a card of our own network says; JSON. */
export const cardShape = z
  .object({
    ...namedFile,
    bytes: z.number().int().positive().max(MOST_BYTES),
    looks: z.array(z.object({ side })).min(1).max(8),
    /** Undefined where the first passes are the result. */
    again: again.optional(),
    /** Side in pixels of the square at which passes are compared. */
    measuredAt: side,
    softness,
    score: z.literal(SCORE),
    /** A score above it wants a person's yes. */
    askAbove: z.number().positive(),
  })
  .transform(({ looks, ...card }) => ({ ...card, sides: looks.map((look) => look.side) }));

/** `sides`: pixels of the squares that the picture is squeezed to, one pass each. */
export type Card = z.infer<typeof cardShape>;

/** Reads and checks the text of a card. @throws BadNetwork */
export const readCard = (text: string): Card => parseCard(cardShape, text);

/** What a card of this shape says. @throws BadNetwork */
export function parseCard<Read>(shape: z.ZodType<Read>, text: string): Read {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : 'it is no JSON';
    throw new BadNetwork(`the card of the network is wrong: ${why}`, { cause });
  }
}

/** A network or its card cannot be used; the message says why, for the operator. */
export class BadNetwork extends Error {
  override readonly name = 'BadNetwork';
}
