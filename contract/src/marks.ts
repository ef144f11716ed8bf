import { z } from 'zod';
import { MARKS_MAX_DOTS } from './limits.ts';

/** What a person marked on a picture, in shares (0 to 1) of the upright picture's width and height. */

const share = z.number().min(0).max(1);
/** x, y and radius of a dab of the brush; the radius is a share of the picture's longer side. */
const dotSchema = z.tuple([share, share, share.gt(0)]);
const dots = z.array(dotSchema).min(1).max(MARKS_MAX_DOTS);
/** Left, top, right, bottom. */
const boxSchema = z.tuple([share, share, share, share]);

/** `drop` wins over `keep`, `box` over both; at least one of them is there. */
export const marksSchema = z
  .strictObject({
    box: boxSchema.refine(([left, top, right, bottom]) => left < right && top < bottom).optional(),
    keep: dots.optional(),
    drop: dots.optional(),
  })
  .refine(({ box, keep, drop }) => box !== undefined || keep !== undefined || drop !== undefined)
  .meta({ id: 'Marks' });
export type Marks = z.infer<typeof marksSchema>;

/** What the engine would take for the product, as `POST /api/v1/subject` answers it; `box` may be sent as marks. */
export const subjectSchema = z.object({
  sure: z.boolean(),
  box: boxSchema.nullable(),
  /** x and y of points along it. */
  outline: z
    .array(z.tuple([share, share]))
    .max(200)
    .nullable(),
});
export type Subject = z.infer<typeof subjectSchema>;

/** What a refused picture may be of: the box around it, to be shown to a person. */
export const candidateSchema = z.object({ box: boxSchema });
