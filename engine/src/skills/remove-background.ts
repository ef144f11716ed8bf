import { cutOut, type Cutout } from '../cutout/cut-out.ts';
import { savePng } from '../pixels/encode.ts';
import type { Run } from './skills.ts';

/** Cuts the product out: a PNG of the upload's size with the product's alpha, corrected by the user's marks. */
export const run: Run = async ({ input, pictures, folder, matting, report }) => {
  const { marks } = input;
  const cutout = await cutOut(pictures['image_url'] ?? '', matting, report, { marks });
  forgetBackground(cutout);
  await report(92);
  return { file: await savePng(folder, 'cutout.png', cutout) };
};

/** Blackens fully transparent pixels, so that nothing of the old background is left in the file. */
function forgetBackground({ data: rgb, alpha }: Cutout): void {
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i] === 0) rgb[i * 3] = rgb[i * 3 + 1] = rgb[i * 3 + 2] = 0; // many times as fast as fill
  }
}
