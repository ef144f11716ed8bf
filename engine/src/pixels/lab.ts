import type { Picture } from './decode.ts';

/** CIE L*a*b* (D65) as three planes: L 0..100, a and b about -100..100. */
export interface LabPlanes {
  l: Float32Array;
  a: Float32Array;
  b: Float32Array;
}

const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255));

export function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function toDisplay(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

export function toLabPlanes({ rgb, width, height }: Picture): LabPlanes {
  const pixels = width * height;
  const planes = { l: new Float32Array(pixels), a: new Float32Array(pixels), b: new Float32Array(pixels) };
  for (let i = 0; i < pixels; i += 1) {
    // As toLab does, without a tuple for every pixel.
    const r = LINEAR[rgb[i * 3]!]!;
    const g = LINEAR[rgb[i * 3 + 1]!]!;
    const b = LINEAR[rgb[i * 3 + 2]!]!;
    const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const y = bend(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
    const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
    planes.l[i] = 116 * y - 16;
    planes.a[i] = 500 * (x - y);
    planes.b[i] = 200 * (y - z);
  }
  return planes;
}

export function toLab(red: number, green: number, blue: number): [number, number, number] {
  const r = LINEAR[red]!;
  const g = LINEAR[green]!;
  const b = LINEAR[blue]!;
  const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = bend(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function bend(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}
