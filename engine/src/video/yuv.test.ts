import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { makeCanvas } from './canvas.ts';
import { chooseFormat, ASPECT_RATIOS, DURATIONS } from './formats.ts';
import { halve, toRgb, toYuv, toYuvColour } from './yuv.ts';

const byte = fc.integer({ min: 0, max: 255 });

describe('the encoder’s colours', () => {
  it.each([
    ['black', [0, 0, 0], [16, 128, 128]],
    ['white', [255, 255, 255], [235, 128, 128]],
    ['blue', [0, 0, 255], [32, 240, 118]],
    ['red', [255, 0, 0], [63, 102, 240]],
  ] as const)('of %s are those of BT.709 in limited range', (_, [red, green, blue], yuv) => {
    expect(toYuvColour(red, green, blue).map(Math.round)).toEqual(yuv);
  });

  it("round-trip every colour within a byte's precision", () => {
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const size = { width: 2, height: 2 };
        const { y, u, v } = toYuv(drawRgb(size, () => [red, green, blue]).data, 2, 2);
        const canvas = makeCanvas(2, 2);
        canvas.y.set(y.data);
        canvas.u.set(u.data);
        canvas.v.set(v.data);
        for (const [n, value] of toRgb(canvas).entries()) {
          expect(Math.abs(value - [red, green, blue][n % 3]!)).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  it('are means of four pixels in chroma', () => {
    const plane = { width: 4, height: 2, data: Float32Array.of(1, 3, 10, 10, 5, 7, 10, 10) };
    const half = { width: 2, height: 1, data: Float32Array.of(4, 10) };
    expect(halve(plane)).toEqual({ y: plane, u: half, v: half });
    const mixed = drawRgb({ width: 2, height: 2 }, (x) => (x ? [255, 0, 0] : [0, 0, 0]));
    const [red] = toYuv(mixed.data, 2, 2).v.data;
    expect(red).toBeCloseTo((toYuvColour(255, 0, 0)[2] + 128) / 2, 3);
  });

  it("share one buffer in the encoder's layout", () => {
    const canvas = makeCanvas(6, 4);
    canvas.y.fill(1);
    canvas.u.fill(2);
    canvas.v.fill(3);
    expect([...canvas.bytes]).toEqual([
      ...Array<number>(24).fill(1),
      ...Array<number>(6).fill(2),
      ...Array<number>(6).fill(3),
    ]);
  });
});

describe('formats', () => {
  it.each(ASPECT_RATIOS)('%s has even sides in its aspect ratio', (shape) => {
    const { width, height } = chooseFormat(shape);
    const [across, down] = shape.split(':').map(Number);
    expect([width % 2, height % 2]).toEqual([0, 0]);
    expect(width / height).toBeCloseTo(across! / down!, 1);
  });

  it('have the requested duration', () => {
    expect(DURATIONS.map((duration) => chooseFormat('1:1', duration).seconds)).toEqual([5, 8, 12]);
  });

  it('default to 16:9, 720p and five seconds', () => {
    expect(chooseFormat()).toEqual({ width: 1280, height: 720, fps: 30, seconds: 5 });
  });
});
