// One finished scene: the product, standing in a plate, with the shadows and the reflection it would have there.
import { byteToLight, lightToByte, toBytes, toLight } from '../pixels/light.ts';
import { makeSampler, sample, type Sampler } from '../pixels/sampler.ts';
import { resizePlane } from '../pixels/planes.ts';
import { mapFloats } from '../pixels/map.ts';
import { showPlate, type Backdrop } from './backdrop.ts';
import type { Brief } from './brief.ts';
import { hexToBytes } from './colours.ts';
import { isDarkAround, peelEdge } from './dark-edge.ts';
import { findFoot } from './foot.ts';
import type { Frame } from './frame.ts';
import { PLATE_SIZE, type Matrix, type Plate, type PlatePictures } from './plates.ts';
import { resizeBytes, type Product } from './product.ts';
import { mirrorProduct, type Mirrored } from './reflection.ts';
import { footDepth, makeShadows, type Standing } from './shadows.ts';

export interface Scene {
  width: number;
  height: number;
  rgb: Uint8Array;
  /** Where the product's top left corner came to lie. */
  left: number;
  top: number;
}

const SHADED_MIRROR = 0.65; // a glossy floor, too, is dark where the product stands
const SHADOW_SIDE = 768; // shadows and reflections are soft: a small copy of the frame is enough

export async function composeScene(
  source: Plate,
  pictures: PlatePictures,
  frame: Frame,
  product: Product,
  brief: Brief,
): Promise<Scene> {
  const plate = frame.isMirrored ? mirrorPlate(source) : source;
  const backdrop = await showPlate(plate, pictures, frame, brief);
  const cover = mapFloats(product.alpha, tightenEdge);
  const { left, top } = placeProduct(plate, frame, product, cover);
  const isDark = isDarkAround(backdrop.light, frame, { ...product, left, top });
  const alpha = isDark ? peelEdge({ ...product, alpha: cover }) : cover;
  if (!product.place) {
    const shade = await shadeFrame(plate, backdrop, frame, { ...product, alpha, left, top });
    darken(backdrop.light, shade, frame, plate);
  }
  const rgb = toBytes(backdrop.light);
  layProduct(rgb, product, alpha, frame, { left, top });
  if (backdrop.front) layFront(rgb, backdrop.front);
  return { width: frame.width, height: frame.height, rgb, left, top };
}

/** On the stand point; what the upload's border cut off stays where it was and stands on nothing. */
function placeProduct(
  plate: Plate,
  frame: Frame,
  product: Product,
  alpha: Float32Array,
): { left: number; top: number } {
  const { place } = product;
  if (place)
    return { left: Math.round(place.left * frame.productScale), top: Math.round(place.top * frame.productScale) };
  const foot = findFoot(alpha, product.width, product.height);
  const standX = (plate.stand.x - frame.crop.x) * frame.scale;
  const standY = (plate.stand.y - frame.crop.y) * frame.scale;
  const left = Math.round(standX - foot.anchor);
  const top = Math.round(standY + footDepth(plate, foot.width)) - Math.round(foot.bottom);
  return { left, top };
}

/** The faintest cover is a crumb of old shadow and goes. */
function tightenEdge(byte: number): number {
  return Math.min(1, Math.max(0, (byte / 255 - 0.05) / 0.93));
}

/** The same set, seen in a mirror. */
function mirrorPlate(plate: Plate): Plate {
  const [a, b, c, d, e, f, g, h, k] = plate.floor;
  return {
    ...plate,
    stand: { ...plate.stand, x: PLATE_SIZE - plate.stand.x },
    floor: [PLATE_SIZE * -g + a, PLATE_SIZE * h - b, PLATE_SIZE * k - c, -d, e, f, -g, h, k],
    light: { ...plate.light, azimuthDeg: -plate.light.azimuthDeg },
  };
}

interface Shade {
  width: number;
  height: number;
  cast: Float32Array;
  contact: Float32Array;
  mirrored?: Mirrored;
  surface: Float32Array;
}

type PlacedProduct = Omit<Product, 'alpha'> & { alpha: Float32Array; left: number; top: number };

