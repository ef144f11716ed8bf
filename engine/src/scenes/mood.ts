/** The light that words ask for. */
import type { Brief } from '../words/brief.ts';
import { byteToLight, hexToBytes } from '../pixels/colour.ts';

const WHITE = 220; // of 255

/** Where white was asked for, every picture is white. */
export function wantsWhite({ wall, surface }: Pick<Brief, 'wall' | 'surface'>): boolean {
  return [wall, surface].some((colour) => colour !== undefined && Math.min(...hexToBytes(colour)) > WHITE);
}

/** What the words do to the light of the scene. */
export type Mood = {
  /** Factor on the linear light. */
  exposure: number;
  /** Colour of the light, linear, 1 = as it is. */
  tint: number[];
  /** 0..1: how dark it gets away from the product. */
  pool: number;
  /** Added to the softness of shadows, 0..1. */
  softness: number;
};

const LIGHTS: Record<string, { exposure?: number; tint?: string; pool?: number; softness?: number }> = {
  sunset: { exposure: 0.97, tint: '#ffcf9c', pool: 0.15 },
  'golden hour': { exposure: 0.97, tint: '#ffcf9c', pool: 0.15 },
  sunrise: { exposure: 0.97, tint: '#ffd9b4', pool: 0.1 },
  dramatic: { exposure: 0.8, pool: 0.8, softness: -0.2 },
  moody: { exposure: 0.8, pool: 0.8 },
  night: { exposure: 0.55, tint: '#b4c4f2', pool: 0.45 },
  evening: { exposure: 0.7, tint: '#cfc6ee', pool: 0.35 },
  dark: { exposure: 0.8, pool: 0.4 },
  bright: { exposure: 1.12 },
  sunny: { exposure: 1.06, tint: '#fff3df', softness: -0.15 },
  morning: { exposure: 1.03, tint: '#fff0da' },
  afternoon: { tint: '#ffecd0' },
  'candle light': { exposure: 0.85, tint: '#ffc58a', pool: 0.5 },
  warm: { tint: '#ffdfba' },
  cool: { tint: '#dbe8ff' },
  'soft light': { softness: 0.35 },
  'hard light': { softness: -0.35 },
};

/** The light that the words ask for and the set does not have by itself. @param own names of lights that it has */
export function findMood({ terms }: Brief, own: ReadonlySet<string>): Mood {
  const mood: Mood = { exposure: 1, tint: [1, 1, 1], pool: 0, softness: 0 };
  const asked = new Set(
    terms
      .filter(({ kind, isUnwanted, isShade }) => kind === 'light' && !isUnwanted && !isShade)
      .map(({ name }) => name),
  );
  for (const name of asked) {
    const light = LIGHTS[name];
    if (!light || own.has(name)) continue;
    mood.exposure *= light.exposure ?? 1;
    if (light.tint) for (const [c, byte] of hexToBytes(light.tint).entries()) mood.tint[c]! *= byteToLight(byte);
    mood.pool = Math.max(mood.pool, light.pool ?? 0);
    mood.softness += light.softness ?? 0;
  }
  return mood;
}
