import { z } from 'zod';

const share = z.number().min(0).max(1);

/** The middle of the product's foot in shares of the frame, `scale` of the usual size, `rotate` degrees clockwise. */
export const placementSchema = z
  .strictObject({
    x: share.optional(),
    y: share.optional(),
    scale: z.number().min(0.25).max(4).optional(),
    rotate: z.number().min(-45).max(45).optional(),
  })
  .meta({ id: 'Placement' });
export type Placement = z.infer<typeof placementSchema>;

/**
 * How a product stands in a finished scene: the placement that puts it there, its size as times that in its photo (both
 * as shares of their frames), and the box around it: left, top, right, bottom in shares of the frame, beyond 0 and 1
 * where the frame cuts it off.
 */
export const standingSchema = z.object({
  x: z.number(),
  y: z.number(),
  scale: z.number(),
  rotate: z.number(),
  size: z.number().positive(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
});
export type Standing = z.infer<typeof standingSchema>;
