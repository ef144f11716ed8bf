/** The light on the clothes that a person wears: folds and the roundness of the body, without the cloth's own print. */
import { fillGaps, spreadKnown } from '../pixels/fill-gaps.ts';
import { readLuminance, toLabPlanes, type Lab } from '../pixels/colour.ts';
import { mapFloats } from '../pixels/map.ts';
import { countOnes, dilate, erode, keepWhere, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, type Mask } from '../pixels/plane.ts';
import { describePlane, quantile } from '../pixels/statistics.ts';
import { smoothStep } from '../pixels/shapes.ts';
import type { Wearer } from './wearer.ts';

const DARKEST = 0.01; // of full light: below it, differences are noise
const FOLD = 0.3; // log light: deeper steps are print or seams
const ROUND = { darkest: -0.7, brightest: 0.25 }; // log light
const PRINT = 7; // Lab units of chroma from the cloth's own colour
const PLAIN = { plain: 0.09, printed: 0.2 }; // log light: deviation of folds alone, and of stripes and checks
const LEAST_CLEAR = 0.3; // of a part: what has less of its own colour is print all over

/**
 * Natural logarithm of how much brighter (> 0) or darker each pixel is lit than its cloth or skin on the whole. Of
 * printed cloth only the roundness is told, for its folds cannot be parted from its print.
 */
export function measureFolds(wearer: Wearer): Float32Array {
  const { picture } = wearer;
  const lab = toLabPlanes(picture);
  const light = { ...picture, data: mapFloats(lab.l, (_, i) => Math.log(readLuminance(picture.data, i) + DARKEST)) };
  const fold = { plane: makePlane(picture), known: makePlane(picture) };
  const round = { plane: makePlane(picture), known: makeMask(picture) };
  for (const part of [threshold(wearer.top, 0.98), armsOf(wearer)]) {
    const inner = erode(part, RIM * wearer.chest);
    const own = markOwnColour(lab, inner);
    const clear = countOnes(own) < LEAST_CLEAR * countOnes(inner) ? inner : own;
    if (!clear.data.includes(1)) continue;
    const wide = spreadKnown(light, clear, 0.05 * wearer.chest).data;
    const steps = mapFloats(light.data, (value, i) => value - wide[i]!);
    const isPlain = 1 - smoothStep(PLAIN.plain, PLAIN.printed, describePlane(steps, clear.data).deviation);
    const usual = quantile(wide, part.data, 0.7);
    for (let i = 0; i < wide.length; i += 1) {
      if (!clear.data[i]) continue;
      const dim = Math.min(1, Math.exp(wide[i]!) / DIM);
      fold.plane.data[i] = Math.min(FOLD, Math.max(-FOLD, steps[i]!)) * isPlain * dim;
      fold.known.data[i] = 1;
      round.plane.data[i] =
        Math.min(ROUND.brightest, Math.max(ROUND.darkest, wide[i]! - usual)) * (0.4 + 0.6 * isPlain);
      round.known.data[i] = 1;
    }
  }
  const folds = fillGaps(fold.plane, fold.known).data;
  const rounds = spreadKnown(round.plane, round.known, 1).data;
  return folds.map((value, i) => value + rounds[i]!);
}

const RIM = 0.02; // of the chest: hems and edges have shadows of their own, which the new garment does not
const DIM = 0.06; // of full light: darker cloth shows its noise rather than its folds

const SHADED = 0.1; // of the chest: so far the old sleeve throws its shadow on the arm

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
