import { makeNoise } from '../pixels/noise.ts';
import type { Effect, Moment } from './effect.ts';
import { ease } from './moves.ts';
import { boxAt } from './pose.ts';
import type { Stage } from './stage.ts';
import { drawVeil } from './veil.ts';

const FADE_SECONDS = 1;

/** A wisp that rises from the product's top and loses itself: two clouds of noise that climb at different speeds. */
export function makeSteam(stage: Stage, seed: number): Effect {
  const noise = makeNoise(seed);
  const { width, height } = stage.frame;
  return {
    front: (canvas, moment) => {
      const box = boxAt(stage, moment.pose) ?? {
        left: 0.3 * width,
        right: 0.7 * width,
        top: 0.55 * height,
        bottom: height,
      };
      const middle = (box.left + box.right) / 2;
      const rise = Math.max(0.22 * height, Math.min(0.5 * height, 0.85 * (box.bottom - box.top)));
      const spread = Math.max(0.06 * width, 0.26 * (box.right - box.left));
      const mouth = box.top + 0.05 * (box.bottom - box.top);
      const strength = 0.62 * fade(moment);
      const density = (x: number, y: number) => {
        const up = (mouth - y) / rise;
        if (up <= 0 || up >= 1) return 0;
        const bend = 0.45 * spread * up * noise.at(2.1 * up - 0.7 * moment.seconds, 7);
        const off = (x - middle - bend) / (spread * (0.42 + 0.75 * up));
        const body = Math.exp(-1.6 * off * off) * Math.min(1, 5 * up) * (1 - up) ** 1.3;
        const u = (x - middle) / spread;
        const v = (mouth - y) / spread;
        const slow = noise.sum(1.3 * u + 0.3 * v, 0.75 * v - 0.9 * moment.seconds, 3);
        const quick = noise.sum(1.9 * u + 5, 0.95 * v - 1.35 * moment.seconds, 3);
        return strength * body * Math.max(0, 0.28 + 0.75 * slow + 0.55 * quick);
      };
      const half = 2.2 * spread;
      drawVeil(canvas, { left: middle - half, right: middle + half, top: mouth - rise, bottom: mouth }, 4, density);
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
    behind: (canvas, moment) => drawVeil(canvas, band, 8, density(0.75, 0, moment)),
    front: (canvas, moment) => drawVeil(canvas, band, 8, density(0.3, 9.3, moment)),
  };
}

function fade({ seconds }: Moment): number {
  return ease(Math.min(1, seconds / FADE_SECONDS));
}
