/**
 * Ground that the network took for product and a minimum cut leaves there, since its outline would be long: between a
 * bag and its strap, between an arm and a shirt. It has the ground's colours, and no edge parts it from the ground.
 */
import { findRegions, keepWhere, threshold } from '../pixels/mask.ts';
import { makeMask, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';

const LIKE_GROUND = 3; // as a logarithm
const LEAST = 10; // pixels
const NEAR = 4; // pixels: so far around where they meet, pocket and ground are compared
const EDGE = 6; // of 255, distance in RGB: pocket and ground that differ by more are two things
const BARE = 0.1; // cover below which nothing is left to open
const ENOUGH = 0.5; // of a pocket's pixels must be like ground beyond doubt, or those alone are opened

const GROUND = 1;
const SPOT = 2;

/**
 * 1 where ground runs on into the product, unless somebody wants to keep it. `likelihood`: how much likelier the
 * product's colours make each pixel's, as a logarithm. All of one size.
 */
export function findPockets(picture: Rgb, cover: Plane, likelihood: Float32Array, kept: Mask): Mask {
  const product = threshold(cover, 0.5);
  const isLikeGround = (i: number) => likelihood[i]! <= -LIKE_GROUND;
  const sides = makeMask(cover);
  for (let i = 0; i < sides.data.length; i += 1) if (!product.data[i] && isLikeGround(i)) sides.data[i] = GROUND;
  const joined = makeMask(cover);
  for (const { pixels } of findRegions(keepWhere(product, isLikeGround))) {
    if (pixels.length < LEAST) continue;
    for (const i of pixels) sides.data[i] = SPOT;
    if (runsOn(picture, pixels, sides)) for (const i of pixels) joined.data[i] = 1;
    for (const i of pixels) sides.data[i] = 0;
  }
  const pockets = makeMask(cover);
  if (!joined.data.includes(1)) return pockets;
  for (const { pixels } of findRegions(keepWhere(threshold(cover, BARE), (i) => likelihood[i]! <= 0))) {
    if (!pixels.some((i) => joined.data[i]) || pixels.some((i) => kept.data[i])) continue;
    const isWhole = pixels.filter(isLikeGround).length >= ENOUGH * pixels.length;
    for (const i of pixels) pockets.data[i] = isWhole ? 1 : joined.data[i]!;
  }
  return pockets;
}

/** Whether a spot meets the ground somewhere, and has its colours there. */
function runsOn({ data }: Rgb, pixels: Int32Array, { width, height, data: sides }: Mask): boolean {
  const near = new Set<number>();
  for (const i of pixels) {
    const x = i % width;
    const y = (i - x) / width;
    const meets =
      (x > 0 && sides[i - 1] === GROUND) ||
      (x < width - 1 && sides[i + 1] === GROUND) ||
      sides[i - width] === GROUND ||
      sides[i + width] === GROUND;
    if (!meets) continue;
    for (let row = Math.max(0, y - NEAR); row <= Math.min(height - 1, y + NEAR); row += 1) {
      for (let column = Math.max(0, x - NEAR); column <= Math.min(width - 1, x + NEAR); column += 1)
        near.add(row * width + column);
    }
  }
  const means = [GROUND, SPOT].map((side) => {
    const some = [...near].filter((i) => sides[i] === side);
    return [0, 1, 2].map((c) => some.reduce((sum, i) => sum + data[i * 3 + c]!, 0) / some.length);
  });
  return Math.hypot(...[0, 1, 2].map((c) => means[0]![c]! - means[1]![c]!)) <= EDGE; // NaN where they do not meet
}
