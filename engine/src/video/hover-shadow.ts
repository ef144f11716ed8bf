import type { Effect } from './effect.ts';
import { pointAt } from './pose.ts';
import type { Stage } from './stage.ts';

/** What a product that rises leaves on the floor: its own shadow, softer and paler the higher it is. */
export function makeHoverShadow(stage: Stage): Effect {
  const { product } = stage;
  if (!product) return {};
  return {
    behind: ({ width, height, y, u, v }, { pose }) => {
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
      for (let row = Math.max(0, Math.floor(base - 3 * deep)); row < Math.min(height, base + 3 * deep); row += 1) {
        for (let x = Math.max(0, Math.floor(middle - 2 * across)); x < Math.min(width, middle + 2 * across); x += 1) {
          const away = Math.hypot((x - middle) / across, (row - base) / deep);
          const light = 1 - dark / (1 + Math.exp((away - 1) / (0.35 * softness)));
          const i = row * width + x;
          y[i] = 16 + (y[i]! - 16) * light;
          if ((x & 1) !== 0 || (row & 1) !== 0) continue;
          const j = (row >> 1) * (width >> 1) + (x >> 1);
          u[j] = 128 + (u[j]! - 128) * light;
          v[j] = 128 + (v[j]! - 128) * light;
        }
      }
    },
  };
}
