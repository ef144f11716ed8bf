import { z } from 'zod';
import { MARKS_MAX_DOTS } from './limits.ts';

/** A user's marks on a picture, in shares (0 to 1) of the upright picture's width and height. */

const share = z.number().min(0).max(1);
/** x, y and radius of a brush dab; the radius is a share of the picture's longer side. */
const dotSchema = z.tuple([share, share, share.gt(0)]);
const dots = z.array(dotSchema).min(1).max(MARKS_MAX_DOTS);
/** Left, top, right, bottom. */
const boxSchema = z.tuple([share, share, share, share]);

/** At least one is present. `drop` overrides `keep`, and `box` overrides both. */
export const marksSchema = z
  .strictObject({
    box: boxSchema.refine(([left, top, right, bottom]) => left < right && top < bottom).optional(),
    keep: dots.optional(),
    drop: dots.optional(),
  })
  .refine(({ box, keep, drop }) => box !== undefined || keep !== undefined || drop !== undefined)
  .meta({ id: 'Marks' });
export type Marks = z.infer<typeof marksSchema>;

/** Response of `POST /api/v1/subject`: the product that the engine detects. `box` can be sent as marks. */
export const subjectSchema = z.object({
  sure: z.boolean(),
  box: boxSchema.nullable(),
  /** Points (x, y) along the outline. */
  outline: z
    .array(z.tuple([share, share]))
    .max(200)
    .nullable(),
});
export type Subject = z.infer<typeof subjectSchema>;

/** The probable product in a refused picture: its bounding box, shown to the user. */
export const candidateSchema = z.object({ box: boxSchema });
