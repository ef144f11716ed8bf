import type { Effect, Moment } from './effect.ts';
import { ease } from './moves.ts';
import { pointAt } from './pose.ts';
import type { Stage } from './stage.ts';

const FLATTENED = 0.34; // circles on the floor, as the camera sees them
const RINGS_PER_SECOND = 0.8;

/** Rings of light and shade that run out from the product's foot, and a floor that wavers with them. */
export function makeWater(stage: Stage): Effect {
  const { width, height } = stage.frame;
  const length = 0.05 * Math.sqrt(width * height);
  return {
    shake: (canvasRow, { seconds, n }) => {
      const depth = stage.depths[canvasRow]!;
      if (depth <= 0.55) return 0;
      const swell = 0.0016 * width * Math.min(1, 3 * (depth - 0.55)) * ease(Math.min(1, n / 24));
      return swell * Math.sin(canvasRow / (0.3 * length) - 5 * seconds);
    },
    behind: (canvas, moment) => {
      const { product } = stage;
      const left = product && pointAt(stage, moment.pose, product.foot.left, product.base);
      const right = product && pointAt(stage, moment.pose, product.foot.right, product.base);
      const middle = left && right ? (left.x + right.x) / 2 : width / 2;
      const rim = left && right ? 0.45 * (right.x - left.x) : 0.1 * width;
      const base = left ? left.y - 0.5 * FLATTENED * rim : 0.8 * height;
      const strength = 0.13 * ease(Math.min(1, moment.n / 24));
      drawRings(canvas, { middle, base, rim, length, strength }, moment);
    },
  };
}

type Rings = Record<'middle' | 'base' | 'rim' | 'length' | 'strength', number>;

function drawRings(canvas: Parameters<NonNullable<Effect['behind']>>[0], rings: Rings, { seconds }: Moment): void {
  const { middle, base, rim, length, strength } = rings;
  const { width, height, y } = canvas;
  const reach = rim + 7 * length;
  const top = Math.max(0, Math.floor(base - FLATTENED * reach));
  for (let row = top; row < height; row += 1) {
    const dy = (row - base) / FLATTENED;
    for (let x = 0; x < width; x += 1) {
      const away = Math.hypot(x - middle, dy) - rim;
      if (away < -length || away > 7 * length) continue;
      const phase = 2 * Math.PI * (away / length - RINGS_PER_SECOND * seconds);
      const fall = Math.exp(-0.4 * Math.max(0, away / length)) * Math.min(1, 1 + away / length);
      const i = row * width + x;
      const slope = Math.sin(phase) + 0.35 * Math.sin(2 * phase + 1);
      y[i] = y[i]! * (1 + strength * fall * slope);
    }
  }
}
