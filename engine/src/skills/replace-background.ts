import { cutOut } from '../matting/cutout.ts';
import { savePng, type PictureFile } from '../pixels/encode.ts';
import { makeRandom } from '../pixels/random.ts';
import { readBrief, type Brief } from '../scenes/brief.ts';
import { chooseScene } from '../scenes/choose.ts';
import { composeScene } from '../scenes/compose.ts';
import { frameScene } from '../scenes/frame.ts';
import type { Plate } from '../scenes/plates.ts';
import { cropProduct, scaleProduct } from '../scenes/product.ts';
import { borrowColours } from '../scenes/reference.ts';
import { findLitSide } from '../scenes/shading.ts';
import type { Input } from './fields.ts';
import type { Run } from './skills.ts';

const MOST_SIDE = 6000; // px: scenes are at most 2048, and two copies of 64 megapixels would be too many
const MIRROR = 0x6d31; // keeps this choice apart from the framing's

/** The product, untouched but for its size, in a scene that the prompt asks for; unknown words get the studio. */
export const run: Run = async ({ input, pictures, folder, seed, matter, report }) => {
  const path = pictures['image_url'] ?? '';
  const reportHalf: typeof report = (percent, message) => report(percent * 0.6, message);
  const cutout = await cutOut(path, 'image_url', matter, reportHalf, MOST_SIDE);
  const product = cropProduct(cutout);
  const litSide = findLitSide(product);
  const brief = await readRequest(input, pictures);
  const takes = typeof input['num_images'] === 'number' ? input['num_images'] : 1;
  const images: PictureFile[] = [];
  for (let take = 0; take < takes; take += 1) {
    await report(60 + (35 * take) / takes, 'Building the scene');
    const takeSeed = (seed + take) >>> 0;
    const { plate, load } = chooseScene(brief, take, takeSeed);
    const wanted = brief.lightFrom ?? litSide;
    const frame = frameScene(plate, cutout, product, takeSeed, isSeenInMirror(plate, wanted, takeSeed));
    const placed = await scaleProduct(product, frame.productScale);
    await report(75 + (20 * take) / takes, 'Casting shadows');
    const scene = await composeScene(plate, await load(), frame, placed, brief);
    await report(95, 'Saving');
    const name = takes === 1 ? 'scene.png' : `scene-${take + 1}.png`;
    images.push(
      await savePng(folder, name, { data: scene.rgb, width: scene.width, height: scene.height, channels: 3 }),
    );
  }
  return { images, seed };
};

async function readRequest(input: Input, pictures: Record<string, string>): Promise<Brief> {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : '');
  const brief = readBrief(text('prompt'), text('negative_prompt'));
  const reference = pictures['ref_image_url'];
  return reference === undefined
    ? brief
    : { ...brief, ...(await borrowColours(reference, 'ref_image_url')), wantsPlainWall: true };
}

/** So that the light comes from where it is wanted; when it does not matter, every other seed sees the set the other way round. */
function isSeenInMirror(plate: Plate, wanted: 'left' | 'right' | undefined, seed: number): boolean {
  const sideways = Math.sin((plate.light.azimuthDeg * Math.PI) / 180);
  if (wanted === undefined || Math.abs(sideways) < 0.2) return makeRandom(seed ^ MIRROR)() < 0.5;
  return (sideways > 0 ? 'right' : 'left') !== wanted;
}
