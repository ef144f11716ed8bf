import type { Size } from '../pixels/plane.ts';
import type { Mp4Facts } from './mp4.ts';

/** What is learned of a film while it is drawn. */
export type Watch = {
  see: (luma: Uint8ClampedArray) => void;
  /** Steps between following frames, mean over the frame, in luma levels. */
  steps: number[];
  brightest: number;
};

const LOOK_AT_EVERY = 13; // no divisor of a frame's width: the samples lie scattered

export function makeWatch(): Watch {
  let last: Uint8Array | undefined;
  const watch: Watch = {
    steps: [],
    brightest: 0,
    see: (luma) => {
      const seen = new Uint8Array(Math.ceil(luma.length / LOOK_AT_EVERY));
      let step = 0;
      for (let n = 0; n < seen.length; n += 1) {
        const value = luma[n * LOOK_AT_EVERY]!;
        seen[n] = value;
        if (value > watch.brightest) watch.brightest = value;
        if (last) step += Math.abs(value - last[n]!);
      }
      if (last) watch.steps.push(step / seen.length);
      last = seen;
    },
  };
  return watch;
}

/** What was ordered. */
export type Order = Size & { frames: number; fps: number };

const DARKEST_PICTURE = 24; // limited range luma; black is 16
const LEAST_MOTION = 0.01; // mean step in luma levels; the gentlest of our moves makes ten times as much

/** Why a finished film must not be shown to anyone, or undefined when it may. */
export function findDefect(watch: Watch, facts: Mp4Facts, order: Order): string | undefined {
  if (watch.brightest < DARKEST_PICTURE) return 'every frame is black';
  const motion = watch.steps.reduce((total, step) => total + step, 0) / Math.max(1, watch.steps.length);
  if (motion < LEAST_MOTION) return 'nothing moves';
  if (facts.width !== order.width || facts.height !== order.height) {
    return `the film is ${facts.width}x${facts.height} instead of ${order.width}x${order.height}`;
  }
  if (facts.frames !== order.frames || watch.steps.length + 1 !== order.frames)
    return `the film has ${facts.frames} frames`;
  if (Math.abs(facts.seconds - order.frames / order.fps) > 1 / order.fps) return `the film lasts ${facts.seconds} s`;
  if (facts.sampleBytes === 0 || facts.sampleBytes !== facts.mediaBytes) return 'pictures are missing from the file';
  return facts.startsFast ? undefined : 'the index is not in front';
}
