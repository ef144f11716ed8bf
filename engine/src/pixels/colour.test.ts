import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawRgb, type Colour } from '../../test/draw.ts';
import { byteToLight, clampByte, lightToByte, readLuminance, toBytes, toLabPlanes, toLight } from './colour.ts';

const byte = fc.integer({ min: 0, max: 255 });

describe('sRGB and linear light', () => {
  it('round-trip every byte', () => {
    for (let value = 0; value < 256; value += 1) expect(lightToByte(byteToLight(value))).toBe(value);
  });

  it('are monotonic as in the standard', () => {
    for (let value = 1; value < 256; value += 1) expect(byteToLight(value)).toBeGreaterThan(byteToLight(value - 1));
    expect([0, 10, 128, 255].map((value) => byteToLight(value).toFixed(5))).toEqual([
      '0.00000',
      '0.00304',
      '0.21586',
      '1.00000',
    ]);
  });

  it('are clamped outside the displayable range', () => {
    expect([lightToByte(-3), lightToByte(7), clampByte(-0.5), clampByte(256), clampByte(1.5)]).toEqual([
      0, 255, 0, 255, 1.5,
    ]);
  });

  it('convert whole pictures equally', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    expect(toBytes(toLight(bytes))).toEqual(bytes);
  });

  it("give luminance between the channels' minimum and maximum", () => {
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const luminance = readLuminance(Uint8Array.of(9, 9, 9, red, green, blue), 1);
        const light = [red, green, blue].map(byteToLight);
        expect(luminance).toBeGreaterThanOrEqual(Math.min(...light) - 1e-6);
        expect(luminance).toBeLessThanOrEqual(Math.max(...light) + 1e-6);
      }),
    );
  });
});

describe('Lab', () => {
  // https://en.wikipedia.org/wiki/CIELAB_color_space gives these for sRGB under D65
  it.each([
    ['white', [255, 255, 255], [100, 0, 0]],
    ['black', [0, 0, 0], [0, 0, 0]],
    ['red', [255, 0, 0], [53.2, 80.1, 67.2]],
    ['green', [0, 255, 0], [87.7, -86.2, 83.2]],
    ['blue', [0, 0, 255], [32.3, 79.2, -107.9]],
  ] as const)("of %s equals the standard's value", (_, [red, green, blue], lab) => {
    const { l, a, b } = toLabPlanes(drawRgb({ width: 1, height: 1 }, () => [red, green, blue]));
    for (const [n, [value]] of [l, a, b].entries()) expect(Math.abs(value! - lab[n]!)).toBeLessThan(0.1);
  });

  it('of a picture equals that of each pixel', () => {
    const colours: Colour[] = [
      [12, 200, 90],
      [250, 3, 77],
      [128, 128, 128],
    ];
    const whole = toLabPlanes(drawRgb({ width: 3, height: 1 }, (x) => colours[x]!));
    for (const [i, colour] of colours.entries()) {
      const own = toLabPlanes(drawRgb({ width: 1, height: 1 }, () => colour));
      for (const part of ['l', 'a', 'b'] as const) expect(whole[part][i]).toBe(own[part][0]);
    }
  });

  it('of grey has no hue', () => {
    const { a, b } = toLabPlanes(drawRgb({ width: 256, height: 1 }, (x) => [x, x, x]));
    for (let grey = 0; grey < 256; grey += 1) expect(Math.hypot(a[grey]!, b[grey]!)).toBeLessThan(0.05);
  });
});
