/** The light that the product takes away: its cast shadow along the plate's light, and the dark where it touches. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, type Plane, type Point } from '../pixels/plane.ts';
import { readInside } from '../pixels/sample.ts';
import type { Contact } from './contact.ts';
import { invertMatrix, multiply, project } from './geometry.ts';
import type { Matrix, Plate } from './plates.ts';

/** The product as it stands in the picture that shadows are made in, a small copy of the frame. */
export type Standing = {
  alpha: Plane;
  contact: Contact;
  /** Its top left corner in that picture. */
  left: number;
  top: number;
  /** Pixels of this picture per pixel of the plate. */
  scale: number;
  /** Plate pixels to pixels of this picture. */
  toPicture: Matrix;
};

/** Share of the light that is missing at each pixel, cast and contact apart because their strengths differ. */
export type Shadows = { cast: Plane; contact: Plane };

const LOWEST_LIGHT_DEG = 22; // below it the shadow would leave the frame
const LINE = 0.01; // of the product's size: the dark line under it
const POOL = 0.05; // and the soft dark around that
const DISC = 1.5; // radius in sigmas
const FLAT_OFFSET = 0.02; // of the product's size: the shadow of what lies flat, under a lamp as high and large as this
const FLAT_BLURS = [0.008, 0.045];
const FLAT_LAMP = { elevationDeg: 55, softness: 0.6 };
const WALL_OFFSET = 0.14; // of the product's size: the wall is as far behind it as a hand is wide
const WALL_BLUR = 0.03;
const WALL_LAMP = 0.05; // more blur by a lamp of softness 1

/** @param surface 0..1 over the whole picture: where there is something to receive a shadow */
export function makeShadows(plate: Plate, standing: Standing, surface: Plane): Shadows {
  if (plate.view === 'above') return makeFlatShadows(plate, standing, surface);
  return { cast: makeCast(plate, standing, surface), contact: makeContact(standing, surface) };
}

/** Seen from above a shadow lies all round, a little more on the side away from the light. */
function makeFlatShadows(plate: Plate, standing: Standing, picture: Plane): Shadows {
  const { azimuthDeg, elevationDeg, softness } = plate.light;
  const azimuth = (azimuthDeg * Math.PI) / 180;
  const size = Math.max(standing.alpha.width, standing.alpha.height);
  const length = reachOf(elevationDeg) / reachOf(FLAT_LAMP.elevationDeg);
  const blurring = (0.3 + softness) / (0.3 + FLAT_LAMP.softness);
  const [near, far] = FLAT_BLURS.map((blur, n) => {
    const away = FLAT_OFFSET * length * size * (n === 0 ? 0.35 : 1.5);
    const lying = layFlat(standing, picture, { x: -Math.sin(azimuth) * away, y: Math.cos(azimuth) * away });
    return softBlur(lying, blur * blurring * size);
  });
  return { cast: far!, contact: near! };
}

/**
 * What stands on nothing that can be seen leaves its shadow on the wall behind it: large and soft, beside it and below,
 * where the lamp does not reach.
 */
export function makeWallShadow({ light }: Plate, standing: Standing, picture: Plane): Shadows {
  const azimuth = (light.azimuthDeg * Math.PI) / 180;
  const elevation = (light.elevationDeg * Math.PI) / 180;
  const size = Math.max(standing.alpha.width, standing.alpha.height);
  const by = { x: -Math.sin(azimuth) * WALL_OFFSET * size, y: Math.sin(elevation) * WALL_OFFSET * size };
  const cast = softBlur(layFlat(standing, picture, by), (WALL_BLUR + WALL_LAMP * light.softness) * size);
  return { cast, contact: makePlane(picture) };
}

function layFlat({ alpha, left, top }: Standing, picture: Plane, by: Point): Plane {
  const out = makePlane(picture);
  for (let y = 0; y < out.height; y += 1) {
    for (let x = 0; x < out.width; x += 1) {
      out.data[y * out.width + x] = readInside(alpha, x - left - by.x, y - top - by.y);
    }
  }
  return out;
}

function makeCast(plate: Plate, standing: Standing, surface: Plane): Plane {
  const { alpha, contact } = standing;
  const toProduct = invertMatrix(layOnFloor(plate, standing));
  const ground = Math.min(alpha.height, Math.round(contact.ground));
  const body = { ...alpha, data: alpha.data.slice() };
  body.data.fill(0, ground * alpha.width);
  const shade = makePlane(surface);
  const rise = makePlane(surface);
  for (let y = 0; y < shade.height; y += 1) {
    for (let x = 0; x < shade.width; x += 1) {
      const { x: u, y: v } = project(toProduct, x, y);
      const i = y * shade.width + x;
      rise.data[i] = Math.min(1, Math.max(0, 1 - v / ground));
      shade.data[i] = readInside(body, u, v);
    }
  }
  return soften(shade, rise, plate, standing.scale, surface);
}

