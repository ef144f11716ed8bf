/** The light on the clothes that a person wears: the roundness of the body, without the cloth's own print and folds. */
import { readLuminance, toLabPlanes, type Lab } from '../pixels/colour.ts';
import { spreadKnown } from '../pixels/fill-gaps.ts';
import { makeMask, makePlane, mapFloats, type Mask } from '../pixels/plane.ts';
import { countOnes, dilate, erode, keepWhere, quantile, threshold } from '../pixels/mask.ts';
import type { Wearer } from './wearer.ts';

const DARKEST = 0.01; // of full light: below it, differences are noise
const ROUND = { darkest: -0.5, brightest: 0.2, share: 0.8 }; // log light, and how much of it is believed
const WIDE = 0.08; // of the chest: sigma that levels folds and stripes
const PRINT = 7; // Lab units of chroma from the cloth's own colour
const LEAST_CLEAR = 0.3; // of a part: what has less of its own colour is print all over
const RIM = 0.02; // of the chest: hems and edges have shadows of their own, which the new garment does not
const SHADED = 0.1; // of the chest: so far the old sleeve throws its shadow on the arm

/** Natural logarithm of how much brighter (> 0) or darker each pixel is lit than its cloth or skin on the whole. */
export function measureLight(wearer: Wearer): Float32Array {
  const { picture, top, chest } = wearer;
  const lab = toLabPlanes(picture);
  const light = { ...picture, data: mapFloats(lab.l, (_, i) => Math.log(readLuminance(picture.data, i) + DARKEST)) };
  const [round, known] = [makePlane(picture), makeMask(picture)];
  for (const part of [threshold(top, 0.98), armsOf(wearer)]) {
    const inner = erode(part, RIM * chest);
    const own = markOwnColour(lab, inner);
    const clear = countOnes(own) < LEAST_CLEAR * countOnes(inner) ? inner : own;
    if (!clear.data.includes(1)) continue;
    const wide = spreadKnown(light, clear, WIDE * chest).data;
    const usual = quantile(wide, part.data, 0.7);
    for (let i = 0; i < wide.length; i += 1) {
      if (!clear.data[i]) continue;
      round.data[i] = ROUND.share * Math.min(ROUND.brightest, Math.max(ROUND.darkest, wide[i]! - usual));
      known.data[i] = 1;
    }
  }
  return spreadKnown(round, known, 1).data;
}

/** Bare arms, over which longer sleeves come; not face and hair. */
function armsOf({ bare, top, armpits, chest }: Wearer): Mask {
  const from = Math.min(armpits[0].y, armpits[1].y) * bare.width;
  const shaded = dilate(threshold(top, 0.5), SHADED * chest).data;
  return keepWhere(bare, (i) => i > from && !shaded[i]);
}

/** The part where it has its usual hue: print and logos have another. */
function markOwnColour(lab: Lab, part: Mask): Mask {
  const [red, yellow] = [quantile(lab.a, part.data, 0.5), quantile(lab.b, part.data, 0.5)];
  return keepWhere(part, (i) => Math.hypot(lab.a[i]! - red, lab.b[i]! - yellow) < PRINT);
}
