/** The light that words ask for, and the light that distinguishes variations of a scene. */
import type { Brief } from '../words/brief.ts';
import { byteToLight, hexToBytes, lightOf } from '../pixels/colour.ts';
import { isDark } from '../words/report.ts';
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

/** What a variation may change: the light's colour, its amount, only the view, or in a white scene only the shadows. */
export type Freedom = 'hour' | 'exposure' | 'view' | 'shadows';

/** Light that is warmer, cooler or brighter than the set's own, never duller. */
type Hour = {
  /** Factors of linear red, green and blue. */
  hour: [number, number, number];
  /** A factor of all channels, where the colour of the light must stay. `lift` replaces it in a dark scene. */
  exposure: number;
  lift: number;
};

const HOURS: Hour[] = [
  { hour: [1.16, 0.98, 0.78], exposure: 1.1, lift: 1.3 },
  { hour: [0.89, 1.05, 1.29], exposure: 1.26, lift: 2.1 },
  { hour: [1.32, 1.26, 1.18], exposure: 1.4, lift: 1.6 },
  { hour: [1.28, 0.95, 0.64], exposure: 1.52, lift: 2.7 },
];

type View = {
  /** True if the set is flipped, where nothing tells the side of the light. */
  isMirrored: boolean;
  /** Factors of the plate's visible share: `near` normally, `far` for a small product. */
  near: number;
  far: number;
  /** Share of the plate by which the product stands aside from its centre. */
  aside: number;
  /** Share of the frame's width: the middle of a standing product. */
  centre: number;
  /** Factor of the product's size. */
  size: number;
};

const VIEWS: View[] = [
  { isMirrored: true, near: 0.84, far: 1.3, aside: 0.06, centre: 0.42, size: 1 },
  { isMirrored: false, near: 0.74, far: 1.15, aside: -0.12, centre: 0.57, size: 1.06 },
  { isMirrored: true, near: 1.06, far: 1.42, aside: 0.02, centre: 0.46, size: 0.84 },
  { isMirrored: false, near: 0.68, far: 1.22, aside: 0.14, centre: 0.41, size: 0.96 },
  { isMirrored: true, near: 0.62, far: 1.05, aside: -0.03, centre: 0.53, size: 1.1 },
];

/** The lamp of a plain studio for each look: rotation, elevation, softness and strength. */
const LAMPS = [
  { turnDeg: 0, elevationDeg: 26, softness: 0.3, strength: 0.62 },
  { turnDeg: 70, elevationDeg: 60, softness: 1, strength: 0.6 },
  { turnDeg: 55, elevationDeg: 44, softness: 0.1, strength: 0.74 },
  { turnDeg: -25, elevationDeg: 75, softness: 0.6, strength: 0.8 },
];

const MAX_AZIMUTH_DEG = 165; // beyond it the lamp would be on the other side
const BRIGHT = 0.75; // linear light from which a scene is nearly white
const DIM = 0.9; // exposure below which words ask for little light

/** Light and view of a variation. Of 20 in a row each is another pair; neighbours differ in both. */
export function lookOf(variation: number): Hour & View {
  return { ...HOURS[variation % HOURS.length]!, ...VIEWS[variation % VIEWS.length]! };
}

/** Requested light and colours do not vary: less light than usual is no more in another picture. */
export function findFreedom(brief: Brief): Freedom {
  if (wantsWhite(brief)) return 'shadows';
  const { tint, exposure } = findMood(brief, new Set());
  if (exposure < DIM) return 'view';
  const isLit = exposure !== 1 || tint.some((part) => part !== 1);
  const isColoured = brief.terms.some(({ kind, isUnwanted }) => kind === 'colour' && !isUnwanted);
  return isLit || isColoured ? 'exposure' : 'hour';
}

/** Factors of the scene's linear light. */
export function changeLight(variation: number, freedom: Exclude<Freedom, 'shadows'>, plate: Plate): Hour['hour'] {
  const { hour, exposure, lift } = lookOf(variation);
  if (freedom === 'view' && !isDark(plate)) return [1, 1, 1];
  if (freedom === 'hour' && !isDark(plate)) return hour;
  // A nearly white scene would only burn out.
  const factor = isDark(plate) ? lift : isBright(plate) ? exposure ** -0.4 : exposure;
  return [factor, factor, factor];
}

function isBright({ seen: { wall, surface } }: Plate): boolean {
  return [wall, surface].some((part) => part !== undefined && lightOf(part) > BRIGHT);
}

/** Moves the lamp of a plain studio on its side. Other sets show things that are lit already and keep their light. */
export function moveLamp(plate: Plate, variation: number, brief: Brief): Plate {
  if (!isPlainStudio(plate)) return plate;
  const { turnDeg, elevationDeg, softness, strength } = LAMPS[variation % LAMPS.length]!;
  const { azimuthDeg } = plate.light;
  const light = {
    ...plate.light,
    azimuthDeg: Math.sign(azimuthDeg) * Math.min(MAX_AZIMUTH_DEG, Math.abs(azimuthDeg) + turnDeg),
    elevationDeg,
    shadowStrength: strength,
    softness: findMood(brief, plate.words).softness === 0 ? softness : plate.light.softness,
  };
  return { ...plate, light };
}
