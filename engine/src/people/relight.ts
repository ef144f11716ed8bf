// Gives one face the skin tone and the light of another, and keeps its own features.
import { softBlur } from '../pixels/planes.ts';

/** Natural logarithms of linear light, one plane for red, green and blue each: light multiplies, so here it adds. */
export type LogLight = [Float32Array, Float32Array, Float32Array];

const REACH = 0.12; // of the face's width: shading wider than this is light, narrower is the face's own shape

/**
 * What has to be added to the user's face so that its skin, seen from far away, has the portrait's colour at every place.
 * @param userSkin, portraitSkin 0..1, where each picture shows bare skin; both of the window's size
 * @param faceWidth pixels
 */
export function matchLight(
  user: LogLight,
  portrait: LogLight,
  userSkin: Float32Array,
  portraitSkin: Float32Array,
  size: { width: number; height: number; faceWidth: number },
): LogLight {
  const { width, height, faceWidth } = size;
  const near = REACH * faceWidth;
  const userMean = blurKnown(user, userSkin, width, height, near);
  const portraitMean = blurKnown(portrait, portraitSkin, width, height, near);
  return userMean.map((plane, c) =>
    tame(
      plane.map((value, i) => portraitMean[c]![i]! - value),
      userSkin,
    ),
  ) as LogLight;
}

const MOST = 0.45; // of log light away from the whole face's step: beyond it a shadow's edge would turn into a glow

function tame(lift: Float32Array, skin: Float32Array): Float32Array {
  const known = lift.filter((_, i) => skin[i]! > 0).sort();
  const middle = known[known.length >> 1] ?? 0;
  return lift.map((value) => middle + MOST * Math.tanh((value - middle) / MOST));
}

/** Means of what is known nearby; where nothing is, of what is known further away. */
function blurKnown(light: LogLight, known: Float32Array, width: number, height: number, sigma: number): LogLight {
  const levels = [sigma, 2 * sigma, 4 * sigma].map((reach) => ({
    reach,
    weight: softBlur(known, width, height, reach),
  }));
  return light.map((plane) => {
    const weighted = plane.map((value, i) => value * known[i]!);
    const out = new Float32Array(plane.length);
    const left = new Float32Array(plane.length).fill(1);
    for (const [n, { reach, weight }] of levels.entries()) {
      const sums = softBlur(weighted, width, height, reach);
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
