import { cutOut } from '../cutout/cut-out.ts';
import type { Matting, Report } from '../cutout/matting.ts';
import { savePng, type PictureFile } from '../pixels/encode.ts';
import type { Size } from '../pixels/plane.ts';
import { readBrief, type Brief } from '../scenes/brief.ts';
import { makeScene } from '../scenes/make-scene.ts';
import { cropProduct, type Product } from '../scenes/product.ts';
import { borrowColours } from '../scenes/reference.ts';
import type { Understood } from '../scenes/understood.ts';
import type { Input } from './fields.ts';
import type { Run } from './skills.ts';

const MOST_SIDE = 6000; // px: scenes are at most 2048, and two copies of 64 megapixels would be too many

/** The product, untouched but for its size, in a scene that the prompt asks for; unknown words get the studio. */
export const run: Run = async ({ input, pictures, folder, seed, matting, report }) => {
  const { product, upload } = await findProduct(pictures['image_url'] ?? '', matting, (percent, message) =>
    report(percent * 0.6, message),
  );
  const brief = await readRequest(input, pictures);
  const takes = typeof input['num_images'] === 'number' ? input['num_images'] : 1;
  const images: PictureFile[] = [];
  let words: Understood = { understood: [], notDrawn: [] };
  for (let take = 0; take < takes; take += 1) {
    await report(60 + (35 * take) / takes, 'Building the scene');
    const takeSeed = (seed + take) >>> 0;
    // Who names a seed wants another picture than the one that comes by itself.
    const variation = typeof input['seed'] === 'number' ? seed : undefined;
    const scene = await makeScene({ product, upload, brief, take, seed: takeSeed, variation });
    if (take === 0) words = scene.words;
    await report(60 + (35 * (take + 1)) / takes, 'Saving');
    const name = takes === 1 ? 'scene.png' : `scene-${take + 1}.png`;
    images.push(await savePng(folder, name, { ...scene.picture, channels: 3 }));
  }
  return { images, seed, understood: words.understood, not_drawn: words.notDrawn };
};

/** Only the product's part of the upload is kept: the rest of it has its memory for the scene. */
async function findProduct(
  path: string,
  matting: Matting,
  report: Report,
): Promise<{ product: Product; upload: Size }> {
  const cutout = await cutOut(path, 'image_url', matting, report, { mostSide: MOST_SIDE });
  return { product: cropProduct(cutout), upload: { width: cutout.width, height: cutout.height } };
}

async function readRequest(input: Input, pictures: Record<string, string>): Promise<Brief> {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : '');
  const brief = readBrief(text('prompt'), text('negative_prompt'));
  const reference = pictures['ref_image_url'];
  return reference === undefined
    ? brief
    : { ...brief, ...(await borrowColours(reference, 'ref_image_url')), wantsPlainWall: true };
}
