/** The light on the clothes that a person wears: folds and the roundness of the body, without the cloth's own print. */
import { fillGaps } from '../people/fill-gaps.ts';
import { spreadKnown } from '../people/wall.ts';
import { byteToLight, toLabPlanes, type Lab } from '../pixels/colour.ts';
import { erode, keepWhere, threshold } from '../pixels/mask.ts';
import type { Mask, Rgb } from '../pixels/plane.ts';
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
  const { width, height } = wearer.picture;
  const { picture } = wearer;
  const lab = toLabPlanes(picture);
  const light = readLight(picture);
  const fold = { plane: new Float32Array(width * height), known: new Float32Array(width * height) };
  const round = { plane: new Float32Array(width * height), known: new Uint8Array(width * height) };
  const top = threshold(wearer.top, 0.98);
  for (const part of [top, wearer.skin, wearer.lower]) {
    const clear = markOwnColour(lab, erode(part, RIM * wearer.chest));
    if (!clear.includes(1)) continue;
    const wide = spreadKnown({ width, height, data: light }, { width, height, data: clear }, 0.05 * wearer.chest).data;
    const usual = quantile(wide, part.data, 0.7);
    for (let i = 0; i < clear.length; i += 1) {
      if (!clear[i]) continue;
      fold.plane[i] = Math.min(FOLD, Math.max(-FOLD, light[i]! - wide[i]!)) * Math.min(1, Math.exp(wide[i]!) / DIM);
      fold.known[i] = 1;
      if (part === wearer.lower) continue;
      round.plane[i] = Math.min(ROUND_BRIGHTEST, Math.max(ROUND_DARKEST, wide[i]! - usual));
      round.known[i] = 1;
    }
  }
  const size = { width, height };
  const folds = fillGaps({ ...size, data: fold.plane }, { ...size, data: fold.known }).data;
  const rounds = spreadKnown({ ...size, data: round.plane }, { ...size, data: round.known }, 1).data;
  return folds.map((value, i) => value + rounds[i]!);
}

const RIM = 0.02; // of the chest: hems and edges have shadows of their own, which the new garment does not
const DIM = 0.06; // of full light: darker cloth shows its noise rather than its folds

function readLight({ data, width, height }: Rgb): Float32Array {
  const out = new Float32Array(width * height);
  for (let i = 0; i < out.length; i += 1) {
    const [red, green, blue] = [
      byteToLight(data[i * 3]!),
      byteToLight(data[i * 3 + 1]!),
      byteToLight(data[i * 3 + 2]!),
    ];
    out[i] = Math.log(0.2126 * red + 0.7152 * green + 0.0722 * blue + DARKEST);
  }
  return out;
}

/** 1 where a part has its usual hue: print and logos have another. */
function markOwnColour(lab: Lab, part: Mask): Uint8Array {
  const [red, yellow] = [medianOf(lab.a, part.data), medianOf(lab.b, part.data)];
  return keepWhere(part, (i) => Math.hypot(lab.a[i]! - red, lab.b[i]! - yellow) < PRINT).data;
}

function medianOf(plane: Float32Array, mask: Uint8Array): number {
  return quantile(plane, mask, 0.5);
}

function quantile(plane: Float32Array, mask: Uint8Array, share: number): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[Math.floor(share * (values.length - 1))] ?? 0;
}
