/**
 * Where the product is, as far as the network sees it: two looks or three, one choice, another from nearby where it is
 * small.
 */
import { mapFloats } from '../pixels/map.ts';
import { findBoxAround, overlap, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, pastePlane, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import type { Card, Look } from './card.ts';
import { lookAt, weighLooks } from './looks.ts';
import type { Marks } from './marks.ts';
import type { Network } from './network.ts';

/** `alpha` has the picture's size; one pixel of the network covers `grain` of its pixels. */
export type Found = { alpha: Plane; grain: number; score: number };

const ENOUGH_AGREEMENT = 0.94; // of the first two looks: more would then choose the same (measured on tune-*)
const ENOUGH_SOFTNESS = 0.08;
const SMALL_SHARE = 0.5; // of the picture, by the box around it: smaller things gain by a second look
const CROP_MARGIN = 0.12; // of the box's longer side
const SAME_THING = 0.9; // overlap of the second look with the first
const LOOK_SIDE = 896; // twice the largest usual look: enough for an area mean

/**
 * What the network takes for product: cover 0..1 of the whole picture, and its doubt. Two looks; a third where they
 * differ.
 */
export async function findProduct(network: Network, picture: Rgb): Promise<Found> {
  const small = await network.shrink(picture, LOOK_SIDE);
  const { first, further } = chooseLooks(network.card);
  const alphas: Plane[] = [];
  for (const look of first) alphas.push(await lookAt(network, small, look));
  let opinion = weighLooks(network.card, alphas);
  if (further && (opinion.leastAgreement < ENOUGH_AGREEMENT || opinion.softness > ENOUGH_SOFTNESS)) {
    alphas.push(await lookAt(network, small, further));
    opinion = weighLooks(network.card, alphas);
  }
  const found = {
    alpha: resizePlane(opinion.alpha, picture),
    grain: findGrain(picture, opinion.alpha.width),
    score: opinion.score,
  };
  return lookCloser(network, picture, found, first[0]);
}

/** By a person's marks: the mean of all looks, which follows them better than any one of them. */
export async function findMarked(network: Network, picture: Rgb, marks: Marks): Promise<Omit<Found, 'score'>> {
  const small = await network.shrink(picture, LOOK_SIDE);
  const { first, further } = chooseLooks(network.card);
  const looks = further ? [...first, further] : first;
  const alpha = makePlane(picture);
  for (const look of looks) {
    const { data } = resizePlane(await lookAt(network, small, look, marks), picture);
    for (let i = 0; i < data.length; i += 1) alpha.data[i]! += data[i]! / looks.length;
  }
  return { alpha, grain: findGrain(picture, looks[0]?.side ?? 1) };
}

function findGrain({ width, height }: Size, side: number): number {
  return Math.max(1, Math.max(width, height) / side);
}

/** First the look of middle size and the largest mirrored one, which differ in both; then the smallest mirrored one. */
function chooseLooks({ looks }: Card): { first: Look[]; further: Look | undefined } {
  const bySide = (mirrored: boolean) =>
    looks.filter((look) => look.mirrored === mirrored).toSorted((a, b) => a.side - b.side);
  const [plain, turned] = [bySide(false), bySide(true)];
  const first = [plain[Math.floor(plain.length / 2)], turned.at(-1)].filter((look) => look !== undefined);
  return { first, further: turned.find((look) => !first.includes(look)) };
}

/** Small things again, from nearby: the mean of both looks, where they see the same thing. */
async function lookCloser(network: Network, picture: Rgb, found: Found, look: Look | undefined): Promise<Found> {
  const mask = threshold(found.alpha, 0.5);
  const around = findBoxAround(mask, CROP_MARGIN);
  if (!around || !look || around.width * around.height > SMALL_SHARE * picture.width * picture.height) return found;
  const { alpha } = found;
  const again = resizePlane(await lookAt(network, cutRgb(picture, around), look), around);
  const before = cutPlane(alpha, around);
  if (overlap(threshold(again, 0.5), threshold(before, 0.5)) < SAME_THING) return found;
  const both = makePlane(alpha);
  pastePlane(both, { ...before, data: mapFloats(again.data, (cover, i) => (cover + before.data[i]!) / 2) }, around);
  return { ...found, alpha: both, grain: findGrain(around, look.side) };
}
