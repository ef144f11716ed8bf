// Painted scenes for words that no plate knows: a backdrop and a floor made of noise and simple shapes, in linear light.
import { byteToLight, toBytes } from '../pixels/light.ts';
import { makeNoise, type Noise } from '../pixels/noise.ts';
import type { Brief } from './brief.ts';
import { hexToBytes } from './colours.ts';
import { patterns } from './patterns.ts';
import { MASK_SIZE, PLATE_SIZE, type Plate, type PlatePictures } from './plates.ts';
import { findPhrase, toStems } from './words.ts';

export type Light = [number, number, number];

/** What a recipe may look at for one point; u and v run 0..1 over the picture, x and z over the floor in metres. */
export interface Point {
  u: number;
  v: number;
  x: number;
  z: number;
  noise: Noise;
  /** The asked-for colour, or the recipe's own. */
  main: Light;
  second: Light;
}

export interface Recipe {
  words: string[];
  main: string;
  second: string;
  wall: (point: Point) => Light;
  floor: (point: Point) => Light;
  reflection: number;
  shadow: number;
}

/** Recipes that the words speak of, best first. */
export function rankRecipes({ words }: Brief): { id: string; score: number }[] {
  return Object.entries(patterns)
    .map(([id, recipe]) => {
      const hits = recipe.words.filter((word) => findPhrase(words.stems, toStems(word)).length > 0).length;
      const unwanted = recipe.words.filter((word) => findPhrase(words.unwanted, toStems(word)).length > 0).length;
      return { id, score: RECIPE_WEIGHT * hits - 2 * unwanted };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

const RECIPE_WEIGHT = 1.3; // about what a plate's third word counts

const HORIZON = 0.56;
const SEAM = 0.09; // of the height: the floor fades into the wall, as on a paper sweep
const FOCAL = 2700;
const STAND = { x: 768, y: 1182, maxWidth: 952, maxHeight: 922 };
const PER_METRE = 3000;

/** A plate like the path-traced ones, only painted: the same composing code sets the product on it. */
export function paintRecipe(
  id: string,
  brief: Brief,
  seed: number,
): { plate: Plate; load: () => Promise<PlatePictures> } {
  const recipe = patterns[id];
  if (!recipe) throw new Error(`no recipe ${id}`);
  const plate: Plate = {
    id: `painted-${id}`,
    stand: STAND,
    camera: { focalPx: FOCAL, pitchDeg: 7 },
    floor: [PER_METRE, 860, STAND.x, 0, 500, STAND.y, 0, 1.12, 1],
    pxPerMetre: PER_METRE,
    light: { azimuthDeg: -58, elevationDeg: 44, softness: 0.5, ambient: recipe.main, shadowStrength: recipe.shadow },
    reflection: { strength: recipe.reflection, blurPx: 5 },
    tint: { wall: false, surface: false },
    ownColours: [],
    seen: {},
  };
  return { plate, load: async () => paintPictures(recipe, brief, seed) };
}

function paintPictures(recipe: Recipe, brief: Brief, seed: number): PlatePictures {
  const light = new Float32Array(PLATE_SIZE * PLATE_SIZE * 3);
  const mask = new Uint8Array(MASK_SIZE * MASK_SIZE * 3);
  const noise = makeNoise(seed);
  const main = toLightColour(brief.wall ?? recipe.main);
  const second = toLightColour(brief.surface ?? recipe.second);
  const point: Point = { u: 0, v: 0, x: 0, z: 0, noise, main, second };
  for (let y = 0; y < PLATE_SIZE; y += 1) {
    const below = y / PLATE_SIZE - HORIZON;
    const onFloor = below <= 0 ? 0 : Math.min(1, below / SEAM);
    const depth = below <= 0 ? 0 : (STAND.y / PLATE_SIZE - HORIZON) / Math.max(0.015, below);
    for (let x = 0; x < PLATE_SIZE; x += 1) {
      point.u = x / PLATE_SIZE;
      point.v = y / PLATE_SIZE;
      point.x = ((x - STAND.x) / PER_METRE) * depth;
      point.z = depth;
      const pool = poolOfLight(point.u, point.v) * (1 + 0.012 * (noise.cell(x, y) - 0.5));
      const wall = onFloor < 1 ? recipe.wall(point) : undefined;
      const floor = onFloor > 0 ? recipe.floor(point) : undefined;
      for (let c = 0; c < 3; c += 1) {
        const value = (wall?.[c] ?? 0) * (1 - onFloor) + (floor?.[c] ?? 0) * onFloor;
        light[(y * PLATE_SIZE + x) * 3 + c] = value * pool;
      }
    }
  }
  for (let i = 0; i < MASK_SIZE * MASK_SIZE; i += 1) {
    const below = Math.floor(i / MASK_SIZE) / MASK_SIZE - HORIZON;
    mask[i * 3] = below <= 0 ? 255 : 0;
    mask[i * 3 + 1] = Math.round(255 * Math.min(1, Math.max(0, below / SEAM)));
  }
  return { rgb: Buffer.from(toBytes(light)), mask: Buffer.from(mask) };
}

/** Brighter to the upper left, where the light comes from. */
function poolOfLight(u: number, v: number): number {
  return 0.62 + 0.5 * Math.exp(-2.2 * ((u - 0.38) ** 2 + (v - 0.5) ** 2));
}

function toLightColour(hex: string): Light {
  return hexToBytes(hex).map(byteToLight) as Light;
}
