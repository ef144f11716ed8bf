/** The shadow or reflection of a product on white or on transparency. */
import { lightToByte, toLight } from '../pixels/colour.ts';
import { findBox } from '../pixels/mask.ts';
import { toAlpha, cutPlane, cutRgb, smoothStep, type Box, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { blursOf, shadowLength } from './cast.ts';
import { findContact } from './contact.ts';
import { type Floor, PLATE_SIZE } from './plates.ts';
import { VISIBLE } from './product.ts';
import { makeShadows, mirrorProduct, type Mirrored, type Caster } from './shadows.ts';

export const SHADOW_KINDS = ['contact', 'soft', 'reflection'] as const;
export type ShadowKind = (typeof SHADOW_KINDS)[number];

const METRE_PX = 600; // plate pixels per metre
const FLATTER = 0.35; // vertical foreshortening of the floor
const LIGHT = { elevationDeg: 48, softness: 0.75, shadowStrength: 0.42 };
const STANDING_STRENGTH = { cast: LIGHT.shadowStrength, contact: 0.5 };
const FLAT_STRENGTH = { cast: 0.5, contact: 0.5 };
const MIRROR = { strength: 0.32, blurPx: 5 };
// Of the frame's short side: a margin without shadow, because JPEG blocks at the border would show it.
const EDGE = 0.02;
const OVERHEAD_DEG = 89.9;
const MIN_SPARE = 0.25; // of the room beside a product: least length of its shadow, however wide its blur is
const ROOMY = 1.5; // times the room for which a contact shadow is sized: it fades out anyway

/**
 * Draws a product's shadow (black) or reflection (its own colours) as RGBA of the frame's size, straight alpha. It
 * shrinks to the room around the product, so that it fades before the frame ends.
 * @param shown the product in its frame. @param alpha its alpha, 0..255
 * @param azimuthDeg direction of the light, clockwise: 0 from the viewer, 90 from the right
 * @param isFlat true if it lies and is seen from above: its shadow surrounds it
 */
export function shadeAlone(
  shown: Rgb,
  alpha: Uint8Array,
  kind: ShadowKind,
  azimuthDeg: number,
  isFlat: boolean,
): Uint8Array {
  const size = { width: shown.width, height: shown.height };
  const box = findBox({ ...size, data: alpha }, 0, VISIBLE);
  if (!box) throw new Error('nothing stands in the frame');
  const productAlpha = cutPlane(toAlpha(shown, alpha), box);
  const contact = findContact(productAlpha);
  const scale = Math.max(shown.width, shown.height) / PLATE_SIZE;
  const free = findRoom(shown, box);
  const caster: Caster = {
    alpha: productAlpha,
    contact,
    left: box.left,
    top: box.top,
    scale,
    crop: { x: 0, y: 0 },
  };
  const lies = isFlat && kind !== 'reflection';
  const strengths = lies ? FLAT_STRENGTH : STANDING_STRENGTH;
  const elevationDeg = kind === 'soft' ? LIGHT.elevationDeg : OVERHEAD_DEG;
  const light = { ...LIGHT, azimuthDeg, elevationDeg };
  const standing = placeFloor(caster, free, light);
  const floor: Floor = lies ? { ...standing.floor, view: 'above', light } : standing.floor;
  const room = lies ? Math.min(...Object.values(free)) : standing.room;
  const everywhere: Plane = { ...size, data: new Float32Array(alpha.length).fill(1) };
  const shadows = makeShadows(floor, { ...caster, room }, everywhere);
  const out = new Uint8Array(shown.width * shown.height * 4);
  const cast = kind === 'soft' ? strengths.cast : 0;
  const fade = makeFade(shown, free);
  for (let i = 0; i * 4 < out.length; i += 1) {
    const left = (1 - shadows.cast.data[i]! * cast) * (1 - shadows.contact.data[i]! * strengths.contact);
    out[i * 4 + 3] = 255 - lightToByte(1 - (1 - left) * fade(i)); // black that leaves exactly this light over white
  }
  if (kind === 'reflection') {
    const rgb = toLight(cutRgb(shown, box).data);
    const mirrored = mirrorProduct({ ...caster, rgb }, shown, MIRROR.blurPx * scale, free.bottom);
    layMirror(out, fade, mirrored);
  }
  return out;
}

type Room = Record<'left' | 'top' | 'right' | 'bottom', number>;

/** Pixels on each side of the product that a shadow may use. */
function findRoom({ width, height }: Rgb, box: Box): Room {
  const edge = Math.ceil(EDGE * Math.min(width, height));
  return {
    left: Math.max(0, box.left - edge),
    top: Math.max(0, box.top - edge),
    right: Math.max(0, width - box.left - box.width - edge),
    bottom: Math.max(0, height - box.top - box.height - edge),
  };
}

/** A floor through the foot under a lamp high enough for the shadow to end within the room, and that room in pixels. */
function placeFloor(
  { alpha, contact, left, top, scale }: Caster,
  free: Room,
  light: Floor['light'],
): { floor: Floor; room: number } {
  const [x, y] = [(left + (contact.left + contact.right) / 2) / scale, (top + contact.ground) / scale];
  const azimuth = (light.azimuthDeg * Math.PI) / 180;
  const [aside, ahead] = [Math.sin(azimuth), Math.cos(azimuth)].map((part) => part * alpha.height) as [number, number];
  const blur = blursOf(light.softness)[2] * scale;
  const spare = (side: number) => Math.max(1, side - blur, MIN_SPARE * side);
  const maxReach = Math.min(
    shadowLength(light.elevationDeg),
    spare(aside > 0 ? free.left : free.right) / Math.abs(aside),
    ahead < 0 ? spare(free.bottom) / (-ahead * FLATTER) : Infinity,
  );
  const elevationDeg = (Math.atan2(1, maxReach) * 180) / Math.PI;
  const room = Math.min(free.bottom, free.left + contact.left, free.right + alpha.width - contact.right);
  const floor: Floor['floor'] = [METRE_PX, 0, x, 0, -METRE_PX * FLATTER, y, 0, 0, 1]; // infinite
  return { floor: { view: 'eye', floor, light: { ...light, elevationDeg } }, room: ROOMY * room };
}

function layMirror(out: Uint8Array, fade: (i: number) => number, { rgb, alpha: opacity }: Mirrored): void {
  for (let i = 0; i * 4 < out.length; i += 1) {
    const value = opacity.data[i]!;
    const weight = MIRROR.strength * value * fade(i);
    if (weight < 0.002) continue;
    const below = out[i * 4 + 3]! / 255;
    const alpha = weight + below * (1 - weight);
    for (let c = 0; c < 3; c += 1) {
      const mirrored = lightToByte(rgb[c]!.data[i]! / value);
      out[i * 4 + c] = Math.round((mirrored * weight) / alpha);
    }
    out[i * 4 + 3] = Math.round(alpha * 255);
  }
}

/** 1 beside the product, falling to 0 at the frame over all of the room. */
function makeFade({ width, height }: Size, free: Room): (i: number) => number {
  const edge = EDGE * Math.min(width, height);
  const along = (length: number, before: number, after: number) =>
    Float32Array.from({ length }, (_, at) => {
      const fade = (distance: number, room: number) => smoothStep(edge, edge + Math.max(1, room), distance);
      return fade(at, before) * fade(length - 1 - at, after);
    });
  const [columns, rows] = [along(width, free.left, free.right), along(height, free.top, free.bottom)];
  return (i) => columns[i % width]! * rows[Math.floor(i / width)]!;
}
