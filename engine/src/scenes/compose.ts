/** Composes a scene: the product in a plate, with its shadows and reflection. */
import { resizeBytes } from '../pixels/decode.ts';
import { mapFloats, scaleSize, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { makeSampler, markReached, resizePlane, sample, type Sampler } from '../pixels/sample.ts';
import { showPlate, type Backdrop } from './backdrop.ts';
import { type Brief } from '../words/brief.ts';
import { findMood } from './light.ts';
import { byteToLight, lightToByte, toBytes, toLight } from '../pixels/colour.ts';
import { findContact } from './contact.ts';
import type { Frame } from './frame.ts';
import { isPlainStudio, type Plate, type PlatePictures } from './plates.ts';
import { scaleProduct, type Product } from './product.ts';
import { makeShadows, makeWallShadow, mirrorProduct, type Mirrored, type Shadows } from './shadows.ts';

const FAINTEST = 0.002; // share of light: less does not change a byte
const SHADOW_SIDE = 768; // px: shadows and reflections are soft enough for a small copy of the frame

/**
 * Composes the scene. Draws only the part of the product inside the frame, because it may be many times as large.
 *
 * @param plate mirrored already, if the scene is. @param hangs on the wall instead of standing
 */
export async function composeScene(
  plate: Plate,
  pictures: PlatePictures,
  frame: Frame,
  product: Product,
  brief: Brief,
  hangs = false,
): Promise<Rgb> {
  const backdrop = await showPlate(plate, pictures, frame, brief);
  if (!product.isCutBelow || hangs || plate.view === 'above' || isPlainStudio(plate)) {
    const shade = await shadeFrame(soften(plate, brief), backdrop, frame, product, hangs);
    darken(backdrop.light, shade, frame, plate);
  }
  const rgb = toBytes(backdrop.light);
  await layProduct(rgb, product, frame);
  return { width: frame.width, height: frame.height, data: rgb };
}

/** Clips the faintest alpha, which is residue of the photo's own shadow. */
function clipFaintAlpha(byte: number): number {
  return Math.min(1, Math.max(0, (byte / 255 - 0.05) / 0.93));
}

/** Adjusts the softness of the plate's light to the words. */
function soften(plate: Plate, brief: Brief): Plate {
  const softness = Math.min(1, Math.max(0.05, plate.light.softness + findMood(brief, plate.words).softness));
  return { ...plate, light: { ...plate.light, softness } };
}

type Shade = Size & Shadows & { mirrored?: Mirrored; ground: Plane };

async function shadeFrame(
  plate: Plate,
  backdrop: Backdrop,
  frame: Frame,
  product: Product,
  hangs: boolean,
): Promise<Shade> {
  const shrink = Math.min(1, SHADOW_SIDE / Math.max(frame.width, frame.height));
  const picture = scaleSize(frame, shrink);
  const size = scaleSize(scaleSize(product, frame.productScale), shrink, 4);
  const bytes = await resizeBytes(product.alpha, product, 1, size);
  const alpha = { ...size, data: mapFloats(bytes, clipFaintAlpha) };
  const scale = frame.scale * shrink;
  const at = { left: Math.round(frame.left * shrink), top: Math.round(frame.top * shrink) };
  const ground = resizePlane(backdrop.ground, picture);
  const caster = { alpha, contact: findContact(alpha), ...at, scale, crop: frame.crop };
  const isOnWall = (product.isCutBelow || hangs) && plate.view === 'eye';
  const shadows = isOnWall ? makeWallShadow(plate, caster, ground) : makeShadows(plate, caster, ground);
  const shade: Shade = { ...picture, ground, ...shadows };
  if (plate.reflection.strength > 0 && plate.view === 'eye' && !isOnWall) {
    const rgb = toLight(await resizeBytes(product.data, product, 3, size));
    shade.mirrored = mirrorProduct({ ...caster, rgb }, picture, plate.reflection.blurPx * scale);
  }
  return shade;
}

/** Darkens the scene by the blocked light. */
function darken(light: Float32Array, shade: Shade, frame: Frame, plate: Plate): void {
  const castStrength = 0.95 * plate.light.shadowStrength;
  const contactStrength = 0.47 + 0.38 * plate.light.shadowStrength;
  const sampler = makeSampler(shade, frame);
  const parts = [shade.cast, shade.contact, ...(shade.mirrored ? [shade.mirrored.alpha] : [])];
  const isChanged = markReached(shade, (i) => parts.some(({ data }) => data[i]! > FAINTEST));
  for (let i = 0; i * 3 < light.length; i += 1) {
    const x = i % frame.width;
    const y = (i - x) / frame.width;
    if (!isChanged[sampler.rowAt(y) + sampler.columnAt(x)]) continue;
    sampler.moveTo(x, y);
    const cast = sample(sampler, shade.cast.data) * castStrength;
    const contact = sample(sampler, shade.contact.data) * contactStrength;
    for (let c = 0; c < 3; c += 1) light[i * 3 + c]! *= (1 - cast) * (1 - contact);
    addMirror(light, i, sampler, shade, plate.reflection.strength);
  }
}

function addMirror(light: Float32Array, i: number, sampler: Sampler, shade: Shade, strength: number): void {
  const { ground, mirrored } = shade;
  if (!mirrored) return;
  const alpha = sample(sampler, mirrored.alpha.data);
  if (alpha < FAINTEST) return;
  const weight = strength * sample(sampler, ground.data);
  for (let c = 0; c < 3; c += 1) {
    light[i * 3 + c] = light[i * 3 + c]! * (1 - alpha * weight) + sample(sampler, mirrored.rgb[c]!.data) * weight;
  }
}

/** Draws the product. Opaque pixels are copied byte for byte, because sellers need true colours. */
async function layProduct(rgb: Uint8Array, product: Product, frame: Frame): Promise<void> {
  const { productScale: scale, width, height } = frame;
  const size = scaleSize(product, scale);
  const [left, top] = [Math.max(0, frame.left), Math.max(0, frame.top)];
  const part = {
    left: left - frame.left,
    top: top - frame.top,
    width: Math.min(width, frame.left + size.width) - left,
    height: Math.min(height, frame.top + size.height) - top,
  };
  if (part.width <= 0 || part.height <= 0) return;
  const shown = await scaleProduct(product, scale, part);
  for (let i = 0; i < shown.alpha.length; i += 1) {
    const alpha = clipFaintAlpha(shown.alpha[i]!);
    if (alpha === 0) continue;
    const column = i % part.width;
    const to = ((top + (i - column) / part.width) * width + left + column) * 3;
    for (let c = 0; c < 3; c += 1) rgb[to + c] = blend(rgb[to + c]!, shown.data[i * 3 + c]!, alpha);
  }
}

/** Blends in linear light. */
function blend(below: number, above: number, alpha: number): number {
  if (alpha >= 1) return above;
  return lightToByte(byteToLight(below) * (1 - alpha) + byteToLight(above) * alpha);
}
