// Between sRGB bytes and linear light, by tables.
import { toDisplay, toLinear } from './lab.ts';

const STEPS = 4096;
const TO_LIGHT = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255));
const TO_BYTE = Uint8Array.from({ length: STEPS + 1 }, (_, n) => Math.round(255 * toDisplay(n / STEPS)));

export function byteToLight(byte: number): number {
  return TO_LIGHT[byte]!;
}

export function lightToByte(light: number): number {
  return TO_BYTE[light <= 0 ? 0 : light >= 1 ? STEPS : Math.round(STEPS * light)]!;
}

export function toLight(bytes: Uint8Array): Float32Array {
  const out = new Float32Array(bytes.length);
  for (let i = 0; i < out.length; i += 1) out[i] = TO_LIGHT[bytes[i]!]!;
  return out;
}

export function toBytes(light: Float32Array): Uint8Array {
  const out = new Uint8Array(light.length);
  for (let i = 0; i < out.length; i += 1) out[i] = lightToByte(light[i]!);
  return out;
}
