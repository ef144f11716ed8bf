/** Cast shadow, contact shadow and mirror image of a product. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, mapFloats, type Plane, type Point, type Size } from '../pixels/plane.ts';
import { makeCast, shadowLength } from './cast.ts';
import type { Contact } from './contact.ts';
import type { Floor } from './plates.ts';

/** The product in the picture in which shadows are computed, a small copy of the frame. */
export type Caster = {
  alpha: Plane;
  contact: Contact;
  /** Its top left corner in that picture. */
  left: number;
  top: number;
  /** Pixels of this picture per pixel of the plate. */
  scale: number;
  /** The plate's pixel at this picture's top left corner. */
  crop: Point;
  /** Pixels around the product within which its shadow must end; unlimited if undefined. */
  room?: number;
};

/** Share of blocked light per pixel; cast and contact are separate because their strengths differ. */
export type Shadows = { cast: Plane; contact: Plane };

const LINE = 0.01; // of the product's size: sigma of the dark line under it
const POOL = 0.05; // sigma of the softer shadow around it
const POOL_DARK = 0.9; // strength relative to the line's
const AROUND = 0.11; // sigma of the ambient light that the body blocks
const AROUND_DARK = 0.45;
const DISC = 1.5; // sigmas: radius of a disc
const WIDE = 1.5; // width of a disc relative to its height, in perspective on the floor
const FLAT_OFFSET = 0.02; // of the product's size: offset of a flat product's shadow
const FLAT_BLURS = [0.008, 0.045];
const FLAT_LAMP = { elevationDeg: 55, softness: 0.6 };
const TAIL = 2.5; // sigmas beyond which a blur is invisible
const WALL_OFFSET = 0.14; // of the product's size: offset on a wall close behind it
const WALL_BLUR = 0.03;
const WALL_LAMP = 0.05; // of the product's size: extra blur for a lamp of softness 1

/** @param surface 0..1 over the whole picture: where a surface receives shadows */
export function makeShadows(plate: Floor, caster: Caster, surface: Plane): Shadows {
  if (plate.view === 'above') return makeFlatShadows(plate, caster, surface);
  return { cast: makeCast(plate, caster, surface), contact: makeContact(caster, surface) };
}

/** In a top view the shadow surrounds the product, slightly offset away from the light. */
function makeFlatShadows(plate: Floor, caster: Caster, picture: Plane): Shadows {
  const { azimuthDeg, elevationDeg, softness } = plate.light;
  const azimuth = (azimuthDeg * Math.PI) / 180;
  const length = shadowLength(elevationDeg) / shadowLength(FLAT_LAMP.elevationDeg);
  const blurring = (0.3 + softness) / (0.3 + FLAT_LAMP.softness);
  const reach = FLAT_OFFSET * length * 1.5 + TAIL * FLAT_BLURS[1]! * blurring;
  const size = fitSize(Math.max(caster.alpha.width, caster.alpha.height), reach, caster.room);
  const [near, far] = FLAT_BLURS.map((blur, n) => {
    const away = FLAT_OFFSET * length * size * (n === 0 ? 0.35 : 1.5);
    const offsetAlpha = layFlat(caster, picture, { x: -Math.sin(azimuth) * away, y: Math.cos(azimuth) * away });
    return softBlur(offsetAlpha, blur * blurring * size);
  });
  return { cast: far!, contact: near! };
}

/** The large, soft shadow on the wall behind a product without visible ground, offset to the side and down. */
export function makeWallShadow({ light }: Floor, caster: Caster, picture: Plane): Shadows {
  const azimuth = (light.azimuthDeg * Math.PI) / 180;
  const elevation = (light.elevationDeg * Math.PI) / 180;
  const size = Math.max(caster.alpha.width, caster.alpha.height);
  const by = { x: -Math.sin(azimuth) * WALL_OFFSET * size, y: Math.sin(elevation) * WALL_OFFSET * size };
  const cast = softBlur(layFlat(caster, picture, by), (WALL_BLUR + WALL_LAMP * light.softness) * size);
  return { cast, contact: makePlane(picture) };
}

