import sharp from 'sharp';
import { cutOut, type Cutout } from '../cutout/cut-out.ts';
import { readMarks } from '../cutout/marks.ts';
import { savePng } from '../pixels/encode.ts';
import { readBrief } from '../words/brief.ts';
import { makeScene } from '../scenes/make-scene.ts';
import { liesOnItsGround, LOOK_SIDE } from '../scenes/lying.ts';
import { cropProduct } from '../scenes/product.ts';
import { isGarmentAlone } from './garment.ts';
import { readPlacement } from './placement.ts';
import type { Input, Run, SkillRequest } from './skills.ts';

const MOST_SIDE = 6000; // px: scenes are at most 2048, and two copies of 64 megapixels would be too many

/** The product, untouched but for its size, in a scene that the prompt asks for; unknown words get the studio. */
export const run: Run = async (request) => {
  const { input, folder, seed, report } = request;
  const cut = await findProduct(request);
  await report(60, 'Building the scene');
  const brief = readBrief(typeof input['prompt'] === 'string' ? input['prompt'] : '');
  const placement = readPlacement(input['placement']);
  const { picture, words } = await makeScene({ ...cut, brief, placement, ...chooseSeeds(input, seed) });
  await report(95, 'Saving');
  return { file: await savePng(folder, 'scene.png', { ...picture, channels: 3 }), words };
};

/** Only the product's part of the upload is kept: the rest of it has its memory for the scene. */
async function findProduct({ input, pictures, matting, report }: SkillRequest) {
  const marks = readMarks(input['marks']);
  const tell: typeof report = (percent, message) => report(percent * 0.6, message);
  const cutout = await cutOut(pictures['image_url'] ?? '', 'image_url', matting, tell, { mostSide: MOST_SIDE, marks });
  const upload = { width: cutout.width, height: cutout.height };
  const [isGarment, lies] = await Promise.all([
    isGarmentAlone(cutout.small, cutout.cover),
    liesInPhoto(pictures['image_url'] ?? '', cutout),
  ]);
  return { product: cropProduct(cutout), isGarment, lies, upload };
}

/** The photo once more, for a cut-out keeps nothing of its ground; one that came without its ground has none. */
async function liesInPhoto(path: string, cutout: Cutout): Promise<boolean> {
  const photo = sharp(path).autoOrient();
  if ((await photo.metadata()).hasAlpha) return false;
  const look = photo.resize(LOOK_SIDE, LOOK_SIDE, { fit: 'fill' }).toColourspace('srgb').removeAlpha();
  return liesOnItsGround({ width: LOOK_SIDE, height: LOOK_SIDE, data: await look.raw().toBuffer() }, cutout);
}

/** Who names a seed, or another variant than 0, wants another picture than the one that comes by itself. */
function chooseSeeds(input: Input, seed: number): { seed: number; variation?: number } {
  const variant = typeof input['variant'] === 'number' ? input['variant'] : 0;
  const isNamed = typeof input['seed'] === 'number';
  const own = (seed + variant) >>> 0;
  if (!isNamed && variant === 0) return { seed };
  return { seed: own, variation: isNamed ? own : variant };
}
