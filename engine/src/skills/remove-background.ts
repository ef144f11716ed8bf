import { cutOut, type Cutout } from '../matting/cutout.ts';
import { savePng } from '../pixels/encode.ts';
import type { Run } from './skills.ts';

/** The product on nothing: a PNG of the upload's size whose alpha is the product's cover. */
export const run: Run = async ({ pictures, folder, matter, report }) => {
  const cutout = await cutOut(pictures['image_url'] ?? '', 'image_url', matter, report);
  await report(92, 'Saving');
  const { width, height } = cutout;
  const image = await savePng(folder, 'cutout.png', { data: interleave(cutout), width, height, channels: 4 });
  return { image };
};

function interleave({ rgb, alpha }: Cutout): Uint8Array {
  const out = new Uint8Array(alpha.length * 4);
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i] === 0) continue; // nothing of the old background is left behind
    out[i * 4] = rgb[i * 3]!;
    out[i * 4 + 1] = rgb[i * 3 + 1]!;
    out[i * 4 + 2] = rgb[i * 3 + 2]!;
    out[i * 4 + 3] = alpha[i]!;
  }
  return out;
}
