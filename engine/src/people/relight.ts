/** Gives one face the skin tone and the light of another, and keeps its own features. */
import { softBlur } from '../pixels/blur.ts';
import type { Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

/** Natural logarithms of linear light, one plane for red, green and blue each: light multiplies, so here it adds. */
export type LogLight = [Float32Array, Float32Array, Float32Array];

const REACH = 0.12; // of the face's width: shading wider than this is light, narrower is the face's own shape

/**
 * What has to be added to the user's face so that its skin, seen from far away, has the portrait's colour at every
 * place.
 * @param userSkin, portraitSkin 0..1, where each picture shows bare skin; both of the crop's size
 * @param faceWidth pixels
 */
export function matchLight(
  user: LogLight,
  portrait: LogLight,
  userSkin: Plane,
  portraitSkin: Plane,
  faceWidth: number,
): LogLight {
  const cell = Math.max(1, Math.floor(faceWidth / FACE_CELLS));
  const pool = (light: LogLight, skin: Plane) => poolKnown(light, skin, cell);
  const [users, portraits] = [pool(user, userSkin), pool(portrait, portraitSkin)];
  const near = (REACH * faceWidth) / cell;
  const userMean = blurKnown(users, near);
  const portraitMean = blurKnown(portraits, near);
  return userMean.map((plane, c) => {
    const step = plane.map((value, i) => portraitMean[c]![i]! - value);
    return resizePlane({ ...users.known, data: tame(step, users.known.data) }, userSkin).data;
  }) as LogLight;
}

const FACE_CELLS = 64; // across a face: light is smooth, and a sixteenth of the pixels takes a sixteenth of the time

type Pooled = {
  light: LogLight;
  known: Plane;
};

/** Means of the known pixels of every square of `cell` pixels. */
function poolKnown(light: LogLight, skin: Plane, cell: number): Pooled {
  const { width, height, data: known } = skin;
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const out = {
    light: light.map(() => new Float32Array(columns * rows)) as LogLight,
    known: new Float32Array(columns * rows),
  };
  for (let i = 0; i < known.length; i += 1) {
    const weight = known[i]!;
    if (weight <= 0) continue;
    const x = i % width;
    const at = Math.floor((i - x) / width / cell) * columns + Math.floor(x / cell);
    out.known[at]! += weight;
    for (let c = 0; c < 3; c += 1) out.light[c]![at]! += weight * light[c]![i]!;
  }
  for (let i = 0; i < out.known.length; i += 1) {
    if (out.known[i] === 0) continue;
    for (const plane of out.light) plane[i]! /= out.known[i]!;
    out.known[i]! /= cell * cell;
  }
  return { light: out.light, known: { width: columns, height: rows, data: out.known } };
}

const MOST = 0.45; // of log light away from the whole face's step: beyond it a shadow's edge would turn into a glow

function tame(lift: Float32Array, skin: Float32Array): Float32Array {
  const known = lift.filter((_, i) => skin[i]! > 0).sort();
  const middle = known[known.length >> 1] ?? 0;
  return lift.map((value) => middle + MOST * Math.tanh((value - middle) / MOST));
}

/** Means of what is known nearby; where nothing is, of what is known further away. */
function blurKnown({ light, known }: Pooled, sigma: number): LogLight {
  const levels = [sigma, 2 * sigma, 4 * sigma].map((reach) => ({
    reach,
    weight: softBlur(known, reach).data,
  }));
  return light.map((plane) => {
    const weighted = plane.map((value, i) => value * known.data[i]!);
    const out = new Float32Array(plane.length);
    const left = new Float32Array(plane.length).fill(1);
    for (const [n, { reach, weight }] of levels.entries()) {
      const sums = softBlur({ ...known, data: weighted }, reach).data;
      const isLast = n === levels.length - 1;
      for (let i = 0; i < out.length; i += 1) {
        if (left[i]! === 0 || weight[i]! < 1e-5) continue;
        const trust = isLast ? 1 : Math.min(1, weight[i]! / 0.25);
        out[i]! += (left[i]! * trust * sums[i]!) / weight[i]!;
        left[i]! *= 1 - trust;
      }
    }
    return out;
  }) as LogLight;
}
