import { cutOut, type Cutout } from '../matting/cutout.ts';
import { saveCutout } from '../pixels/encode.ts';
import type { Run } from './skills.ts';

/** The product on nothing: a PNG of the upload's size whose alpha is the product's cover. */
export const run: Run = async ({ pictures, folder, matter, report }) => {
  const cutout = await cutOut(pictures['image_url'] ?? '', 'image_url', matter, report);
  forgetBackground(cutout);
  await report(92, 'Saving');
  const image = await saveCutout(folder, 'cutout.png', cutout);
  return { image };
};

/** Nothing of the old background is left behind where it does not show. */
function forgetBackground({ rgb, alpha }: Cutout): void {
  for (let i = 0; i < alpha.length; i += 1) if (alpha[i] === 0) rgb.fill(0, i * 3, i * 3 + 3);
}