function layFlat({ alpha, left, top }: Caster, picture: Plane, by: Point): Plane {
  const out = makePlane(picture);
  const [x, y] = [Math.round(left + by.x), Math.round(top + by.y)];
  for (let row = Math.max(0, -y); row < Math.min(alpha.height, out.height - y); row += 1) {
    for (let column = Math.max(0, -x); column < Math.min(alpha.width, out.width - x); column += 1) {
      out.data[(y + row) * out.width + x + column] = alpha.data[row * alpha.width + column]!;
    }
  }
  return out;
}

/** A dark line along all contact points with softer shadow around it, widest around the body's base. */
function makeContact({ alpha, contact, left, top, room }: Caster, surface: Plane): Plane {
  const size = fitSize(Math.sqrt(alpha.width * alpha.height), AROUND * (WIDE * DISC + TAIL), room);
  const draw = (share: number) =>
    drawSpots(contact.spots, { x: left, y: top }, Math.max(1, share * size), surface).data;
  const [line, pool, around] = [draw(LINE), draw(POOL), draw(AROUND)] as const;
  const data = mapFloats(line, (value, i) =>
    Math.min(1, value + POOL_DARK * pool[i]! + AROUND_DARK * around[i]! * surface.data[i]!),
  );
  return { ...surface, data };
}

/** The product's size, reduced if a shadow of this relative reach would leave its room. */
function fitSize(size: number, reach: number, room = Infinity): number {
  return Math.min(size, room / reach);
}

/** Draws a disc at every spot, blurred by `sigma` px: a dark band along a base, a dot under a leg. */
function drawSpots(spots: Point[], at: Point, sigma: number, picture: Plane): Plane {
  const out = makePlane(picture);
  for (const { x, y } of spots) drawDisc(out, { x: at.x + x, y: at.y + y }, DISC * sigma);
  return softBlur(out, sigma);
}

/** Blurs more horizontally than vertically, in the floor's perspective. */
function drawDisc(out: Plane, middle: Point, radius: number): void {
  const wide = WIDE * radius;
  const lowest = Math.min(out.height - 1, middle.y + radius);
  for (let row = Math.max(0, Math.ceil(middle.y - radius)); row <= lowest; row += 1) {
    const reach = wide * Math.sqrt(Math.max(0, 1 - ((row - middle.y) / radius) ** 2));
    const [first, last] = [Math.max(0, Math.ceil(middle.x - reach)), Math.min(out.width - 1, middle.x + reach)];
    if (last >= first) out.data.fill(1, row * out.width + first, row * out.width + Math.floor(last) + 1);
  }
}

/** Linear light, premultiplied by alpha, a plane per channel. */
export type Mirrored = { rgb: Plane[]; alpha: Plane };

/** `rgb`: linear light, interleaved, of alpha's size. */
type Placed = Pick<Caster, 'alpha' | 'contact' | 'left' | 'top'> & { rgb: Float32Array };

const REACH = 0.45; // of the product's height: depth of a reflection

/**
 * Mirrors the product below its foot, fading with depth; each column is mirrored from its contact.
 * @param room pixels below the product
 */
export function mirrorProduct(product: Placed, picture: Size, blurPx: number, room = Infinity): Mirrored {
  const rgb = [0, 1, 2].map(() => makePlane(picture));
  const mirroredAlpha = makePlane(picture);
  const { alpha } = product;
  const deepest = Math.min(REACH * alpha.height, room - 3 * blurPx);
  for (const spot of product.contact.spots) {
    const x = Math.floor(spot.x);
    const column = product.left + x;
    if (column < 0 || column >= picture.width) continue;
    const bottom = Math.min(alpha.height - 1, Math.round(spot.y) - 1);
    for (let row = 0; row < Math.min(bottom, deepest); row += 1) {
      const y = product.top + bottom + row;
      if (y < 0 || y >= picture.height) continue;
      const from = (bottom - row) * alpha.width + x;
      const to = y * picture.width + column;
      const weight = alpha.data[from]! * (1 - row / deepest) ** 1.6;
      mirroredAlpha.data[to] = weight;
      for (let c = 0; c < 3; c += 1) rgb[c]!.data[to] = product.rgb[from * 3 + c]! * weight;
    }
  }
  return { rgb: rgb.map((plane) => softBlur(plane, blurPx)), alpha: softBlur(mirroredAlpha, blurPx) };
}
