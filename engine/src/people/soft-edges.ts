/**
 * Soft outlines from coarse masks, by the picture's own colours: the fast guided filter (He and Sun 2015). What is
 * costly happens on a half-size copy, only what is cheap at every pixel.
 */
import { shrinkRgb } from '../pixels/decode.ts';
import { fitAlpha, type Coefficients } from '../pixels/guided.ts';
import { dilate, erode, threshold } from '../pixels/mask.ts';
import { makePlane, toPlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { makeSampler, sample, type Sampler } from '../pixels/sample.ts';

const HALVED = 900; // pixels of the long side: up to there a gap under an arm is too narrow to be halved

/** The picture at half its size, or as it is where that is small already. */
export async function halvePicture(picture: Rgb): Promise<Rgb> {
  const long = Math.max(picture.width, picture.height);
  return long <= HALVED ? picture : shrinkRgb(picture, Math.ceil(long / 2));
}

/**
 * Soft cover, 0..1 per pixel of the picture, of a mask, 0..1, that lies over it; only a narrow band along the mask's
 * outline differs from 0 and 1.
 */
export async function fitEdges(picture: Rgb, mask: Plane): Promise<Plane> {
  const half = await halvePicture(picture);
  const scale = half.width / picture.width;
  const band = scale * Math.max(2, 0.004 * Math.max(picture.width, picture.height));
  const hard = threshold(resizePlane(mask, half), 0.5);
  const inner = erode(hard, band).data;
  const outer = dilate(hard, band).data;
  const coefficients = fitAlpha(half, toPlane(hard), Math.max(2, Math.round(band)));
  return mapByHalf(picture, half, (i, near, sampler) => {
    if (inner[near]) return 1;
    if (!outer[near]) return 0;
    return Math.min(1, Math.max(0, (readFitted(coefficients, sampler, picture, i) - 0.05) / 0.9));
  });
}

/** Asks for every pixel of the picture: `i`, the half-size pixel `near` it, and the sampler that stands there. */
export function mapByHalf(
  picture: Rgb,
  half: Rgb,
  value: (i: number, near: number, sampler: Sampler) => number,
): Plane {
  const { width, height } = picture;
  const out = makePlane(picture);
  const sampler = makeSampler(half, picture);
  const nearest = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * half.width) / width));
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(((y + 0.5) * half.height) / height) * half.width;
    for (let x = 0; x < width; x += 1) {
      sampler.moveTo(x, y);
      out.data[y * width + x] = value(y * width + x, row + nearest[x]!, sampler);
    }
  }
  return out;
}

/** What the filter, fitted on the half-size copy, says of the full picture's pixel `i`, where the sampler stands. */
export function readFitted({ planes }: Coefficients, sampler: Sampler, { data }: Rgb, i: number): number {
  const colours =
    sample(sampler, planes[0]) * data[i * 3]! +
    sample(sampler, planes[1]) * data[i * 3 + 1]! +
    sample(sampler, planes[2]) * data[i * 3 + 2]!;
  return colours / 255 + sample(sampler, planes[3]);
}
