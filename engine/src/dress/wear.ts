/** Paints the fitted garment on the full picture. */
import { spreadKnown } from '../people/wall.ts';
import { softBlur } from '../pixels/blur.ts';
import { byteToLight, clampByte, lightToByte } from '../pixels/colour.ts';
import { mapBytes } from '../pixels/map.ts';
import { dilate, invert, keepWhere } from '../pixels/mask.ts';
import { readChannel, type Mask, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { makeSampler, readPoint, sample } from '../pixels/sample.ts';
import type { Fit } from './fit-parts.ts';
import type { Wearer } from './wearer.ts';

/** Interleaved colours at the wearer's working size. */
type Colours = Float32Array;

export type Layers = {
  fit: Fit;
  /** Log light of the folds. */
  folds: Float32Array;
  /** The picture as it would be without the clothes' edge: what shows through the rim of the new garment. */
  behind: Colours;
  /** Skin where the new neckline bares it. */
  chest: Colours;
};

/** What the garment is painted over and shaded with, once for all pictures of one request. */
export function makeLayers(wearer: Wearer, fit: Fit, folds: Float32Array): Layers {
  const { width, height } = wearer.picture;
  const changed = mapBytes(fit.cover, (value, i) => (value > 0 || wearer.top.data[i]! > 0 || fit.gone[i]! > 0 ? 1 : 0));
  const away = invert(dilate({ width, height, data: changed }, 2));
  const armpit = Math.max(wearer.armpits[0].y, wearer.armpits[1].y);
  const neck = keepWhere(wearer.skin, (i) => away.data[i] === 1 && Math.floor(i / width) < armpit);
  return {
    fit,
    folds,
    behind: fillPlate(wearer.picture, away),
    chest: shadeNeckline(fillPlate(wearer.picture, neck), fit, wearer.picture),
  };
}

function fillPlate(picture: Rgb, { data: known, width, height }: Mask): Colours {
  const out = new Float32Array(3 * width * height);
  for (let c = 0; c < 3; c += 1) {
    const plane = readChannel(picture, c);
    const filled = spreadKnown(plane, { width, height, data: known }, 2).data;
    for (let i = 0; i < filled.length; i += 1) out[i * 3 + c] = known[i] ? plane.data[i]! : filled[i]!;
  }
  return out;
}

/** Cloth throws a soft shadow on the skin beside it. */
function shadeNeckline(chest: Colours, fit: Fit, { width, height }: Size): Colours {
  const near = softBlur({ width, height, data: fit.cover }, 0.008 * width).data;
  return chest.map((value, n) => value * (1 - 0.35 * near[Math.floor(n / 3)]!));
}

const LEAST = 0.003; // less of anything new would not change a byte
const SEAM = 6; // pixels between neighbours of the map: beyond it they belong to different parts of the garment

/**
 * The full picture with the garment on it; every byte outside the new garment, the old top's rim and a newly bared
 * neckline stays.
 * @param flat the garment's full picture; the fit's places are scaled up to it
 */
export function paintGarment(picture: Rgb, wearer: Wearer, flat: Rgb, flatScale: number, layers: Layers): Uint8Array {
  const out = new Uint8Array(picture.data);
  const { fit, folds, behind, chest } = layers;
  const sampler = makeSampler(wearer.picture, picture);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      sampler.moveTo(x, y);
      const cover = sample(sampler, fit.cover);
      const bare = sample(sampler, fit.bare);
      const gone = sample(sampler, fit.gone);
      if (cover + bare + gone <= LEAST) continue;
      const keep = sample(sampler, fit.keep);
      const place = samplePlace(sampler.corners, sampler.weights, fit);
      const lit = Math.exp(sample(sampler, folds));
      const at = (y * picture.width + x) * 3;
      for (let c = 0; c < 3; c += 1) {
        const byte = readPoint(flat, place.x * flatScale, place.y * flatScale, 3, c);
        const cloth = byteToLight(Math.round(byte)) * lit;
        const under = byteToLight(Math.round(clampByte(sample(sampler, behind, 3, c))));
        const skin = byteToLight(Math.round(clampByte(sample(sampler, chest, 3, c))));
        const rest = Math.max(0, 1 - cover - bare - keep);
        out[at + c] = lightToByte(cloth * cover + skin * bare + byteToLight(out[at + c]!) * keep + under * rest);
      }
    }
  }
  return out;
}

/** Bilinear inside one part of the garment, the nearest pixel's place across the seam of two. */
function samplePlace(corners: Int32Array, weights: Float64Array, fit: Fit): Point {
  let x = 0;
  let y = 0;
  let sum = 0;
  let nearest = 0;
  for (let n = 1; n < 4; n += 1) if (weights[n]! > weights[nearest]!) nearest = n;
  const home = corners[nearest]!;
  for (let n = 0; n < 4; n += 1) {
    const corner = corners[n]!;
    if (Math.abs(fit.x[corner]! - fit.x[home]!) + Math.abs(fit.y[corner]! - fit.y[home]!) > SEAM) continue;
    x += weights[n]! * fit.x[corner]!;
    y += weights[n]! * fit.y[corner]!;
    sum += weights[n]!;
  }
  return { x: x / sum, y: y / sum };
}
