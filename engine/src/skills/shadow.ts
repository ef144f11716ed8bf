import { readPicture } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import { coverOf } from '../pixels/plane.ts';
import { FieldProblem } from '../problem.ts';
import { shadeAlone } from '../scenes/packshot.ts';
import { isGarmentAlone } from './garment.ts';
import type { Run } from './skills.ts';

/** What lies under a product that stands on nothing, as a PNG of the picture's size: its shadow or its reflection. */
export const run: Run = async ({ input: { kind = 'soft', angle = 0 }, pictures, folder, report }) => {
  const { alpha, ...shown } = await readPicture(pictures['image_url'] ?? '', 'image_url');
  if (!alpha) throw new FieldProblem('image_url', 'no_transparency', 'Send the product on nothing, as a cut-out.');
  await report(20, 'Casting');
  const isFlat = await isGarmentAlone(shown, coverOf(shown, alpha));
  const data = shadeAlone(shown, alpha, kind, angle, isFlat);
  const { width, height } = shown;
  return { file: await savePng(folder, 'shadow.png', { width, height, data, channels: 4 }) };
};
