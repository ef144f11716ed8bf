// People run out of the frame: where a face is, what lies at the border below it may be its clothes.
import type { Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { findBlurredFigure } from './refusal.ts';
import { overlap } from './regions.ts';
import type { Segmentation } from './segmentation.ts';

type Size = Pick<Picture, 'width' | 'height'>;

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

export interface Person {
  /** The row of the highest chin, in pixels of the small copy. */
  chin: number;
  /** 0/1 in the small copy, from seeds along the skeleton; none of several people, or where shoulders are out of sight. */
  figure?: Uint8Array;
  /** Cut off above the hips, as portraits are. */
  isBust: boolean;
}

/** Who is in the picture, in pixels of a small copy of this size; undefined when no face is seen. */
export async function findPerson(picture: Picture, { width, height }: Size): Promise<Person | undefined> {
  const { findFaces } = await import('../people/faces.ts'); // 290 MB of networks: only for people
  const faces = await findFaces(picture);
  const [face] = faces;
  if (!face) return undefined;
  const chin = (Math.min(...faces.map(({ box }) => box.top + box.height)) * height) / picture.height;
  if (faces.length > 1) return { chin, isBust: false };
  const [{ findBodies }, { findFigure, readPose }] = await Promise.all([
    import('../people/bodies.ts'),
    import('../people/figure.ts'),
  ]);
  const [body] = await findBodies(picture);
  const pose = readPose(face, body);
  if (!pose) return { chin, isBust: true };
  const cover = resizePlane(await findFigure(picture, pose), picture.width, picture.height, width, height);
  const { leftHip, rightHip } = pose.joints;
  return { chin, figure: Uint8Array.from(cover, (value) => (value > 0.5 ? 1 : 0)), isBust: !leftHip && !rightHip };
}

/** Overlap of two masks that say the same; of portraits less, because collars lie outside the bust's joints. */
const ALIKE = { whole: 0.975, bust: 0.9 };

/**
 * The skeleton knows shirts in the wall's colour and a room full of things; outlines know what no joint says: collars, long hair,
 * what the hands hold. Outlines are believed before a plain wall when both agree.
 */
export function chooseFigure(byOutline: Segmentation, { figure, isBust }: Person): Segmentation {
  if (!figure) return byOutline;
  const isClear = byOutline.isPlain && byOutline.refusal === undefined;
  if (isClear && overlap(figure, byOutline.mask) > (isBust ? ALIKE.bust : ALIKE.whole)) return byOutline;
  const bySkeleton = { ...byOutline, mask: figure, isDistinct: isClear };
  return findBlurredFigure(bySkeleton) === undefined ? { ...bySkeleton, refusal: undefined } : byOutline;
}
