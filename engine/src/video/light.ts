import type { Effect } from './canvas.ts';

const ON_PRODUCT = 0.3;
const ELSEWHERE = 0.05;
const SLANT = 0.45;
const REACH = 2.6; // sigmas
/** A Gaussian from its centre to REACH. */
const BELL = Float32Array.from({ length: 2048 }, (_, n) => Math.exp(-0.5 * ((REACH * n) / 2048) ** 2));

/** A band of light that travels once across the picture and is strongest on the product. */
export function makeSweep(): Effect {
  return {
    front: ({ width, height, y, alpha }, { t }) => {
      const sigma = 0.095 * width;
      const reach = REACH * sigma;
      const perPixel = BELL.length / (reach + 1);
      const run = Math.min(1, Math.max(0, (t - 0.02) / 0.94));
      const way = run + 0.05 * Math.sin(2 * Math.PI * run); // slower at the product
      const middle = -reach - SLANT * height + way * (width + 2 * reach + 2 * SLANT * height);
      for (let row = 0; row < height; row += 1) {
        const centre = middle + SLANT * (height - row) - SLANT * height * 0.5;
        const from = Math.max(0, Math.ceil(centre - reach));
        const to = Math.min(width, Math.floor(centre + reach));
        for (let x = from; x < to; x += 1) {
          const i = row * width + x;
          const bell = BELL[(Math.abs(x - centre) * perPixel) | 0]!;
          const old = y[i]!;
          // bright parts reflect more
          const shine = (ELSEWHERE + (ON_PRODUCT - ELSEWHERE) * alpha[i]!) * (0.45 + 0.55 * (old / 235));
          y[i] = old + bell * shine * (235 - old);
        }
      }
    },
  };
}
