import { readPicture } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import { toAlpha } from '../pixels/plane.ts';
import { tipsOver } from '../scenes/lying-flat.ts';
import { shadeAlone } from '../scenes/packshot.ts';
import { isGarmentAlone } from './garment.ts';
import type { Run } from './skills.ts';

/**
 * What lies under a product that stands on nothing, as a PNG of the picture's size: its shadow or its reflection, or
 * nothing where the product fills the picture.
 */
export const run: Run = async ({ input: { kind = 'soft', angle = 0 }, pictures, folder, report }) => {
  const { alpha, ...shown } = await readPicture(pictures['image_url'] ?? '');
  const { width, height } = shown;
  await report(20);
  let data: Uint8Array = new Uint8Array(4 * width * height);
  if (alpha) {
    const shape = toAlpha(shown, alpha);
    data = shadeAlone(shown, alpha, kind, angle, tipsOver(shape) || (await isGarmentAlone(shown, shape)));
  }
  return { file: await savePng(folder, 'shadow.png', { width, height, data }) };
};
