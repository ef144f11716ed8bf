/** Gives one face the skin tone and the light of another, and keeps its own features. */
import type { Mask } from '../pixels/plane.ts';
import { quantile } from '../pixels/statistics.ts';
import { spreadKnown } from './wall.ts';

/** Natural logarithms of linear light, one plane for red, green and blue each: light multiplies, so here it adds. */
export type LogLight = [Float32Array, Float32Array, Float32Array];

const REACH = 0.12; // of the face's width: shading wider than this is light, narrower is the face's own shape
const MOST = 0.45; // of log light away from the whole face's step: beyond it a shadow's edge would turn into a glow

/**
 * What has to be added to the user's face so that its skin, seen from far away, has the portrait's colour at every
 * place.
 * @param userSkin, portraitSkin where each picture shows bare skin; both of the crop's size
 * @param faceWidth pixels
 */
export function matchLight(
  user: LogLight,
  portrait: LogLight,
  userSkin: Mask,
  portraitSkin: Mask,
  faceWidth: number,
): LogLight {
  const seeFromFar = (light: Float32Array, skin: Mask) =>
    spreadKnown({ ...skin, data: light }, skin, REACH * faceWidth).data;
  return user.map((light, c) => {
    const wanted = seeFromFar(portrait[c]!, portraitSkin);
    const lift = seeFromFar(light, userSkin).map((value, i) => wanted[i]! - value);
    const middle = quantile(lift, userSkin.data, 0.5);
    return lift.map((value) => middle + MOST * Math.tanh((value - middle) / MOST));
  }) as LogLight;
}
