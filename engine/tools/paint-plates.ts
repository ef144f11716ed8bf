/**
 * Paints the plates that no set was built for: a backdrop and a floor of noise and simple shapes, in linear light.
 * `node engine/tools/paint-plates.ts [id ...]` writes their pictures into `engine/assets/plates`, whose `plates.json`
 * says the rest.
 */
import { softBlur } from '../src/pixels/blur.ts';
import { byteToLight } from '../src/pixels/colour.ts';
import { makeNoise } from '../src/pixels/noise.ts';
import { makePlane, type Plane } from '../src/pixels/plane.ts';
import { makeSampler, sample } from '../src/pixels/sample.ts';
import { hexToBytes } from '../src/scenes/colours.ts';
import { MASK_SIZE, PLATE_SIZE } from '../src/scenes/plates.ts';
import { interiors } from './interiors.ts';
import { moods } from './moods.ts';
import { patterns } from './patterns.ts';
import { writePlate } from './plate-files.ts';
import type { Light, Point, Recipe } from './recipe.ts';

const HORIZON = 0.56;
const SEAM = 0.09; // of the height: the floor fades into the wall, as on a paper sweep
const CORNER = 0.012;
const WALL_SIZE = PLATE_SIZE / 2;
const LEAST_BLUR = 2.2;
const SEED = 7;
const STAND = { x: 768, y: 1182 }; // of the product, in plates.json
const PER_METRE = 3000;

const recipes: Readonly<Record<string, Recipe>> = { ...patterns, ...interiors, ...moods };
const wanted = process.argv.slice(2);
for (const [id, recipe] of Object.entries(recipes)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  await writePlate(id, paintLight(recipe), paintMask(recipe.hasCorner ? CORNER : SEAM));
}

function paintLight(recipe: Recipe): Float32Array {
  const light = new Float32Array(PLATE_SIZE * PLATE_SIZE * 3);
  const noise = makeNoise(SEED);
  const main = toLightColour(recipe.main);
  const second = toLightColour(recipe.second);
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
        const behind = onFloor < 1 ? sample(sampler, wall[c]!.data) : 0;
        light[(y * PLATE_SIZE + x) * 3 + c] = (behind * (1 - onFloor) + (floor?.[c] ?? 0) * onFloor) * pool;
      }
    }
  }
  return light;
}

/** The wall at half size: it is out of focus, as behind any product photo. Three planes of linear light. */
function paintWall(recipe: Recipe, point: Point): Plane[] {
  const planes = [0, 1, 2].map(() => makePlane({ width: WALL_SIZE, height: WALL_SIZE }));
  const last = Math.ceil((HORIZON + SEAM) * WALL_SIZE) + 8;
  for (let i = 0; i < WALL_SIZE * Math.min(WALL_SIZE, last); i += 1) {
    const x = i % WALL_SIZE;
    point.u = (x + 0.5) / WALL_SIZE;
    point.v = ((i - x) / WALL_SIZE + 0.5) / WALL_SIZE;
    const colour = recipe.wall(point);
    for (let c = 0; c < 3; c += 1) planes[c]!.data[i] = colour[c]!;
  }
  const sigma = ((recipe.blur ?? LEAST_BLUR) * WALL_SIZE) / PLATE_SIZE;
  return planes.map((plane) => softBlur(plane, sigma));
}

/** All plates with the same seam share one mask. */
function paintMask(seam: number): { name: string; bytes: Buffer } {
  const mask = Buffer.alloc(MASK_SIZE * MASK_SIZE * 3);
  for (let i = 0; i < MASK_SIZE * MASK_SIZE; i += 1) {
    const below = Math.floor(i / MASK_SIZE) / MASK_SIZE - HORIZON;
    mask[i * 3] = below <= 0 ? 255 : 0;
    mask.fill(Math.round(255 * Math.min(1, Math.max(0, below / seam))), i * 3 + 1, i * 3 + 3);
  }
  return { name: seam === CORNER ? 'painted-corner.mask.png' : 'painted-sweep.mask.png', bytes: mask };
}

/** Brighter to the upper left, where the light comes from. */
function poolOfLight(u: number, v: number): number {
  return 0.62 + 0.5 * Math.exp(-2.2 * ((u - 0.38) ** 2 + (v - 0.5) ** 2));
}

function toLightColour(hex: string): Light {
  return hexToBytes(hex).map(byteToLight) as Light;
}
