/** Paints the fitted garment on the full picture. */
import { separateLayers } from '../cutout/foreground.ts';
import { byteToLight, clampByte, lightToByte } from '../pixels/colour.ts';
import { spreadKnown } from '../pixels/fill-gaps.ts';
import { erode, keepWhere } from '../pixels/mask.ts';
import { readChannel, type Point, type Rgb } from '../pixels/plane.ts';
import { makeSampler, readPoint, sample } from '../pixels/sample.ts';
import type { Fit } from './fit.ts';
import type { Wearer } from './wearer.ts';

const LEAST = 0.003; // less of anything new would not change a byte
const SEAM = 8; // pixels between neighbours of the map: beyond it they belong to different parts of the garment

/**
 * The full picture with the garment on it; every byte outside what was worn and what is now worn stays.
 * @param readFlat a place of the fit to a place in the garment's full picture
 * @param light its logarithm at the wearer's size
 */
export function paintGarment(
  picture: Rgb,
  wearer: Wearer,
  flat: Rgb,
  readFlat: (place: Point) => Point,
  fit: Fit,
  light: Float32Array,
): Uint8Array {
  const out = new Uint8Array(picture.data);
  const { back } = separateLayers(wearer.picture, wearer.top);
  const sampler = makeSampler(wearer.picture, picture);
  const skins = spreadSkin(wearer);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      sampler.moveTo(x, y);
      const alpha = sample(sampler, fit.alpha);
      if (alpha <= LEAST) continue;
      const old = sample(sampler, wearer.top.data);
      const place = readFlat(samplePlace(sampler.corners, sampler.weights, fit));
      const lit = Math.exp(sample(sampler, light));
      const bared = sample(sampler, fit.skin);
      const at = (y * picture.width + x) * 3;
      for (let c = 0; c < 3; c += 1) {
        const cloth = byteToLight(Math.round(readPoint(flat, place.x, place.y, 3, c))) * lit;
        const skin = bared > 0 ? byteToLight(Math.round(clampByte(sample(sampler, skins[c]!)))) : 0;
        const seen = byteToLight(out[at + c]!);
        // beside the old cloth's edge its colour is in the pixel; inside it, a jacket worn open shows it
        const behind = byteToLight(Math.round(clampByte(sample(sampler, back, 3, c))));
        const isEdge = old > LEAST && alpha >= old - 0.02;
        out[at + c] = lightToByte((cloth + bared * (skin - cloth)) * alpha + (isEdge ? behind : seen) * (1 - alpha));
      }
    }
  }
  return out;
}

const SMOOTH = 0.06; // of the chest: sigma of the skin's own light, which runs on below the old neckline

/** The colours of the neck, run on below it, per channel. */
function spreadSkin({ picture, bare, isSkin, armpits, pose, chest }: Wearer): Float32Array[] {
  const chin = (pose.face ? pose.face.box.top + 1.06 * pose.face.box.height : 0) * picture.width;
  const last = Math.min(armpits[0].y, armpits[1].y) * picture.width;
  const neck = erode(
    keepWhere(bare, (i) => i > chin && i < last && isSkin(i)),
    2,
  );
  return [0, 1, 2].map((c) => spreadKnown(readChannel(picture, c), neck, SMOOTH * chest).data);
}

/** Bilinear inside one part of the garment, the nearest pixel's place across the seam of two. */
function samplePlace(corners: Int32Array, weights: Float64Array, { x: xs, y: ys, alpha }: Fit): Point {
  let home = -1;
  let most = 0;
  for (let n = 0; n < 4; n += 1) {
    if (alpha[corners[n]!]! <= 0 || weights[n]! <= most) continue;
    most = weights[n]!;
    home = corners[n]!;
  }
  let [x, y, sum] = [0, 0, 0];
  for (let n = 0; n < 4; n += 1) {
    const corner = corners[n]!;
    if (alpha[corner]! <= 0 || Math.abs(xs[corner]! - xs[home]!) + Math.abs(ys[corner]! - ys[home]!) > SEAM) continue;
    x += weights[n]! * xs[corner]!;
    y += weights[n]! * ys[corner]!;
    sum += weights[n]!;
  }
  return { x: x / sum, y: y / sum };
}