async function shadeFrame(plate: Plate, backdrop: Backdrop, frame: Frame, product: PlacedProduct): Promise<Shade> {
  const shrink = Math.min(1, SHADOW_SIDE / Math.max(frame.width, frame.height));
  const width = Math.round(frame.width * shrink);
  const height = Math.round(frame.height * shrink);
  const w = Math.max(4, Math.round(product.width * shrink));
  const h = Math.max(4, Math.round(product.height * shrink));
  const alpha = resizePlane(product.alpha, product.width, product.height, w, h);
  const scale = frame.scale * shrink;
  const toPicture: Matrix = [scale, 0, -frame.crop.x * scale, 0, scale, -frame.crop.y * scale, 0, 0, 1];
  const standing: Standing = { alpha, width: w, height: h, foot: findFoot(alpha, w, h), scale, toPicture };
  const surface = resizePlane(backdrop.surface, backdrop.maskWidth, backdrop.maskHeight, width, height);
  const shade: Shade = { width, height, surface, ...makeShadows(plate, standing, { width, height, surface }) };
  if (plate.reflection.strength > 0) {
    const bytes = await resizeBytes(product.rgb, product, 3, w, h);
    const rgb = toLight(bytes);
    const placed = {
      rgb,
      alpha,
      width: w,
      height: h,
      left: Math.round(product.left * shrink),
      top: Math.round(product.top * shrink),
    };
    shade.mirrored = mirrorProduct(placed, width, height, plate.reflection.blurPx * scale);
  }
  return shade;
}

/** Takes the missing light off the scene, in the colour of what is left: the surroundings' own light. */
function darken(light: Float32Array, shade: Shade, frame: Frame, plate: Plate): void {
  const ambient = hexToBytes(plate.light.ambient).map(byteToLight);
  const brightest = Math.max(...ambient);
  const kept = ambient.map((part) => 1 - (0.16 * part) / brightest);
  const castStrength = Math.min(0.85, plate.light.shadowStrength * 1.1);
  const contactStrength = 0.55 + 0.45 * plate.light.shadowStrength;
  const sampler = makeSampler(shade, frame);
  for (let i = 0; i * 3 < light.length; i += 1) {
    const x = i % frame.width;
    sampler.moveTo(x, (i - x) / frame.width);
    const cast = sample(sampler, shade.cast) * castStrength;
    const contact = sample(sampler, shade.contact) * contactStrength;
    for (let c = 0; c < 3; c += 1) light[i * 3 + c]! *= (1 - cast * kept[c]!) * (1 - contact * kept[c]!);
    if (shade.mirrored) addMirror(light, i, sampler, shade, plate.reflection.strength);
  }
}

function addMirror(
  light: Float32Array,
  i: number,
  sampler: Sampler,
  { mirrored, surface, contact }: Shade,
  strength: number,
): void {
  if (!mirrored) return;
  const cover = sample(sampler, mirrored.cover);
  if (cover < 0.002) return;
  const weight = strength * sample(sampler, surface) * (1 - SHADED_MIRROR * sample(sampler, contact));
  for (let c = 0; c < 3; c += 1) {
    light[i * 3 + c] = light[i * 3 + c]! * (1 - cover * weight) + sample(sampler, mirrored.rgb, 3, c) * weight;
  }
}

/** Opaque pixels are copied byte for byte: a seller needs the true colour. */
function layProduct(
  rgb: Uint8Array,
  product: Product,
  alpha: Float32Array,
  frame: Frame,
  at: { left: number; top: number },
): void {
  for (let i = 0; i < alpha.length; i += 1) {
    const cover = alpha[i]!;
    if (cover === 0) continue;
    const column = i % product.width;
    const x = at.left + column;
    const y = at.top + (i - column) / product.width;
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) continue;
    const to = (y * frame.width + x) * 3;
    for (let c = 0; c < 3; c += 1) rgb[to + c] = blend(rgb[to + c]!, product.rgb[i * 3 + c]!, cover);
  }
}

function layFront(rgb: Uint8Array, front: Buffer): void {
  for (let i = 0; i * 3 < rgb.length; i += 1) {
    const cover = front[i * 4 + 3]! / 255;
    if (cover === 0) continue;
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = blend(rgb[i * 3 + c]!, front[i * 4 + c]!, cover);
  }
}

/** Mixes in linear light. */
function blend(below: number, above: number, cover: number): number {
  if (cover >= 1) return above;
  return lightToByte(byteToLight(below) * (1 - cover) + byteToLight(above) * cover);
}
