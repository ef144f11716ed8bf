import { makeNoise } from '../pixels/noise.ts';
import type { Effect, Moment } from './effect.ts';
import { ease } from './moves.ts';
import { pointAt } from './pose.ts';
import type { Stage } from './stage.ts';
import { drawHaze } from './haze.ts';

const FADE_SECONDS = 1;
const THICKEST = 0.85; // of white

/** A wisp that rises from the product's top and loses itself: two clouds of noise that climb at different speeds. */
export function makeSteam(stage: Stage, seed: number): Effect {
  const noise = makeNoise(seed);
  const { width, height } = stage.frame;
  return {
    front: (canvas, moment) => {
      const { product } = stage;
      const top = product?.box.top ?? 0.5 * height;
      const tall = product ? product.box.bottom - top : 0.5 * height;
      const mouth = pointAt(
        stage,
        moment.pose,
        product ? (product.crown.left + product.crown.right) / 2 : width / 2,
        top,
      );
      const spread = Math.max(0.05 * width, product ? 0.42 * (product.crown.right - product.crown.left) : 0);
      const from = mouth.y + 0.14 * tall; // inside a cup's rim
      const rise = Math.max(0.45 * height, 0.9 * tall);
      const density = (x: number, y: number) => {
        const up = (from - y) / rise;
        if (up <= 0 || up >= 1) return 0;
        const v = (from - y) / (2.2 * spread);
        const drift = spread * (0.2 + 0.9 * up) * noise.at(1.1 * v - 0.55 * moment.seconds, 7.3);
        const off = (x - mouth.x - drift) / (spread * (0.55 + 0.6 * up));
        const body = Math.exp(-1.4 * off * off) * Math.min(1, 9 * up) * (1 - up) ** 0.9;
        const u = (x - mouth.x) / (1.5 * spread);
        const slow = noise.sum(u + (0.5 * drift) / spread, v - 0.5 * moment.seconds, 3);
        const quick = noise.sum(1.4 * u + 5, 1.2 * v - 0.8 * moment.seconds, 2);
        return THICKEST * fade(moment) * body * Math.min(1, Math.max(0, 0.6 + 0.9 * slow + 0.7 * quick));
      };
      const half = 2.6 * spread;
      drawHaze(canvas, { left: mouth.x - half, right: mouth.x + half, top: from - rise, bottom: from }, 4, density);
    },
  };
}

/** A bank that drifts along the floor, more of it behind the product than before it. */
export function makeFog(stage: Stage, seed: number): Effect {
  const noise = makeNoise(seed);
  const { width, height } = stage.frame;
  const floor = stage.product?.base ?? 0.82 * height;
  const density = (strength: number, shift: number, moment: Moment) => (x: number, y: number) => {
    const off = (y - floor) / (0.24 * height);
    const bank = off < 0 ? Math.exp(-1.6 * off * off) : Math.exp(-0.8 * off * off);
    const u = (2.2 * x) / width - 0.16 * moment.seconds + shift;
    const v = (3.6 * y) / height + shift;
    return fade(moment) * strength * bank * Math.max(0, 0.42 + 0.9 * noise.sum(u, v + 0.05 * moment.seconds, 4));
  };
  const band = { left: 0, right: width, top: floor - 0.5 * height, bottom: height };
  return {
    behind: (canvas, moment) => drawHaze(canvas, band, 8, density(0.75, 0, moment)),
    front: (canvas, moment) => drawHaze(canvas, band, 8, density(0.3, 9.3, moment)),
  };
}

function fade({ seconds }: Moment): number {
  return ease(Math.min(1, seconds / FADE_SECONDS));
}
