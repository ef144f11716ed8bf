import { describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { findWithinFrame } from './subject.ts';

describe('a black frame', () => {
  const size = { width: 120, height: 90 };
  const photo = (isFrame: (x: number, y: number) => boolean) =>
    drawRgb(size, (x, y) => (isFrame(x, y) ? [8, 8, 8] : [150 + (x % 7), 150, 150]));

  it('is cropped', () => {
    const framed = photo((x, y) => x < 6 || x >= 114 || y < 6 || y >= 84);
    expect(findWithinFrame(framed, framed)).toEqual({ left: 10, top: 10, width: 100, height: 70 });
  });

  it.each<[string, ReturnType<typeof photo>]>([
    ['nothing dark at its edge', photo(() => false)],
    ['a dark wall all over', photo(() => true)],
    ['a thing before a dark wall', photo((x, y) => Math.hypot(x - 60, y - 45) > 30)],
    ['a dark half', photo((x) => x < 60)],
    ['a white frame', drawRgb(size, (x) => (x < 6 || x >= 114 ? [255, 255, 255] : [90, 150, 90]))],
  ])('is not detected in a photo with %s', (_, picture) => {
    expect(findWithinFrame(picture, picture)).toEqual({ left: 0, top: 0, ...size });
  });
});
