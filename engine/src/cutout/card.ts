/** The card beside a cut-out network: what file it is, how to look with it, and what to believe of what it says. */
import { z } from 'zod';

const MOST_BYTES = 128_000_000;
const SCORE = 'softness of the result + 1 - mean agreement of the four looks';

const share = z.number().min(0).max(1);
/** Soft pixels lie between two levels of alpha and survive an erosion by a square of so many pixels; of all above one. */
const softness = z.object({ above: share, below: share, erosion: z.int().positive(), shareOf: share });
/** The box for the second passes: around parts of at least `least` of the largest, `looser` of the picture wider. */
const again = z.object({ least: share, looser: share });
const side = z.number().int().min(32).max(1024).multipleOf(32);
const shape = z
  .object({
    /** The network's, beside the card. */
    file: z.string().regex(/^[\w.-]+$/),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
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
export type Card = z.infer<typeof shape>;

/** Reads and checks the text of a card. @throws BadNetwork */
export const readCard = (text: string): Card => parseCard(shape, text);

/** What a card of this shape says. @throws BadNetwork */
export function parseCard<Shape extends z.ZodType>(cardShape: Shape, text: string): z.infer<Shape> {
  try {
    return cardShape.parse(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : 'it is no JSON';
    throw new BadNetwork(`the card of the network is wrong: ${why}`, { cause });
  }
}

/** A network or its card cannot be used; the message says why, for the operator. */
export class BadNetwork extends Error {
  override readonly name = 'BadNetwork';
}
