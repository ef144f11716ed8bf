/** The product's alpha by our own network: where it is, then its exact outline by the picture's colours. */
import { countOnes, findBoxAround, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, pastePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { solveEdges } from './edges.ts';
import { enforceMarks } from './enforce.ts';
import type { Marks } from './marks.ts';
import { UnclearProduct, type Matting, type Report, type Subject } from './matting.ts';
import { boxOf } from './subject.ts';

/** Pixels of the long side of the picture in which edges are found; full size follows by its own colours. */
export const WORK_SIDE = 800;

const NEAR = 0.1; // alpha from which on an edge may lie there

/** Finds products by this look at a picture. */
export const makeMatting = (look: Matting['look']): Matting => ({
  look,
  find: (picture, report, marks) => findProduct(() => look(picture, marks), picture, report, marks),
});

/** Alpha 0..1 of the picture's size; `look` says where the product is. @throws UnclearProduct */
export async function findProduct(
  look: () => Promise<Subject>,
  picture: Rgb,
  report: Report,
  marks?: Marks,
): Promise<Plane> {
  await report(20, 'Finding the product');
  const subject = await look();
  if (!subject.isSure && !marks) throw new UnclearProduct('it is not sure', boxOf(subject.alpha));
  await report(60, 'Refining edges');
  const refined = refineEdges(picture, subject);
  const alpha = marks ? enforceMarks(picture, refined, marks) : refined;
  if (countOnes(threshold(alpha, 0.5)) === 0) throw new UnclearProduct('nothing is covered');
  return alpha;
}

/** The outline, worked out in the box around the product. */
function refineEdges(picture: Rgb, { alpha, grain }: Subject): Plane {
  const box = findBoxAround(threshold(alpha, NEAR));
  if (!box) return alpha;
  const out = makePlane(picture);
  pastePlane(out, solveEdges(cutRgb(picture, box), { alpha: cutPlane(alpha, box), grain }), box);
  return out;
}
