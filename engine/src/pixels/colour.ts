/** Converts between sRGB, linear light, CIE L*a*b* (D65; IEC 61966-2-1 and CIE 15) and #rrggbb. */
import type { Rgb, Size } from './plane.ts';

/** L 0..100, a and b about -100..100, one float per pixel each. */
export type Lab = Size & { l: Float32Array; a: Float32Array; b: Float32Array };

const STEPS = 4096;
const TO_LIGHT = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255));
const TO_BYTE = Uint8Array.from({ length: STEPS + 1 }, (_, n) => Math.round(255 * toDisplay(n / STEPS)));

/** sRGB 0..1 to linear light 0..1. */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Linear light 0..1 to sRGB 0..1. */
function toDisplay(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** An sRGB byte to linear light 0..1, by a lookup table. */
export function byteToLight(byte: number): number {
  return TO_LIGHT[byte]!;
}

/** Linear light, clamped to 0..1, to an sRGB byte, by a lookup table. */
export function lightToByte(light: number): number {
  return TO_BYTE[light <= 0 ? 0 : light >= 1 ? STEPS : (STEPS * light + 0.5) | 0]!; // Math.round takes twice as long
}

/** sRGB bytes to linear light, 0..1. */
export function toLight(bytes: Uint8Array): Float32Array {
  const out = new Float32Array(bytes.length);
  for (let i = 0; i < out.length; i += 1) out[i] = TO_LIGHT[bytes[i]!]!;
  return out;
}

/** Linear luminance 0..1 of pixel `i` of an interleaved picture. */
export function readLuminance(rgb: Uint8Array, i: number): number {
  return 0.2126 * TO_LIGHT[rgb[i * 3]!]! + 0.7152 * TO_LIGHT[rgb[i * 3 + 1]!]! + 0.0722 * TO_LIGHT[rgb[i * 3 + 2]!]!;
}

/** Clamps to 0..255 without rounding. */
export function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

/** Linear light, 0..1, to sRGB bytes. */
export function toBytes(light: Float32Array): Uint8Array {
  const out = new Uint8Array(light.length);
  for (let i = 0; i < out.length; i += 1) out[i] = lightToByte(light[i]!);
  return out;
}

/** CIE Lab of every pixel, a plane per channel. */
export function toLabPlanes({ data, width, height }: Rgb): Lab {
  const pixels = width * height;
  const lab = { l: new Float32Array(pixels), a: new Float32Array(pixels), b: new Float32Array(pixels), width, height };
  for (let i = 0; i < pixels; i += 1) {
    const r = TO_LIGHT[data[i * 3]!]!;
    const g = TO_LIGHT[data[i * 3 + 1]!]!;
    const b = TO_LIGHT[data[i * 3 + 2]!]!;
    const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const y = bend(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
    const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
    lab.l[i] = 116 * y - 16;
    lab.a[i] = 500 * (x - y);
    lab.b[i] = 200 * (y - z);
  }
  return lab;
}

function bend(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}

/** Mixes an sRGB colour with black, or by a negative share with white. */
export function turnColour(hex: string, share: number): string {
  if (share === 0) return hex;
  const target = share > 0 ? 12 : 250;
  const turned = hexToBytes(hex).map((byte) => Math.round(byte + (target - byte) * Math.abs(share)));
  return `#${turned.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function hexToBytes(hex: string): [number, number, number] {
  const at = (n: number) => Number.parseInt(hex.slice(n, n + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Approximate luminance of an sRGB colour: linear light, 0..1. */
export function lightOf(hex: string): number {
  const [r, g, b] = hexToBytes(hex).map(byteToLight);
  return 0.21 * r! + 0.72 * g! + 0.07 * b!;
}
