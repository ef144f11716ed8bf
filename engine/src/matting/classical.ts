// The built-in matter: outlines and colours, no training. Good where the product differs from what surrounds it.
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { refineEdges } from './edges.ts';
import { findGlass } from './glass.ts';
import { NotToldApart, type Matter, type Report } from './matter.ts';
import { chooseFigure, findPerson, mayShowPerson } from './person.ts';
import { segment } from './segment.ts';
import type { Segmentation } from './segmentation.ts';

const SEGMENT_SIDE = 512;

export const classicalMatter: Matter = {
  name: 'classical',
  async matte(picture, report) {
    const segmented = await findSubject(picture, report);
    if (segmented.refusal !== undefined) throw new NotToldApart(segmented.refusal);
    await report(60, 'Refining edges');
    return refineEdges(picture, segmented);
  },
  findGlass,
};

async function findSubject(picture: Picture, report: Report): Promise<Segmentation> {
  const small = await shrinkPicture(picture, SEGMENT_SIDE);
  const segmented = await segment(small, report);
  const person = mayShowPerson(segmented) ? await findPerson(picture, small) : undefined;
  return person ? chooseFigure(small, await segment(small, report, person.chin), person) : segmented;
}
