// People run out of the frame: where a face is, what lies at the border below it may be its clothes.
import type { Box } from '../people/faces.ts';
import type { Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { addHair } from './hair.ts';
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
  /** The largest face, in pixels of the small copy. */
  face: Box;
  /** 0/1 in the small copy, from seeds along the skeleton; none of several people, or where shoulders are out of sight. */
  figure?: Uint8Array;
  /** Cut off above the hips, as portraits are. */
  isBust: boolean;
}

/** Who is in the picture, in pixels of a small copy of this size; undefined when no face is seen. */
export async function findPerson(picture: Picture, { width, height }: Size): Promise<Person | undefined> {
  const { findFaces } = await import('../people/faces.ts'); // 290 MB of networks: only for people
  const faces = await findFaces(picture);
  const [found] = faces;
  if (!found) return undefined;
  const scale = height / picture.height;
  const chin = Math.min(...faces.map(({ box }) => box.top + box.height)) * scale;
  const face = scaleBox(found.box, scale);
  if (faces.length > 1) return { chin, face, isBust: false };
  const [{ findBodies }, { findFigure, readPose }] = await Promise.all([
    import('../people/bodies.ts'),
    import('../people/figure.ts'),
  ]);
  const [body] = await findBodies(picture);
  const pose = readPose(found, body);
  if (!pose) return { chin, face, isBust: true };
  const cover = resizePlane(await findFigure(picture, pose), picture.width, picture.height, width, height);
  const { leftHip, rightHip } = pose.joints;
  const figure = mapBytes(cover, (value) => (value > 0.5 ? 1 : 0));
  return { chin, face, figure, isBust: !leftHip && !rightHip };
}

function scaleBox({ left, top, width, height }: Box, scale: number): Box {
  return { left: left * scale, top: top * scale, width: width * scale, height: height * scale };
}

/** Overlap of two masks that say the same; of portraits less, because collars lie outside the bust's joints. */
const ALIKE = { whole: 0.975, bust: 0.9 };

/**
 * The skeleton knows shirts in the wall's colour and a room full of things; outlines know what no joint says: collars, long hair,
 * what the hands hold. Outlines are believed before a plain wall when both agree.
 */
export function chooseFigure(
  picture: Picture,
  byOutline: Segmentation,
  { figure, face, isBust }: Person,
): Segmentation {
  // Before a plain wall the figure has its hair already; to one without a face a floating head would be added.
  const lacksHair = figure && !byOutline.isPlain && hasFace(figure, face, byOutline.width);
  const hairy = lacksHair ? addHair(picture, byOutline.lab, figure, face) : figure;
  const chosen = hairy ? weighFigure(byOutline, hairy, isBust) : byOutline;
  const whole = [chosen, byOutline].find(({ mask, width }) => hasFace(mask, face, width));
  return whole ?? { ...byOutline, refusal: byOutline.refusal ?? 'a person without a face' };
}

const LEAST_FACE = 0.75; // of the inner half of the face's box: hair and hands may hide some of it

/** A collar or a dark wall about the neck may part a head from its body, and the body alone is nothing to sell. */
function hasFace(mask: Uint8Array, { left, top, width: wide, height: high }: Box, width: number): boolean {
  let [inside, covered] = [0, 0];
  for (let y = Math.ceil(Math.max(0, top + 0.25 * high)); y < top + 0.75 * high; y += 1) {
    for (let x = Math.ceil(Math.max(0, left + 0.25 * wide)); x < Math.min(width, left + 0.75 * wide); x += 1) {
      inside += 1;
      covered += mask[y * width + x] ?? 0;
    }
  }
  return covered >= LEAST_FACE * inside;
}

function weighFigure(byOutline: Segmentation, figure: Uint8Array, isBust: boolean): Segmentation {
  const isClear = byOutline.isPlain && byOutline.refusal === undefined;
  if (isClear && overlap(figure, byOutline.mask) > (isBust ? ALIKE.bust : ALIKE.whole)) return byOutline;
  const bySkeleton = { ...byOutline, mask: figure, isDistinct: isClear };
  return findBlurredFigure(bySkeleton) === undefined ? { ...bySkeleton, refusal: undefined } : byOutline;
}
