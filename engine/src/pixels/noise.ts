import { makeRandom } from './random.ts';

/** Smooth noise about -1..1 over the plane, and sums of it. */
export type Noise = {
  at: (x: number, y: number) => number;
  /** Fractal sum of octaves, about -1..1. */
  sum: (x: number, y: number, octaves: number) => number;
};

const LACUNARITY = 2.03;

/** Smooth noise that is the same for the same seed. */
export function makeNoise(seed: number): Noise {
  const random = makeRandom(seed);
  const order = Uint8Array.from({ length: 256 }, (_, n) => n);
  for (let n = 255; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [order[n], order[other]] = [order[other]!, order[n]!];
  }
  const hash = (x: number, y: number) => order[(order[x & 255]! + y) & 255]!;
  const slope = (x: number, y: number, dx: number, dy: number) => {
    const angle = (hash(x, y) / 256) * 2 * Math.PI;
    return Math.cos(angle) * dx + Math.sin(angle) * dy;
  };
  const at = (x: number, y: number) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const dx = x - left;
    const dy = y - top;
    const u = ease(dx);
    const v = ease(dy);
    const upper = slope(left, top, dx, dy) * (1 - u) + slope(left + 1, top, dx - 1, dy) * u;
    const lower = slope(left, top + 1, dx, dy - 1) * (1 - u) + slope(left + 1, top + 1, dx - 1, dy - 1) * u;
    return (upper * (1 - v) + lower * v) * 1.4;
  };
  const sum = (x: number, y: number, octaves: number) => {
    let value = 0;
    let weight = 0.5;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave += 1) {
      value += weight * at(x * scale + octave * 17.3, y * scale - octave * 9.1);
      weight *= 0.5;
      scale *= LACUNARITY;
    }
    return value;
  };
  return { at, sum };
}

function ease(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}
