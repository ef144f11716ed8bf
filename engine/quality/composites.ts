// Test pictures with exactly known alpha: our products, by their true masks, in front of painted backgrounds.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { estimateForeground } from '../src/matting/foreground.ts';
import type { Picture } from '../src/pixels/decode.ts';
import { makeNoise, type Noise } from '../src/pixels/noise.ts';
import { softBlur } from '../src/pixels/planes.ts';
import { makeRandom } from '../src/pixels/random.ts';

export const PRODUCTS = [
  'mug',
  'dropper',
  'handbag',
  'kettle',
  'teddy',
  'ringvase',
  'headphones',
  'candle',
  'wineglass',
];
export const SURFACES = ['plain', 'white', 'wood', 'busy', 'others near'] as const;
export type Surface = (typeof SURFACES)[number];

export interface Sample {
  picture: Picture;
  /** 0..1, the truth. */
  alpha: Float32Array;
}

const FOLDER = fileURLToPath(new URL('./pictures/', import.meta.url));

export function productPath(name: string): string {
  return `${FOLDER}${name}.jpg`;
}

/** The photo itself with its true mask, its long side at most `longSide`. */
export async function readSample(name: string, longSide: number): Promise<Sample> {
  const shrunk = sharp(await readFile(productPath(name))).resize(longSide, longSide, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await shrunk.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { picture: { width, height, rgb: data }, alpha: await readMask(name, width, height) };
}

export async function readMask(name: string, width: number, height: number): Promise<Float32Array> {
  const mask = await sharp(`${FOLDER}${name}.mask.png`)
    .resize(width, height, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  return Float32Array.from(mask, (value) => value / 255);
}

/** The product of a sample, with its own light, in front of another background; shadow on the floor included. */
export function compose(sample: Sample, surface: Surface, seed: number): Sample {
  const { width, height } = sample.picture;
  const front = estimateForeground(sample.picture, sample.alpha);
  const back = paintSurface(surface, width, height, seed);
  const shade = castShade(sample.alpha, width, height);
  const rgb = new Uint8Array(width * height * 3);
  const random = makeRandom(seed);
  for (let i = 0; i < sample.alpha.length; i += 1) {
    const a = sample.alpha[i]!;
    const grain = (random() - 0.5) * 3;
    for (let c = 0; c < 3; c += 1) {
      const behind = back[i * 3 + c]! * (1 - 0.45 * shade[i]!);
      rgb[i * 3 + c] = clampByte(front[i * 3 + c]! * a + behind * (1 - a) + grain);
    }
  }
  return { picture: { width, height, rgb }, alpha: sample.alpha };
}

/** What a phone makes of it: white balance, vignetting, luma and chroma noise, blur, JPEG. */
export async function shootByPhone({ picture, alpha }: Sample, seed: number): Promise<Sample> {
  const { width, height } = picture;
  const random = makeRandom(seed ^ 0x51ed);
  const balance = [1.05, 1, 0.9];
  const chroma = [0, 1, 2].map(() =>
    softBlur(
      Float32Array.from(alpha, () => random() - 0.5),
      width,
      height,
      1.5,
    ),
  );
  const rgb = new Uint8Array(picture.rgb.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const x = (i % width) / width - 0.5;
    const y = Math.floor(i / width) / height - 0.5;
    const light = 1 - 0.5 * (x * x + y * y);
    const luma = (random() + random() + random() - 1.5) * 9;
    for (let c = 0; c < 3; c += 1) {
      rgb[i * 3 + c] = clampByte(picture.rgb[i * 3 + c]! * balance[c]! * light + luma + chroma[c]![i]! * 40);
    }
  }
  const raw = { raw: { width, height, channels: 3 as const } };
  const jpeg = await sharp(rgb, raw).blur(0.6).jpeg({ quality: 78 }).toBuffer();
  return { picture: { width, height, rgb: await sharp(jpeg).raw().toBuffer() }, alpha };
}

const WALLS = [
  [178, 196, 205],
  [205, 186, 170],
  [150, 168, 150],
  [196, 196, 198],
] as const;

const WOODS = [
  [176, 128, 84],
  [196, 184, 168],
  [104, 72, 50],
  [150, 144, 136],
] as const;

function paintSurface(surface: Surface, width: number, height: number, seed: number): Float32Array {
  const noise = makeNoise(seed);
  const out = new Float32Array(width * height * 3);
  const wall = surface === 'white' ? ([246, 246, 247] as const) : WALLS[seed % WALLS.length]!;
  for (let i = 0; i < width * height; i += 1) {
    const u = (i % width) / width;
    const v = Math.floor(i / width) / height;
    const colour = colourAt(surface, wall, noise, seed, u, v);
    const light =
      surface === 'wood' || surface === 'busy'
        ? 1
        : 1.02 - 0.1 * v * v - 0.06 * (u - 0.3) ** 2 - (surface === 'white' ? 0 : 0.06 * u);
    for (let c = 0; c < 3; c += 1) out[i * 3 + c] = colour[c]! * light;
  }
  return out;
}

function colourAt(
  surface: Surface,
  wall: readonly number[],
  noise: Noise,
  seed: number,
  u: number,
  v: number,
): readonly number[] {
  if (surface === 'wood') return paintWood(noise, WOODS[seed % WOODS.length]!, u, v);
  if (surface === 'busy') return paintBricks(noise, u, v);
  return surface === 'others near' ? paintNeighbours(wall, u, v) : wall;
}

/** A brick wall with rough mortar. */
function paintBricks(noise: Noise, u: number, v: number): [number, number, number] {
  const row = Math.floor(v * 14);
  const along = u * 6 + (row % 2) * 0.5;
  const brick = Math.floor(along);
  const rough = noise.sum(u * 90, v * 90, 3) * 0.16;
  const isMortar =
    Math.min(along - brick, brick + 1 - along) * 2.3 < 0.09 || Math.abs(v * 14 - Math.round(v * 14)) < 0.09;
  if (isMortar) return [186 * (1 + rough), 180 * (1 + rough), 172 * (1 + rough)];
  const tone = (0.8 + 0.4 * noise.cell(brick, row)) * (1 + rough);
  return [158 * tone, 96 * tone, 74 * tone];
}

/** x, y, half width, half height, all of the picture; colour. */
const NEIGHBOURS = [
  [0.03, 0.62, 0.08, 0.2, 62, 110, 146],
  [0.97, 0.58, 0.07, 0.16, 208, 168, 72],
  [0.9, 0.2, 0.12, 0.07, 120, 88, 140],
] as const;

/** Other things, cut off by the frame or behind the product. */
function paintNeighbours(wall: readonly number[], u: number, v: number): readonly number[] {
  for (const [x, y, wide, high, ...colour] of NEIGHBOURS) {
    const [across, down] = [(u - x) / wide, (v - y) / high];
    if (across ** 4 + down ** 4 < 1) return colour.map((part) => part * (1.1 - 0.25 * across ** 2 - 0.15 * down));
  }
  return wall;
}

function paintWood(noise: Noise, wood: readonly number[], u: number, v: number): [number, number, number] {
  const plank = Math.floor(v * 4);
  const tone = 0.85 + 0.3 * noise.cell(plank, 3);
  const along = u * 2.2 + plank * 7.7;
  const rings = Math.sin(v * 70 + 6 * noise.sum(along, v * 9, 3)) * 0.07;
  const fibre = noise.sum(along * 5, v * 110, 2) * 0.1;
  const gap = Math.abs(v * 4 - Math.round(v * 4)) < 0.012 ? 0.55 : 1;
  const light = (tone + rings + fibre) * gap;
  return [wood[0]! * light, wood[1]! * light, wood[2]! * light];
}

/** Soft shadow below and right of the product, darkest at its foot. */
function castShade(alpha: Float32Array, width: number, height: number): Float32Array {
  const squashed = new Float32Array(alpha.length);
  let foot = 0;
  for (let i = 0; i < alpha.length; i += 1) if (alpha[i]! > 0.5) foot = Math.floor(i / width);
  for (let y = 0; y < height; y += 1) {
    const from = Math.round(foot - (foot - y) * 3.2);
    if (from < 0 || from >= height) continue;
    for (let x = 0; x < width; x += 1) {
      const sx = Math.round(x - (foot - y) * 0.9);
      if (sx >= 0 && sx < width) squashed[y * width + x] = alpha[from * width + sx]!;
    }
  }
  const wide = softBlur(squashed, width, height, width / 40);
  const near = softBlur(squashed, width, height, width / 160);
  return wide.map((value, i) => 0.6 * value + 0.4 * near[i]!);
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
}
