// Painted scenes for words that no plate knows: a backdrop and a floor made of noise and simple shapes, in linear light.
import { byteToLight, toBytes } from '../pixels/light.ts';
import { softBlur } from '../pixels/planes.ts';
import { makeSampler, sample } from '../pixels/sampler.ts';
import { makeNoise, type Noise } from '../pixels/noise.ts';
import type { Brief } from './brief.ts';
import { hexToBytes } from './colours.ts';
import { interiors } from './interiors.ts';
import { moods } from './moods.ts';
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
  /** How far out of focus the wall is: sigma in pixels of the painted plate. */
  blur?: number;
  /** A wall that meets the floor in a line, instead of running into it like a paper sweep. */
  hasCorner?: true;
}

/** Every painted scene by its name. */
export const recipes: Readonly<Record<string, Recipe>> = { ...patterns, ...interiors, ...moods };

/** Recipes that the words speak of, best first. */
export function rankRecipes({ words }: Brief): { id: string; score: number }[] {
  return Object.entries(recipes)
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
const CORNER = 0.012;
const WALL_SIZE = PLATE_SIZE / 2;
const LEAST_BLUR = 2.2;
const FOCAL = 2700;
const STAND = { x: 768, y: 1182, maxWidth: 952, maxHeight: 922 };
const PER_METRE = 3000;

/** A plate like the path-traced ones, only painted: the same composing code sets the product on it. */
export function paintRecipe(
  id: string,
  brief: Brief,
  seed: number,
): { plate: Plate; load: () => Promise<PlatePictures> } {
  const recipe = recipes[id];
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
    seen: { wall: recipe.main },
  };
  return { plate, load: async () => paintPictures(recipe, brief, seed) };
}

function paintPictures(recipe: Recipe, brief: Brief, seed: number): PlatePictures {
  const light = new Float32Array(PLATE_SIZE * PLATE_SIZE * 3);
  const noise = makeNoise(seed);
  const main = toLightColour(brief.wall ?? recipe.main);
  const second = toLightColour(brief.surface ?? recipe.second);
  const point: Point = { u: 0, v: 0, x: 0, z: 0, noise, main, second };
  const seam = recipe.hasCorner ? CORNER : SEAM;
  const wall = paintWall(recipe, point);
  const sampler = makeSampler({ width: WALL_SIZE, height: WALL_SIZE }, { width: PLATE_SIZE, height: PLATE_SIZE });
  for (let y = 0; y < PLATE_SIZE; y += 1) {
    const below = y / PLATE_SIZE - HORIZON;
    const onFloor = below <= 0 ? 0 : Math.min(1, below / seam);
    const depth = below <= 0 ? 0 : (STAND.y / PLATE_SIZE - HORIZON) / Math.max(0.015, below);
    const corner = recipe.hasCorner ? 1 - 0.45 * Math.exp(-Math.abs(below) / 0.02) : 1; // little light gets there
    for (let x = 0; x < PLATE_SIZE; x += 1) {
      point.u = x / PLATE_SIZE;
      point.v = y / PLATE_SIZE;
      point.x = ((x - STAND.x) / PER_METRE) * depth;
      point.z = depth;
      sampler.moveTo(x, y);
      const pool = corner * poolOfLight(point.u, point.v) * (1 + 0.012 * (noise.cell(x, y) - 0.5));
      const floor = onFloor > 0 ? recipe.floor(point) : undefined;
      for (let c = 0; c < 3; c += 1) {
        const behind = onFloor < 1 ? sample(sampler, wall[c]!) : 0;
        light[(y * PLATE_SIZE + x) * 3 + c] = (behind * (1 - onFloor) + (floor?.[c] ?? 0) * onFloor) * pool;
      }
    }
  }
  return { rgb: Buffer.from(toBytes(light)), mask: paintMask(seam) };
}

/** The wall at half size: it is out of focus, as behind any product photo. Three planes of linear light. */
function paintWall(recipe: Recipe, point: Point): Float32Array[] {
  const planes = [0, 1, 2].map(() => new Float32Array(WALL_SIZE * WALL_SIZE));
  const last = Math.ceil((HORIZON + SEAM) * WALL_SIZE) + 8;
  for (let i = 0; i < WALL_SIZE * Math.min(WALL_SIZE, last); i += 1) {
    const x = i % WALL_SIZE;
    point.u = (x + 0.5) / WALL_SIZE;
    point.v = ((i - x) / WALL_SIZE + 0.5) / WALL_SIZE;
    const colour = recipe.wall(point);
    for (let c = 0; c < 3; c += 1) planes[c]![i] = colour[c]!;
  }
  const sigma = ((recipe.blur ?? LEAST_BLUR) * WALL_SIZE) / PLATE_SIZE;
  return planes.map((plane) => softBlur(plane, WALL_SIZE, WALL_SIZE, sigma));
}

function paintMask(seam: number): Buffer {
  const mask = Buffer.alloc(MASK_SIZE * MASK_SIZE * 3);
  for (let i = 0; i < MASK_SIZE * MASK_SIZE; i += 1) {
    const below = Math.floor(i / MASK_SIZE) / MASK_SIZE - HORIZON;
    mask[i * 3] = below <= 0 ? 255 : 0;
    mask[i * 3 + 1] = Math.round(255 * Math.min(1, Math.max(0, below / seam)));
  }
  return mask;
}

/** Brighter to the upper left, where the light comes from. */
function poolOfLight(u: number, v: number): number {
  return 0.62 + 0.5 * Math.exp(-2.2 * ((u - 0.38) ** 2 + (v - 0.5) ** 2));
}

function toLightColour(hex: string): Light {
  return hexToBytes(hex).map(byteToLight) as Light;
}
