/**
 * How near each row of the canvas is, for a camera that looks at a thing standing on a floor before a backdrop.
 * 1 is the product's distance, 0.3 the backdrop's: shifts and growth of a row follow this number.
 */
export const BACKDROP_DEPTH = 0.3;
/** Of a picture without a product, which is flat. */
export const FLAT_DEPTH = 0.6;
const NEAREST = 1.5;

/** The rows that the depth depends on, in canvas pixels. */
export type DepthRows = {
  /** Where the product's foot touches the floor. */
  base: number;
  /** The lowest row of anything that belongs to the product: a strap lies in front of the foot. */
  bottom: number;
  productHeight: number;
};

/** One depth per canvas row. A floor's depth is linear in the picture's rows: straight lines on it stay straight. */
export function layDepths(
  height: number,
  { base, bottom, productHeight }: DepthRows,
  frameHeight: number,
): Float64Array {
  const depths = new Float64Array(height);
  const foot = base - 0.04 * productHeight; // the rows of the foot itself are one depth: it must not be sheared
  const wall = base - 0.7 * productHeight - 0.08 * frameHeight;
  const slope = (1 - BACKDROP_DEPTH) / (foot - wall);
  for (let row = 0; row < height; row += 1) {
    const floor = row > bottom ? 1 + slope * (row - bottom) : 1 - slope * Math.max(0, foot - row);
    depths[row] = Math.min(NEAREST, Math.max(BACKDROP_DEPTH, floor));
  }
  return depths;
}
