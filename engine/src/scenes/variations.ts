/** How another try at a scene is told from the first picture: by light and view, or where all is white by shadows. */
import { type Brief } from '../words/brief.ts';
import { findMood, wantsWhite } from './mood.ts';
import { lightOf } from '../pixels/colour.ts';
import { isPlainStudio, type Plate } from './plates.ts';

/** What may change of the light: its colour, how much of it there is, or in a white scene only the shadows. */
export type Freedom = 'hour' | 'exposure' | 'shadows';

type Look = {
  /** Factors on the linear red, green and blue. */
  hour: [number, number, number];
  /** One factor on all of them; a dark scene is lit by the other one: in less light there would be nothing to see. */
  exposure: number;
  lift: number;
  /** Of the share of the plate that a first picture shows; a small thing is seen from farther off instead. */
  near: number;
  far: number;
  /** Of the plate: how far its middle moves aside. */
  aside: number;
};

/** Tries that follow each other have numbers that do. */
const LOOKS: Look[] = [
  { hour: [1, 0.93, 0.79], exposure: 0.86, lift: 1.5, near: 0.78, far: 1.35, aside: 0.05 },
  { hour: [0.78, 0.91, 1.1], exposure: 1.22, lift: 2.1, near: 0.94, far: 1.15, aside: -0.12 },
  { hour: [0.94, 0.78, 0.58], exposure: 0.56, lift: 3.2, near: 0.66, far: 1.42, aside: -0.05 },
  { hour: [0.7, 0.75, 0.86], exposure: 0.66, lift: 2.6, near: 0.86, far: 1.25, aside: 0.12 },
];

/** Of each look, a plain studio's lamp: its turn from where it stood, its height, and how large it is. */
const LAMPS = [
  { turnDeg: 0, elevationDeg: 26, softness: 0.3, strength: 0.62 },
  { turnDeg: 70, elevationDeg: 60, softness: 1, strength: 0.6 },
  { turnDeg: 45, elevationDeg: 36, softness: 0.1, strength: 0.5 },
  { turnDeg: -25, elevationDeg: 75, softness: 0.6, strength: 0.8 },
];

const MOST_AZIMUTH_DEG = 165; // beyond it the lamp would stand on the other side
const STEPS = 3;
const STEP = 0.04; // of the plate
const DARK = 0.1; // linear light: less of it would not be seen
const BRIGHT = 0.75;

/** The first four are all different; those after them are seen a step further aside. */
export function lookOf(variation: number): Look {
  const look = LOOKS[variation % LOOKS.length]!;
  const steps = Math.floor(variation / LOOKS.length) % STEPS;
  return { ...look, aside: look.aside + Math.sign(look.aside) * STEP * steps };
}

/** Light and colours that were asked for stay as they are. */
export function findFreedom(brief: Brief): Freedom {
  if (wantsWhite(brief)) return 'shadows';
  const { tint, exposure } = findMood(brief, new Set());
  const isLit = exposure !== 1 || tint.some((part) => part !== 1);
  const isColoured = brief.terms.some(({ kind, isUnwanted }) => kind === 'colour' && !isUnwanted);
  return isLit || isColoured ? 'exposure' : 'hour';
}

/** Factors on the scene's light. */
export function changeLight(variation: number, freedom: Exclude<Freedom, 'shadows'>, plate: Plate): Look['hour'] {
  const { hour, exposure, lift } = lookOf(variation);
  if (freedom === 'hour' && !isDark(plate)) return hour;
  // What is nearly white already would only burn out.
  const factor = isDark(plate) ? lift : isBright(plate) && exposure > 1 ? exposure ** -2 : exposure;
  return [factor, factor, factor];
}

function isBright({ seen: { wall, surface } }: Plate): boolean {
  return [wall, surface].some((part) => part !== undefined && lightOf(part) > BRIGHT);
}

/** A bright wall over a dark floor is no dark scene. */
function isDark({ seen: { wall, surface } }: Plate): boolean {
  const parts = [wall, surface].filter((part) => part !== undefined);
  return parts.length > 0 && parts.every((part) => lightOf(part) < DARK);
}

/** A plain studio under another lamp, on the same side; what else a set shows is lit already, and keeps its light. */
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
