/** What is product, by our own network: it says where, the picture's colours and our own steps make the edge. */
import { mapFloats } from '../pixels/map.ts';
import { countOnes, findBoxAround, threshold } from '../pixels/mask.ts';
import { cutMask, cutPlane, cutRgb, makePlane, pastePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { lookAtCloseUps } from './close-ups.ts';
import { helpByColours } from './colours.ts';
import { solveEdges } from './edges.ts';
import { enforceMarks } from './enforce.ts';
import { findMarked, findProduct, type Found } from './find.ts';
import { findGaps } from './gaps.ts';
import { drawKept, type Marks } from './marks.ts';
import { UnclearProduct, type Report } from './matting.ts';
import type { Network } from './network.ts';
import { tidy } from './tidy.ts';

/** Pixels of the long side of the picture in which edges are found; full size follows by its own colours. */
export const WORK_SIDE = 800;

const DOUBTFUL = 0.1; // score of the looks from which the colours are heard as well
const REFUSED = 0.82; // of the card's `refuseAbove`: the strictest that costs tune-* nothing (18 % refused, 5 % wrong)
const BARE = 0.05; // cover up to which there is no product
const MARGIN = 0.2; // of the product's longer side: the close-ups see so much around it, and edges need less
const LEAST_SHARE = 0.001; // of the picture: below it there is no product to speak of

type Seen = Omit<Found, 'score'>;

/** Cover 0..1 of the picture's size. @throws UnclearProduct */
export async function findOwnCover(network: Network, picture: Rgb, report: Report, marks?: Marks): Promise<Plane> {
  await report(20, 'Finding the product');
  const helped = marks ? await findByMarks(network, picture, marks) : await findOrRefuse(network, picture);
  const refined = await refine(network, picture, helped, report, marks);
  const alpha = marks ? enforceMarks(picture, refined, marks) : refined;
  const least = marks ? 1 : LEAST_SHARE * alpha.data.length;
  if (countOnes(threshold(alpha, 0.5)) < least) throw new UnclearProduct('nothing is covered');
  return alpha;
}

/** The outline, worked out in the box around the product. */
async function refine(
  network: Network,
  picture: Rgb,
  { alpha, grain }: Seen,
  report: Report,
  marks?: Marks,
): Promise<Plane> {
  const refined = makePlane(picture);
  const box = findBoxAround(threshold(alpha, BARE), MARGIN);
  if (!box) return refined;
  const near = cutRgb(picture, box);
  const seen = { alpha: cutPlane(alpha, box), grain };
  const gaps = findGaps(near, seen.alpha, marks && cutMask(drawKept(marks, picture, picture), box));
  seen.alpha = await lookAtCloseUps(network, near, seen);
  seen.alpha.data = mapFloats(seen.alpha.data, (cover, i) => (gaps.data[i] ? 0 : cover));
  await report(55, 'Refining edges');
  pastePlane(refined, tidy(solveEdges(near, seen), seen), box);
  return refined;
}

/**
 * Helps by the picture's colours and weighs the doubt anew: where the looks leave much open, half of it is how far the
 * colours bear them out. @throws UnclearProduct
 */
async function findOrRefuse(network: Network, picture: Rgb): Promise<Seen> {
  const found = await findProduct(network, picture);
  const { alpha, agreement } = await helpByColours(network, picture, found.alpha);
  const doubt = found.score > DOUBTFUL ? (found.score + 1 - agreement) / 2 : found.score;
  if (doubt > REFUSED * network.card.refuseAbove) throw new UnclearProduct(`doubtful: ${doubt.toFixed(3)}`);
  return { ...found, alpha };
}

/** Never refuses: the marks say what is meant, and the colours learn from what they say. */
async function findByMarks(network: Network, picture: Rgb, marks: Marks): Promise<Seen> {
  const found = await findMarked(network, picture, marks);
  const { alpha } = await helpByColours(network, picture, enforceMarks(picture, found.alpha, marks), marks);
  return { ...found, alpha };
}
