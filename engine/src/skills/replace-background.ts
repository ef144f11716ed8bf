import { cutOut } from '../cutout/cut-out.ts';
import { savePng } from '../pixels/encode.ts';
import { readBrief } from '../words/brief.ts';
import { MAX_LONG_SIDE } from '../scenes/frame.ts';
import type { Lying } from '../scenes/choose.ts';
import { makeScene } from '../scenes/make-scene.ts';
import { isLyingFlat, tipsOver } from '../scenes/lying-flat.ts';
import { cropProduct } from '../scenes/product.ts';
import { isGarmentAlone } from './garment.ts';
import type { Run, SkillRequest } from './skills.ts';

/** Places the product, unchanged except for its size, in the scene that the prompt describes; by default a studio. */
export const run: Run = async (request) => {
  const { input, folder, report } = request;
  const cut = await findProduct(request);
  await report(60);
  const brief = readBrief(input.prompt ?? '');
  const scene = await makeScene({ ...cut, brief, placement: input.placement, variation: input.seed });
  await report(95);
  const file = await savePng(folder, 'scene.png', scene.picture);
  return { file, words: scene.words, placement: scene.finalPlacement };
};

/** Keeps only the product's part of the upload, to free memory for the scene. */
async function findProduct({ input, pictures, matting, report }: SkillRequest) {
  const { marks, placement } = input;
  const reportShare: typeof report = (percent) => report(percent * 0.6);
  const enough = MAX_LONG_SIDE * Math.max(1, placement?.scale ?? 1);
  const cutout = await cutOut(pictures['image_url'] ?? '', matting, reportShare, { enough, marks });
  const upload = { width: cutout.width, height: cutout.height };
  const isGarment = await isGarmentAlone(cutout.small, cutout.smallAlpha);
  const seemsLying = cutout.hasBackground && (await isLyingFlat(cutout));
  const lying: Lying | undefined = tipsOver(cutout.smallAlpha) ? 'surely' : seemsLying ? 'likely' : undefined;
  return { product: cropProduct(cutout), isGarment, lying, upload };
}
