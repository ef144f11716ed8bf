/** From a picture file to a cut-out at full size: the first step of removing or replacing a background. */
import { isBlank, readPicture, shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { toAlpha, toPlane, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { makeSampler, sample } from '../pixels/sample.ts';
import { enforceMarks, reapplyMarks } from './enforce.ts';
import { separateLayers } from './foreground.ts';
import { growAlpha, paintProduct } from './full-size.ts';
import type { Marks } from './marks.ts';
import { UnclearProduct, type Matting, type Report } from './matting.ts';
import { WORK_SIDE } from './find-product.ts';

/** The product alone: foreground colours (8-bit sRGB), extended a little beyond its edge, and alpha 0..255. */
export type Cutout = Rgb & { alpha: Uint8Array };

/** Also has the small copy in which it was found, the alpha 0..1 there, and whether the upload has a background. */
export type FoundCutout = Cutout & { small: Rgb; smallAlpha: Plane; hasBackground: boolean };

const MIN_OWN_ALPHA = 0.2; // of an upload in the small copy: colours of fainter pixels have too much rounding error

export type CutOutOptions = {
  /** The copy in which the product is searched, if the picture does not have the photo's own size. */
  small?: Decoded;
  /** Pixels of the product's long side that the caller needs; larger photos are scaled down to it. */
  enough?: number;
  marks?: Marks | undefined;
};

/** Cuts the product out of a picture file. @throws Refusal */
export async function cutOut(
  path: string,
  matting: Pick<Matting, 'find'>,
  report: Report,
  options: CutOutOptions = {},
): Promise<FoundCutout> {
  await report(5);
  const decoded = await readPicture(path);
  if (!decoded.alpha && !options.marks && isBlank(decoded)) throw new UnclearProduct('it is blank');
  return separate(decoded, matting, report, options);
}

/** Cuts the product out of a decoded picture, whose buffer is overwritten. @throws UnclearProduct */
export async function separate(
  decoded: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  { small: smallCopy, enough = Infinity, marks }: CutOutOptions = {},
): Promise<FoundCutout> {
  const small = smallCopy ?? (await shrinkRgb(decoded, WORK_SIDE));
  const { alpha: own } = small;
  const alpha =
    own && decoded.alpha
      ? enforceOnOwn(decoded.alpha, decoded, small, toAlpha(small, own), marks)
      : await matting.find(small, report, marks);
  const picture = decoded.alpha ? decoded : await shrinkRgb(decoded, sideFor(alpha, enough));
  await report(75);
  const layers = separateLayers(small, own ? toPlane(threshold(toAlpha(small, own), MIN_OWN_ALPHA)) : alpha);
  await report(85);
  const full = decoded.alpha ?? growAlpha(picture, alpha, small);
  if (marks) {
    reapplyMarks(full, picture, alpha, marks);
    if (full.every((smallAlpha) => smallAlpha < 128)) throw new UnclearProduct('the marks leave nothing');
  }
  const hasBackground = decoded.alpha === undefined;
  const data = paintProduct(picture, full, layers.front, small, { hasBackground });
  const { width, height } = picture;
  return { width, height, data, alpha: full, small, smallAlpha: alpha, hasBackground };
}

/** The picture's long side in pixels at which the product's long side has `enough` pixels. */
function sideFor(alpha: Plane, enough: number): number {
  const { width, height } = findBox(threshold(alpha, 0.5), 0) ?? alpha;
  return Math.ceil((enough * Math.max(alpha.width, alpha.height)) / Math.max(width, height));
}

/** Applies marks to the upload's own alpha, in place. Returns it at the size of `small`; `before` is without marks. */
function enforceOnOwn(own: Uint8Array, size: Size, small: Rgb, before: Plane, marks: Marks | undefined): Plane {
  if (!marks) return before;
  const after = enforceMarks(small, before, marks);
  const sampler = makeSampler(small, size);
  for (let i = 0; i < own.length; i += 1) {
    sampler.moveTo(i % size.width, Math.floor(i / size.width));
    const change = sample(sampler, after.data) - sample(sampler, before.data);
    if (Math.abs(change) > 0.5 / 255) own[i] = Math.min(255, Math.max(0, own[i]! + Math.round(255 * change)));
  }
  return after;
}
