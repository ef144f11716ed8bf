/**
 * Fills what a plane does not know from what lies around it: a pyramid of weighted means, then down again (push-pull, Gortler et al.
 * 1996). A smooth membrane over gaps of any size, in time proportional to the picture.
 * @param plane width * height values; where `weight` is 0 they are not looked at
 * @param weight 0..1, how much each value is known
 * @returns a new plane that equals the old where weight is 1
 */
export function fillGaps(plane: Float32Array, weight: Float32Array, width: number, height: number): Float32Array {
  if (width <= 1 && height <= 1) return plane.slice();
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  const sums = new Float32Array(halfWidth * halfHeight);
  const weights = new Float32Array(halfWidth * halfHeight);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const known = weight[y * width + x]!;
      const at = (y >> 1) * halfWidth + (x >> 1);
      sums[at]! += known * plane[y * width + x]!;
      weights[at]! += known;
    }
  }
  for (let i = 0; i < sums.length; i += 1) if (weights[i]! > 0) sums[i]! /= weights[i]!;
  const coarse = fillGaps(
    sums,
    weights.map((known) => Math.min(1, known)),
    halfWidth,
    halfHeight,
  );
  return mixFromCoarse(plane, weight, coarse, width, height);
}

function mixFromCoarse(
  plane: Float32Array,
  weight: Float32Array,
  coarse: Float32Array,
  width: number,
  height: number,
): Float32Array {
  const out = new Float32Array(plane.length);
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  for (let y = 0; y < height; y += 1) {
    const near = (y >> 1) * halfWidth;
    const far = Math.min(halfHeight - 1, Math.max(0, (y >> 1) + (y & 1 ? 1 : -1))) * halfWidth;
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      const known = weight[i]!;
      if (known >= 1) {
        out[i] = plane[i]!;
        continue;
      }
      const column = x >> 1;
      const beside = Math.min(halfWidth - 1, Math.max(0, column + (x & 1 ? 1 : -1)));
      const around =
        0.5625 * coarse[near + column]! +
        0.1875 * (coarse[near + beside]! + coarse[far + column]!) +
        0.0625 * coarse[far + beside]!;
      out[i] = known === 0 ? around : known * plane[i]! + (1 - known) * around;
    }
  }
  return out;
}
