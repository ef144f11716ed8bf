/** The shadow or the reflection of a product that stands on nothing but white, or on nothing at all. */
import { lightToByte, toLight } from '../pixels/colour.ts';
import { findBox } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { findContact } from './contact.ts';
import { PLATE_SIZE, type Plate } from './plates.ts';
import { mirrorProduct } from './reflection.ts';
import { makeShadows, type Standing } from './shadows.ts';

export const SHADOW_KINDS = ['contact', 'soft', 'reflection'] as const;
export type ShadowKind = (typeof SHADOW_KINDS)[number];

const VISIBLE = 24; // of 255
const METRE_PX = 600; // of a plate
const FLATTER = 0.35; // of the floor's depth is seen, from the height of a hand
const LIGHT = { elevationDeg: 48, softness: 0.75, ambient: '#ffffff', shadowStrength: 0.42 };
const CONTACT_DARK = 0.5;
const MIRROR = { strength: 0.32, blurPx: 5 };
// Of the frame's shorter side: a shadow fades there, and ends before the blocks of a JPEG at the edge begin.
const FADE = { from: 0.06, to: 0.02 };

/**
 * What lies under the product, of the frame's size, straight alpha: black for a shadow, the product's own colours for a
 * reflection. Nothing of it reaches the frame's edge.
 * @param shown the product where it stands in its frame. @param alpha its cover, 0..255
 * @param azimuthDeg where the light comes from, clockwise: 0 from the viewer, 90 from the right
 */
export function shadeAlone(shown: Rgb, alpha: Uint8Array, kind: ShadowKind, azimuthDeg: number): Uint8Array {
  const box = findBox({ ...shown, data: alpha }, 0, VISIBLE);
  if (!box) throw new Error('nothing stands in the frame');
  const whole: Plane = {
    width: shown.width,
    height: shown.height,
    data: Float32Array.from(alpha, (byte) => byte / 255),
  };
  const cover = cutPlane(whole, box);
  const contact = findContact(cover);
  const scale = Math.max(shown.width, shown.height) / PLATE_SIZE;
  const standing: Standing = {
    alpha: cover,
    contact,
    left: box.left,
    top: box.top,
    scale,
    toPicture: [scale, 0, 0, 0, scale, 0, 0, 0, 1],
  };
  const foot = { x: (box.left + (contact.left + contact.right) / 2) / scale, y: (box.top + contact.ground) / scale };
  const everywhere = makePlane(shown);
  everywhere.data.fill(1);
  const shadows = makeShadows(makeFloor(foot, azimuthDeg), standing, everywhere);
  const out = new Uint8Array(shown.width * shown.height * 4);
  const cast = kind === 'soft' ? LIGHT.shadowStrength : 0;
  layShadow(out, shown, (i) => (1 - shadows.cast.data[i]! * cast) * (1 - shadows.contact.data[i]! * CONTACT_DARK));
  if (kind === 'reflection') {
    const mirrored = mirrorProduct(
      { ...standing, rgb: toLight(cutRgb(shown, box).data) },
      shown,
      MIRROR.blurPx * scale,
    );
    layMirror(out, shown, mirrored, shadows.contact);
  }
  return out;
}

/** A floor without end that only catches the shadow. */
function makeFloor({ x, y }: { x: number; y: number }, azimuthDeg: number): Plate {
  return {
    id: 'nothing',
    says: '',
    view: 'eye',
    stand: { x, y },
    floor: [METRE_PX, 0, x, 0, -METRE_PX * FLATTER, y, 0, 0, 1],
    light: { ...LIGHT, azimuthDeg },
    reflection: { strength: 0, blurPx: 0 },
    tint: { wall: false, surface: false },
    words: new Set(),
    nameWords: [],
    shows: new Set(),
    seen: {},
    files: { image: '', mask: '' },
  };
}

/** Black, so thin that over white it leaves just the light that is left. */
function layShadow(out: Uint8Array, frame: Rgb, leftOf: (i: number) => number): void {
  for (let i = 0; i * 4 < out.length; i += 1) {
    const missing = (1 - leftOf(i)) * fadeAt(i, frame);
    out[i * 4 + 3] = 255 - lightToByte(1 - missing);
  }
}

function layMirror(
  out: Uint8Array,
  frame: Rgb,
  { rgb, cover }: ReturnType<typeof mirrorProduct>,
  contact: Plane,
): void {
  for (let i = 0; i * 4 < out.length; i += 1) {
    const seen = cover.data[i]!;
    const weight = MIRROR.strength * seen * (1 - 0.65 * contact.data[i]!) * fadeAt(i, frame);
    if (weight < 0.002) continue;
    const below = out[i * 4 + 3]! / 255;
    const alpha = weight + below * (1 - weight);
    for (let c = 0; c < 3; c += 1) {
      const mirrored = lightToByte(rgb[c]!.data[i]! / seen);
      out[i * 4 + c] = Math.round((mirrored * weight) / alpha);
    }
    out[i * 4 + 3] = Math.round(alpha * 255);
  }
}

/** 1, and less the nearer the frame's edge is. */
function fadeAt(i: number, { width, height }: Rgb): number {
  const x = i % width;
  const y = (i - x) / width;
  const distance = Math.min(x, y, width - 1 - x, height - 1 - y) / Math.min(width, height);
  const near = Math.min(Math.max((distance - FADE.to) / (FADE.from - FADE.to), 0), 1);
  return near * near * (3 - 2 * near);
}
