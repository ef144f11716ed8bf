/** Paints the fitted garment on the full picture, in the old clothes' light but without their folds. */
import { separateLayers } from '../cutout/foreground.ts';
import { byteToLight, clampByte, lightToByte, readLuminance, toLabPlanes, type Lab } from '../pixels/colour.ts';
import { spreadKnown } from '../pixels/fill-gaps.ts';
import { countOnes, dilate, erode, keepWhere, quantile, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, mapFloats, readChannel, type Mask, type Point, type Rgb } from '../pixels/plane.ts';
import { makeSampler, readPoint, sample } from '../pixels/sample.ts';
import type { Fit } from './fit.ts';
import type { Wearer } from './wearer.ts';

const MIN_ALPHA = 0.003; // lower alpha would not change a byte
const SEAM = 8; // pixels between neighbours in the map: farther ones belong to different parts of the garment

/**
 * Paints the garment on the full picture. Bytes outside old and new clothes are unchanged.
 * @param readFlat maps a point of the fit to the garment's full picture
 * @param light logarithm of the light, at the wearer's size
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
      if (alpha <= MIN_ALPHA) continue;
      const old = sample(sampler, wearer.top.data);
      const place = readFlat(samplePlace(sampler.corners, sampler.weights, fit));
      const lit = Math.exp(sample(sampler, light));
      const bared = sample(sampler, fit.skin);
      const at = (y * picture.width + x) * 3;
      for (let c = 0; c < 3; c += 1) {
        const cloth = byteToLight(Math.round(readPoint(flat, place.x, place.y, 3, c))) * lit;
        const skin = bared > 0 ? byteToLight(Math.round(clampByte(sample(sampler, skins[c]!)))) : 0;
        const existing = byteToLight(out[at + c]!);
        // a pixel beside the old cloth's edge contains its colour; inside, an open jacket shows the old cloth
        const behind = byteToLight(Math.round(clampByte(sample(sampler, back, 3, c))));
        const isEdge = old > MIN_ALPHA && alpha >= old - 0.02;
        out[at + c] = lightToByte(
          (cloth + bared * (skin - cloth)) * alpha + (isEdge ? behind : existing) * (1 - alpha),
        );
      }
    }
  }
  return out;
}

const SMOOTH = 0.06; // of the chest: sigma of the skin's shading, which is extended below the old neckline

/** The neck's colours, extended downwards, per channel. */
function spreadSkin({ picture, bare, isSkin, armpits, pose, chest }: Wearer): Float32Array[] {
  const chin = (pose.face ? pose.face.box.top + 1.06 * pose.face.box.height : 0) * picture.width;
  const last = Math.min(armpits[0].y, armpits[1].y) * picture.width;
  const below = keepWhere(bare, (i) => i > chin && i < last && isSkin(i));
  const neck = erode(below, 2);
  return [0, 1, 2].map((c) => spreadKnown(readChannel(picture, c), neck, SMOOTH * chest).data);
}

/** Reads the fit: bilinear inside one part of the garment, nearest neighbour across a seam. */
function samplePlace(corners: Int32Array, weights: Float64Array, { x: xs, y: ys, alpha }: Fit): Point {
  let home = -1;
  let maxWeight = 0;
  for (let n = 0; n < 4; n += 1) {
    if (alpha[corners[n]!]! <= 0 || weights[n]! <= maxWeight) continue;
    maxWeight = weights[n]!;
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

const DARKEST = 0.01; // of full light: differences below it are noise
const ROUND = { darkest: -0.5, brightest: 0.2, share: 0.8 }; // log light, log light, weight
const WIDE = 0.08; // of the chest: sigma that smooths folds and stripes away
const PRINT = 7; // Lab units of chroma from the cloth's own colour
const MIN_CLEAR = 0.3; // of a part: one with less of its own colour is printed all over
const RIM = 0.02; // of the chest: hems and edges of the old clothes have shadows of their own
const SHADED = 0.1; // of the chest: shadow of the old sleeve on the arm

/** Natural logarithm of each pixel's light relative to its cloth or skin as a whole (> 0: brighter). */
export function measureLight(wearer: Wearer): Float32Array {
  const { picture, top, chest } = wearer;
  const lab = toLabPlanes(picture);
  const light = { ...picture, data: mapFloats(lab.l, (_, i) => Math.log(readLuminance(picture.data, i) + DARKEST)) };
  const [round, known] = [makePlane(picture), makeMask(picture)];
  for (const part of [threshold(top, 0.98), armsOf(wearer)]) {
    const inner = erode(part, RIM * chest);
    const own = markOwnColour(lab, inner);
    const clear = countOnes(own) < MIN_CLEAR * countOnes(inner) ? inner : own;
    if (!clear.data.includes(1)) continue;
    const wide = spreadKnown(light, clear, WIDE * chest).data;
    const typical = quantile(wide, part.data, 0.7);
    for (let i = 0; i < wide.length; i += 1) {
      if (!clear.data[i]) continue;
      round.data[i] = ROUND.share * Math.min(ROUND.brightest, Math.max(ROUND.darkest, wide[i]! - typical));
      known.data[i] = 1;
    }
  }
  return spreadKnown(round, known, 1).data;
}

/** Bare arms, which longer sleeves cover; excludes face and hair. */
function armsOf({ bare, top, armpits, chest }: Wearer): Mask {
  const from = Math.min(armpits[0].y, armpits[1].y) * bare.width;
  const shaded = dilate(threshold(top, 0.5), SHADED * chest).data;
  return keepWhere(bare, (i) => i > from && !shaded[i]);
}

/** The part with the cloth's main hue, without prints and logos. */
function markOwnColour(lab: Lab, part: Mask): Mask {
  const [red, yellow] = [quantile(lab.a, part.data, 0.5), quantile(lab.b, part.data, 0.5)];
  return keepWhere(part, (i) => Math.hypot(lab.a[i]! - red, lab.b[i]! - yellow) < PRINT);
}
