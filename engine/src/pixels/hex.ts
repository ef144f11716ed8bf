import { byteToLight } from './colour.ts';

/** An sRGB colour moved towards black, or by a negative share towards white. */
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

/** Roughly how light an sRGB colour is: linear light, 0..1. */
export function lightOf(hex: string): number {
  const [r, g, b] = hexToBytes(hex).map(byteToLight);
  return 0.21 * r! + 0.72 * g! + 0.07 * b!;
}
