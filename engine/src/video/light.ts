import { makeNoise } from '../pixels/noise.ts';
import type { Effect } from './effect.ts';
import { ease } from './moves.ts';
import { drawHaze } from './haze.ts';
import type { Stage } from './stage.ts';

const ON_PRODUCT = 0.3;
const ELSEWHERE = 0.05;
const SLANT = 0.45;
const REACH = 2.6; // sigmas
/** A Gaussian from its middle to its reach. */
const BELL = Float32Array.from({ length: 2048 }, (_, n) => Math.exp(-0.5 * ((REACH * n) / 2048) ** 2));

/** A band of light that travels once across the picture and catches on the product. */
export function makeSweep(): Effect {
  return {
    front: ({ width, height, y, cover }, { t }) => {
      const sigma = 0.095 * width;
      const reach = REACH * sigma;
      const perPixel = BELL.length / (reach + 1);
      const run = Math.min(1, Math.max(0, (t - 0.02) / 0.94));
      const way = run + 0.05 * Math.sin(2 * Math.PI * run); // takes its time where the product is
      const middle = -reach - SLANT * height + way * (width + 2 * reach + 2 * SLANT * height);
      for (let row = 0; row < height; row += 1) {
        const centre = middle + SLANT * (height - row) - SLANT * height * 0.5;
        const from = Math.max(0, Math.ceil(centre - reach));
        const to = Math.min(width, Math.floor(centre + reach));
        for (let x = from; x < to; x += 1) {
          const i = row * width + x;
          const bell = BELL[(Math.abs(x - centre) * perPixel) | 0]!;
          const old = y[i]!;
          // bright parts catch more
          const shine = (ELSEWHERE + (ON_PRODUCT - ELSEWHERE) * cover[i]!) * (0.45 + 0.55 * (old / 235));
          y[i] = old + bell * shine * (235 - old);
        }
      }
    },
  };
}

/** Beams from beyond the upper corner, slowly changing, before the backdrop and a breath of them before the product. */
export function makeRays({ frame: { width, height } }: Stage, seed: number): Effect {
  const noise = makeNoise(seed);
  const side = seed & 1 ? 1 : -1;
  const source = { x: width / 2 - side * 0.62 * width, y: -0.28 * height };
  const reach = 1.35 * Math.hypot(width, height);
  const density = (strength: number, seconds: number) => (x: number, y: number) => {
    const dx = x - source.x;
    const dy = y - source.y;
    const away = Math.hypot(dx, dy) / reach;
    const beam = noise.sum(9 * Math.atan2(dy, dx) + 0.06 * seconds, 0.22 * seconds, 2);
    return strength * Math.max(0, 0.35 + 1.1 * beam) * Math.max(0, 1 - away) ** 1.2;
  };
  const all = { left: 0, top: 0, right: width, bottom: height };
  const warm = [235, 122, 133] as const;
  const fade = (seconds: number) => ease(Math.min(1, seconds / 1.2));
  return {
    behind: (canvas, { seconds }) => drawHaze(canvas, all, 12, density(0.34 * fade(seconds), seconds), warm),
    front: (canvas, { seconds }) => drawHaze(canvas, all, 12, density(0.1 * fade(seconds), seconds), warm),
  };
}
