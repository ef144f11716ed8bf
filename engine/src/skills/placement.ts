import { z } from 'zod';
import type { Placement } from '../scenes/frame.ts';

/** Where the product shall stand, as a sender says it: shares of the frame, a factor, and degrees clockwise. */
export const placementSchema = z.strictObject(
  {
    x: z.number().min(0).max(1).optional(),
    y: z.number().min(0).max(1).optional(),
    scale: z.number().min(0.25).max(4).optional(),
    rotate: z.number().min(-45).max(45).optional(),
  },
  'The placement could not be understood.',
);

/** A placement as it was sent; undefined where it is none: members out of range, of another kind, or unknown. */
export function readPlacement(value: unknown): Placement | undefined {
  const { data } = placementSchema.safeParse(value);
  return data as Placement | undefined; // JSON holds no member that is undefined
}