/** A shadow is sharp at the foot and dissolves with the height of what casts it. */
function soften(shade: Plane, rise: Plane, { light }: Plate, scale: number, surface: Plane): Plane {
  const sharp = 2 + 7 * light.softness;
  const blurred = [sharp, sharp * 2.2 + 3, sharp * 4.5 + 6].map((sigma) => softBlur(shade, sigma * scale));
  const receives = softBlur(surface, 3 * scale);
  const out = makePlane(shade);
  for (let i = 0; i < out.data.length; i += 1) {
    const t = Math.min(1, rise.data[i]! * (1 + 1.2 * light.softness));
    const from = t < 0.5 ? 0 : 1;
    const mix = t * 2 - from;
    const value = blurred[from]!.data[i]! * (1 - mix) + blurred[from + 1]!.data[i]! * mix;
    out.data[i] = value * (1 - 0.4 * t) * receives.data[i]!;
  }
  return out;
}

/**
 * The silhouette, turned towards the light, laid on the ground plane where the body stands: product pixels to picture
 * pixels.
 */
function layOnFloor(plate: Plate, { contact, left, top, scale, toPicture }: Standing): Matrix {
  const azimuth = (plate.light.azimuthDeg * Math.PI) / 180;
  const middle = (contact.left + contact.right) / 2;
  const onPlate = project(invertMatrix(toPicture), left + middle, top + contact.ground);
  const stand = project(invertMatrix(plate.floor), onPlate.x, onPlate.y);
  const beside = project(plate.floor, stand.x + 0.01, stand.y).x - project(plate.floor, stand.x, stand.y).x;
  const perMetre = 100 * beside * scale;
  const wide = (Math.abs(Math.cos(azimuth)) + 0.75 * Math.abs(Math.sin(azimuth))) / perMetre;
  const toMetres: Matrix = [wide, 0, -middle * wide, 0, -1 / perMetre, contact.ground / perMetre, 0, 0, 1];
  const reach = reachOf(plate.light.elevationDeg);
  const [sin, cos] = [Math.sin(azimuth), Math.cos(azimuth)];
  const lay: Matrix = [cos, -reach * sin, stand.x, sin, reach * cos, stand.y, 0, 0, 1];
  return multiply(toPicture, multiply(plate.floor, multiply(lay, toMetres)));
}

/** Length of a shadow, of the height of what casts it. */
function reachOf(elevationDeg: number): number {
  return 1 / Math.tan((Math.max(elevationDeg, LOWEST_LIGHT_DEG) * Math.PI) / 180);
}

/** Along all that touches: a dark line, and softer dark around it. */
function makeContact({ alpha, contact, left, top }: Standing, surface: Plane): Plane {
  const size = Math.sqrt(alpha.width * alpha.height);
  const [line, pool] = [LINE, POOL].map((share) =>
    drawSpots(contact, { x: left, y: top }, Math.max(1, share * size), surface),
  );
  const out = makePlane(surface);
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = Math.min(1, line!.data[i]! + 0.75 * pool!.data[i]!);
  return out;
}

/**
 * A disc on every spot, blurred by `sigma` px: along a base a band that is nearly dark in its middle, under a leg a
 * dot.
 */
function drawSpots({ spots }: Contact, at: Point, sigma: number, picture: Plane): Plane {
  const out = makePlane(picture);
  for (const { x, y, weight } of spots) drawDisc(out, { x: at.x + x, y: at.y + y }, DISC * sigma, weight);
  return softBlur(out, sigma);
}

/** Wider than high, as the floor is seen. */
function drawDisc(out: Plane, middle: Point, radius: number, weight: number): void {
  const wide = 1.5 * radius;
  const lowest = Math.min(out.height - 1, middle.y + radius);
  for (let row = Math.max(0, Math.ceil(middle.y - radius)); row <= lowest; row += 1) {
    const reach = wide * Math.sqrt(Math.max(0, 1 - ((row - middle.y) / radius) ** 2));
    const last = Math.min(out.width - 1, middle.x + reach);
    for (let column = Math.max(0, Math.ceil(middle.x - reach)); column <= last; column += 1) {
      const i = row * out.width + column;
      out.data[i] = Math.max(out.data[i]!, weight);
    }
  }
}
