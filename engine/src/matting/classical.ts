// The built-in matter: outlines and colours, no training. Good where the product differs from what surrounds it.
import { shrinkPicture } from '../pixels/decode.ts';
import { refineEdges } from './edges.ts';
import { NotToldApart, type Matter } from './matter.ts';
import { segment } from './segment.ts';

const SEGMENT_SIDE = 512;

export const classicalMatter: Matter = {
  name: 'classical',
  async matte(picture, report) {
    const segmented = await segment(await shrinkPicture(picture, SEGMENT_SIDE), report);
    if (segmented.refusal !== undefined) throw new NotToldApart(segmented.refusal);
    await report(60, 'Refining edges');
    return refineEdges(picture, segmented);
  },
};
