import { enforceMarks } from '../cutout/enforce.ts';
import { WORK_SIDE } from '../cutout/find-product.ts';
import { traceBoundary } from '../cutout/outline.ts';
import { boxOf } from '../cutout/subject.ts';
import { isBlank, readPicture, shrinkRgb } from '../pixels/decode.ts';
import { toAlpha } from '../pixels/plane.ts';
import type { Run } from './skills.ts';

const NOTHING = { answer: { sure: false, box: null, outline: null } };

/** Reports what would be cut out: its certainty, box and outline, in shares of the upright picture. */
export const run: Run = async ({ input, pictures, matting, report }) => {
  await report(5);
  const picture = await readPicture(pictures['image_url'] ?? '');
  const { marks } = input;
  if (!picture.alpha && !marks && isBlank(picture)) return NOTHING;
  const small = await shrinkRgb(picture, WORK_SIDE);
  const found = small.alpha ? { alpha: toAlpha(small, small.alpha), isSure: true } : await matting.detect(small, marks);
  const alpha = marks ? enforceMarks(small, found.alpha, marks) : found.alpha;
  const box = boxOf(alpha, marks?.box);
  return box ? { answer: { sure: found.isSure, box, outline: traceBoundary(alpha) } } : NOTHING;
};
