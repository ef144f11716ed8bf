import type { Effect } from './effect.ts';
import { drawHaze } from './haze.ts';
import { pointAt } from './pose.ts';
import type { Stage } from './stage.ts';

const BLACK = [16, 128, 128] as const;

/** What a product that rises leaves on the floor: its own shadow, softer and paler the higher it is. */
export function makeHoverShadow(stage: Stage): Effect {
  const { product } = stage;
  if (!product) return {};
  return {
    behind: (canvas, { pose }) => {
      if (pose.lift <= 0) return;
      const down = { ...pose, lift: 0 };
      const left = pointAt(stage, down, product.foot.left, product.base);
      const right = pointAt(stage, down, product.foot.right, product.base);
      const middle = (left.x + right.x) / 2;
      const across = 0.55 * (right.x - left.x);
      const deep = 0.2 * across;
      const base = left.y - 0.8 * deep;
      const softness = 0.3 + (1.5 * pose.lift) / across;
      const dark = 0.5 * Math.min(1, pose.lift / 3) * Math.exp(-pose.lift / (0.6 * across));
      const box = {
        left: middle - 2 * across,
        right: middle + 2 * across,
        top: base - 3 * deep,
        bottom: base + 3 * deep,
      };
      const density = (x: number, y: number) => {
        const away = Math.hypot((x - middle) / across, (y - base) / deep);
        return dark / (1 + Math.exp((away - 1) / (0.35 * softness)));
      };
      drawHaze(canvas, box, 1, density, BLACK);
    },
  };
}
