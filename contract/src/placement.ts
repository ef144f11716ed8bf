import { z } from 'zod';

const share = z.number().min(0).max(1);

/** The middle of the product's foot in shares of the frame, `scale` of the usual size, `rotate` degrees clockwise. */
export const placementSchema = z.strictObject({
  x: share.optional(),
  y: share.optional(),
  scale: z.number().min(0.25).max(4).optional(),
  rotate: z.number().min(-45).max(45).optional(),
});
export type Placement = z.infer<typeof placementSchema>;
