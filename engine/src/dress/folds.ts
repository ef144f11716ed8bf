/** The light on the clothes that a person wears: folds and the roundness of the body, without the cloth's own print. */
import { fillGaps } from '../people/fill-gaps.ts';
import { spreadKnown } from '../people/wall.ts';
import { readLuminance, toLabPlanes, type Lab } from '../pixels/colour.ts';
import { mapFloats } from '../pixels/map.ts';
import { erode, keepWhere, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, type Mask } from '../pixels/plane.ts';
import { quantile } from '../pixels/statistics.ts';
import type { Wearer } from './wearer.ts';

const DARKEST = 0.01; // of full light: below it, differences are noise
const FOLD = 0.3; // log light: deeper steps are print or seams
const ROUND_DARKEST = -0.8;
const ROUND_BRIGHTEST = 0.25;
const PRINT = 7; // Lab units of chroma from the cloth's own colour

/**
 * Natural logarithm of how much brighter (> 0) or darker each pixel is lit than its cloth or skin on the whole.
 * Roundness is read from the top and the arms and runs on below the hem; folds are read from trousers too.
 */
export function measureFolds(wearer: Wearer): Float32Array {
  const { picture } = wearer;
  const top = threshold(wearer.top, 0.98);
  const lab = toLabPlanes(picture);
  const light = { ...top, data: mapFloats(top.data, (_, i) => Math.log(readLuminance(picture.data, i) + DARKEST)) };
  const fold = { plane: makePlane(picture), known: makePlane(picture) };
  const round = { plane: makePlane(picture), known: makeMask(picture) };
  for (const part of [top, wearer.skin, wearer.lower]) {
    const clear = markOwnColour(lab, erode(part, RIM * wearer.chest));
    if (!clear.data.includes(1)) continue;
    const wide = spreadKnown(light, clear, 0.05 * wearer.chest).data;
    const usual = quantile(wide, part.data, 0.7);
    for (let i = 0; i < wide.length; i += 1) {
      if (!clear.data[i]) continue;
      const step = light.data[i]! - wide[i]!;
      fold.plane.data[i] = Math.min(FOLD, Math.max(-FOLD, step)) * Math.min(1, Math.exp(wide[i]!) / DIM);
      fold.known.data[i] = 1;
      if (part === wearer.lower) continue;
      round.plane.data[i] = Math.min(ROUND_BRIGHTEST, Math.max(ROUND_DARKEST, wide[i]! - usual));
      round.known.data[i] = 1;
    }
  }
  const folds = fillGaps(fold.plane, fold.known).data;
  const rounds = spreadKnown(round.plane, round.known, 1).data;
  return folds.map((value, i) => value + rounds[i]!);
}

const RIM = 0.02; // of the chest: hems and edges have shadows of their own, which the new garment does not
const DIM = 0.06; // of full light: darker cloth shows its noise rather than its folds

/** The part where it has its usual hue: print and logos have another. */
function markOwnColour(lab: Lab, part: Mask): Mask {
  const [red, yellow] = [quantile(lab.a, part.data, 0.5), quantile(lab.b, part.data, 0.5)];
  return keepWhere(part, (i) => Math.hypot(lab.a[i]! - red, lab.b[i]! - yellow) < PRINT);
}
