import type { Effect } from './effect.ts';
import { boxAt } from './pose.ts';
import type { Stage } from './stage.ts';

/** What a product that rises leaves on the floor: its own shadow, softer and paler the higher it is. */
export function makeHoverShadow(stage: Stage): Effect {
  const { product } = stage;
  if (!product) return {};
  return {
    behind: ({ width, height, y }, { pose }) => {
      const box = boxAt(stage, { ...pose, lift: 0 });
      if (!box || pose.lift <= 0) return;
      const middle = (box.left + box.right) / 2;
      const across = 0.44 * (box.right - box.left);
      const deep = 0.16 * across;
      const base = box.bottom - 0.8 * deep;
      const softness = 0.25 + (2 * pose.lift) / across;
      const dark = 0.42 * Math.min(1, pose.lift / 3) * Math.exp(-pose.lift / (0.5 * across));
      for (let row = Math.max(0, Math.floor(base - 3 * deep)); row < Math.min(height, base + 3 * deep); row += 1) {
        for (let x = Math.max(0, Math.floor(middle - 2 * across)); x < Math.min(width, middle + 2 * across); x += 1) {
          const away = Math.hypot((x - middle) / across, (row - base) / deep);
          const shade = dark / (1 + Math.exp((away - 1) / (0.35 * softness)));
          const i = row * width + x;
          y[i] = 16 + (y[i]! - 16) * (1 - shade);
        }
      }
    },
  };
}
