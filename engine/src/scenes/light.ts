/** The light that words ask for, and the light that distinguishes variations of a scene. */
import type { Brief } from '../words/brief.ts';
import { byteToLight, hexToBytes, lightOf } from '../pixels/colour.ts';
import { isPlainStudio, type Plate } from './plates.ts';

const WHITE = 220; // of 255: least channel of white

/** True if white was requested: then every variation stays white. */
export function wantsWhite({ wall, surface }: Pick<Brief, 'wall' | 'surface'>): boolean {
  return [wall, surface].some((colour) => colour !== undefined && Math.min(...hexToBytes(colour)) > WHITE);
}

/** The words' effect on the scene's light. */
export type Mood = {
  /** Factor of the linear light. */
  exposure: number;
  /** Colour of the light as linear factors, 1 = unchanged. */
  tint: number[];
  /** 0..1: vignette around the product. */
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

/** The requested light that the set does not have already. @param own names of the set's own lights */
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

/** The changeable aspect of light: its colour, its amount, or in a white scene only the shadows. */
export type Freedom = 'hour' | 'exposure' | 'shadows';

type Look = {
  /** Factors of linear red, green and blue. */
  hour: [number, number, number];
  /** A factor of all channels. `lift` replaces it in a dark scene, where less light would show nothing. */
  exposure: number;
  lift: number;
  /** Factors of the plate's visible share: `near` normally, `far` for a small product. */
  near: number;
  far: number;
  /** Share of the plate by which its centre moves aside. */
  aside: number;
};

/** Successive variations take successive entries. */
const LOOKS: Look[] = [
  { hour: [1, 0.93, 0.79], exposure: 0.86, lift: 1.5, near: 0.78, far: 1.35, aside: 0.05 },
  { hour: [0.78, 0.91, 1.1], exposure: 1.22, lift: 2.1, near: 0.94, far: 1.15, aside: -0.12 },
  { hour: [0.94, 0.78, 0.58], exposure: 0.56, lift: 3.2, near: 0.66, far: 1.42, aside: -0.05 },
  { hour: [0.7, 0.75, 0.86], exposure: 0.66, lift: 2.6, near: 0.86, far: 1.25, aside: 0.12 },
];

/** The lamp of a plain studio for each look: rotation, elevation, softness and strength. */
const LAMPS = [
  { turnDeg: 0, elevationDeg: 26, softness: 0.3, strength: 0.62 },
  { turnDeg: 70, elevationDeg: 60, softness: 1, strength: 0.6 },
  { turnDeg: 45, elevationDeg: 36, softness: 0.1, strength: 0.5 },
  { turnDeg: -25, elevationDeg: 75, softness: 0.6, strength: 0.8 },
];

const MOST_AZIMUTH_DEG = 165; // beyond it the lamp would be on the other side
const STEPS = 3;
const STEP = 0.04; // of the plate
const DARK = 0.1; // linear light below which a scene is dark
const BRIGHT = 0.75;

/** The first LOOKS.length variations are distinct; later ones repeat them a step further aside. */
export function lookOf(variation: number): Look {
  const look = LOOKS[variation % LOOKS.length]!;
  const steps = Math.floor(variation / LOOKS.length) % STEPS;
  return { ...look, aside: look.aside + Math.sign(look.aside) * STEP * steps };
}

/** Requested light and colours do not vary. */
export function findFreedom(brief: Brief): Freedom {
  if (wantsWhite(brief)) return 'shadows';
  const { tint, exposure } = findMood(brief, new Set());
  const isLit = exposure !== 1 || tint.some((part) => part !== 1);
  const isColoured = brief.terms.some(({ kind, isUnwanted }) => kind === 'colour' && !isUnwanted);
  return isLit || isColoured ? 'exposure' : 'hour';
}

/** Factors of the scene's linear light. */
export function changeLight(variation: number, freedom: Exclude<Freedom, 'shadows'>, plate: Plate): Look['hour'] {
  const { hour, exposure, lift } = lookOf(variation);
  if (freedom === 'hour' && !isDark(plate)) return hour;
  // A nearly white scene would only burn out.
  const factor = isDark(plate) ? lift : isBright(plate) && exposure > 1 ? exposure ** -2 : exposure;
  return [factor, factor, factor];
}

function isBright({ seen: { wall, surface } }: Plate): boolean {
  return [wall, surface].some((part) => part !== undefined && lightOf(part) > BRIGHT);
}

/** True if wall and floor are both dark. */
function isDark({ seen: { wall, surface } }: Plate): boolean {
  const parts = [wall, surface].filter((part) => part !== undefined);
  return parts.length > 0 && parts.every((part) => lightOf(part) < DARK);
}

/** Moves the lamp of a plain studio on its side. Other sets show things that are lit already and keep their light. */
export function moveLamp(plate: Plate, variation: number, brief: Brief): Plate {
  if (!isPlainStudio(plate)) return plate;
  const { turnDeg, elevationDeg, softness, strength } = LAMPS[variation % LAMPS.length]!;
  const { azimuthDeg } = plate.light;
  const light = {
    ...plate.light,
    azimuthDeg: Math.sign(azimuthDeg) * Math.min(MOST_AZIMUTH_DEG, Math.abs(azimuthDeg) + turnDeg),
    elevationDeg,
    shadowStrength: strength,
    softness: findMood(brief, plate.words).softness === 0 ? softness : plate.light.softness,
  };
  return { ...plate, light };
}
