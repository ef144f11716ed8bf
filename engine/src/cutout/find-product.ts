/** The product's alpha: detected by a network, then refined along the picture's edges. */
import { countOnes, findBoxAround, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, pastePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { solveEdges } from './edges.ts';
import { enforceMarks } from './enforce.ts';
import type { Marks } from './marks.ts';
import { UnclearProduct, type Matting, type Report, type Subject } from './matting.ts';
import { boxOf } from './subject.ts';

/** Pixels of the long side at which edges are refined; full size follows from its own colours. */
export const WORK_SIDE = 800;

const NEAR = 0.1; // alpha above which an edge may lie there

/** Makes a matting from a detector. */
export const makeMatting = (detect: Matting['detect']): Matting => ({
  detect,
  find: (picture, report, marks) => findProduct(() => detect(picture, marks), picture, report, marks),
});

/** Returns alpha 0..1 of the picture's size. `detect` detects the product. @throws UnclearProduct */
export async function findProduct(
  detect: () => Promise<Subject>,
  picture: Rgb,
  report: Report,
  marks?: Marks,
): Promise<Plane> {
  await report(20);
  const subject = await detect();
  if (!subject.isSure && !marks) throw new UnclearProduct('it is not sure', boxOf(subject.alpha));
  await report(60);
  const refined = refineEdges(picture, subject);
  const alpha = marks ? enforceMarks(picture, refined, marks) : refined;
  if (countOnes(threshold(alpha, 0.5)) === 0) throw new UnclearProduct('nothing is covered');
  return alpha;
}

/** Refines the outline within the product's bounding box. */
function refineEdges(picture: Rgb, { alpha, scale }: Subject): Plane {
  const box = findBoxAround(threshold(alpha, NEAR));
  if (!box) return alpha;
  const out = makePlane(picture);
  pastePlane(out, solveEdges(cutRgb(picture, box), { alpha: cutPlane(alpha, box), scale }), box);
  return out;
}
