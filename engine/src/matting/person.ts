// People run out of the frame: where a face is, what lies at the border below it may be its clothes.
import type { Picture } from '../pixels/decode.ts';
import type { Segmentation } from './segmentation.ts';

const SKIN_SHARE = 0.06; // of the mask
const HEAD_SHARE = 0.3; // a head alone: its clothes were taken for background
const LOWEST = 0.82; // of the height: a mask that ends above stands free, whatever its colours

/** Cheap, and often wrong: the face networks cost most of a second, so they are only asked when this holds. */
export function mayShowPerson({ mask, lab, width, height }: Segmentation): boolean {
  let [skin, area, lowest] = [0, 0, 0];
  for (let i = 0; i < mask.length; i += 1) {
    if (!mask[i]) continue;
    area += 1;
    lowest = i;
    if (isSkinTone(lab.l[i]!, lab.a[i]!, lab.b[i]!)) skin += 1;
  }
  if (area === 0 || skin > HEAD_SHARE * area) return true;
  return skin > SKIN_SHARE * area && lowest > LOWEST * height * width;
}

/** Skin of all people is an orange of modest chroma; its lightness runs from dark to pale. */
function isSkinTone(l: number, a: number, b: number): boolean {
  const chroma = Math.hypot(a, b);
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  return l > 12 && l < 93 && chroma > 8 && chroma < 42 && hue > 25 && hue < 82;
}

/** The row of the highest chin, in pixels of a picture of this height; undefined when nobody is seen. */
export async function findChin(picture: Picture, height: number): Promise<number | undefined> {
  const { findFaces } = await import('../people/faces.ts'); // 290 MB of networks: only for people
  const chins = (await findFaces(picture)).map(({ box }) => box.top + box.height);
  return chins.length === 0 ? undefined : (Math.min(...chins) * height) / picture.height;
}
