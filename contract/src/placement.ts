import { z } from 'zod';

const share = z.number().min(0).max(1);

/**
 * Where the product stands in its scene: the middle of its foot in shares of the frame, `scale` times the size that
 * would have been chosen, `rotate` degrees clockwise.
 */
export const placementSchema = z.strictObject({
  x: share.optional(),
  y: share.optional(),
  scale: z.number().min(0.25).max(4).optional(),
  rotate: z.number().min(-45).max(45).optional(),
});
export type Placement = z.infer<typeof placementSchema>;
