// The built-in matter: outlines and colours, no training. Good where the product differs from what surrounds it.
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { applyAlpha, fitAlpha } from './guided.ts';
import { NotToldApart, type Matter } from './matter.ts';
import { findRefusal } from './refusal.ts';
import { dilate, erode } from './regions.ts';
import { segment } from './segment.ts';

const SEGMENT_SIDE = 512;
const BAND_SHARE = 0.008; // of the long side: how far the true edge may lie from the mask's

export const classicalMatter: Matter = {
  name: 'classical',
  async matte(picture, report) {
    const small = await shrinkPicture(picture, SEGMENT_SIDE);
    const segmented = await segment(small, report);
    const reason = findRefusal(segmented);
    if (reason) throw new NotToldApart(reason);
    await report(60, 'Refining edges');
    return refineEdges(picture, segmented.mask, small);
  },
};

/** Turns the coarse 0/1 mask into soft alpha at the picture's size; only a band along the outline may change. */
function refineEdges(picture: Picture, mask: Uint8Array, small: Picture): Float32Array {
  const { width, height } = picture;
  const soft = softBlur(Float32Array.from(mask), small.width, small.height, 1.2);
  const start = resizePlane(soft, small.width, small.height, width, height).map((value) => (value > 0.5 ? 1 : 0));
  const hard = Uint8Array.from(start);
  const band = Math.max(3, BAND_SHARE * Math.max(width, height));
  const inner = erode(hard, width, height, band * 0.8);
  const outer = dilate(hard, width, height, band);
  const coefficients = fitAlpha(picture, start, 4);
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i += 1) {
    if (inner[i]) alpha[i] = 1;
    else if (outer[i]) {
      const { rgb } = picture;
      const fitted = applyAlpha(coefficients, i, rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
      alpha[i] = Math.min(1, Math.max(0, (fitted - 0.04) / 0.92));
    }
  }
  return alpha;
}
