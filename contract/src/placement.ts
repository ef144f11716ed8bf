import { z } from 'zod';

const share = z.number().min(0).max(1);

/** Bottom centre of the product (shares of the frame), factor on its usual size, and degrees clockwise. */
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
 * A product's position in a finished scene: the placement that reproduces it, its `size` relative to that in its photo
 * (both as shares of their frames), and its bounding box: left, top, right, bottom in shares of the frame. The box
 * exceeds 0..1 where the frame cuts the product off.
 */
export const placedProductSchema = z.object({
  x: z.number(),
  y: z.number(),
  scale: z.number(),
  rotate: z.number(),
  size: z.number().positive(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
});
export type PlacedProduct = z.infer<typeof placedProductSchema>;
