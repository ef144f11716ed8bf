import { describe, expect, it } from 'vitest';
import { findDefect, makeWatch, type Watch } from './defects.ts';
import type { Mp4Facts } from './mp4.ts';

const ORDER = { width: 64, height: 48, frames: 4, fps: 2 };
const FACTS: Mp4Facts = {
  width: 64,
  height: 48,
  frames: 4,
  seconds: 2,
  sampleBytes: 900,
  mediaBytes: 900,
  startsFast: true,
};

/** Four frames, each pixel from its place and the frame's number. */
function watch(paint: (i: number, n: number) => number, frames = 4): Watch {
  const watch = makeWatch();
  for (let n = 0; n < frames; n += 1) watch.see(Uint8ClampedArray.from({ length: 64 * 48 }, (_, i) => paint(i, n)));
  return watch;
}

const moving = (i: number, n: number) => 60 + ((i + 3 * n) % 50);

describe('a film', () => {
  it('may leave when it moves, is as ordered and whole', () => {
    expect(findDefect(watch(moving), FACTS, ORDER)).toBeUndefined();
  });

  it('may leave when only a little of it moves', () => {
    const spark = (i: number, n: number) => (i < 80 ? 100 + 20 * n : 90);
    expect(findDefect(watch(spark), FACTS, ORDER)).toBeUndefined();
  });

  it.each([
    ['black', watch((i, n) => 16 + ((i + n) % 3)), FACTS, 'black'],
    ['frozen', watch((i) => 60 + (i % 50)), FACTS, 'nothing moves'],
    ['too short', watch(moving, 3), FACTS, 'frames'],
    ['of another size', watch(moving), { ...FACTS, width: 32 }, '32x48'],
    ['without some of its frames', watch(moving), { ...FACTS, frames: 3 }, '3 frames'],
    ['too slow', watch(moving), { ...FACTS, seconds: 4 }, 'lasts 4 s'],
    ['empty', watch(moving), { ...FACTS, sampleBytes: 0, mediaBytes: 0 }, 'missing'],
    ['cut short', watch(moving), { ...FACTS, mediaBytes: 500 }, 'missing'],
    ['slow to start', watch(moving), { ...FACTS, startsFast: false }, 'index'],
  ])('that is %s never leaves', (_, seen, facts, sentence) => {
    expect(findDefect(seen, facts, ORDER)).toContain(sentence);
  });
});
