/** What hangs on the cloth that a person wears and the network leaves out, told by not being skin or hair. */
import type { Pose } from '../people/figure.ts';
import { paintSkin } from '../people/skin.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { mapBytes, mapFloats, smoothStep, toPlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import {
  countOnes,
  dilate,
  drawRegions,
  erode,
  findRegions,
  keepLargest,
  keepWhere,
  open as openMask,
  quantile,
  threshold,
} from '../pixels/mask.ts';

const LIKE = 16; // Lab units from the usual colour of skin or hair
const LIGHT = { skin: 1 / 4, hair: 1 / 2 }; // how much light counts of it

/** Whether a pixel has the face's own skin colour; without a face every pixel may be skin. */
export function tellSkin(picture: Rgb, { face }: Pose): (i: number) => boolean {
  return face ? tellLike(picture, paintSkin(face.points, picture), LIGHT.skin) : () => true;
}

function tellLike(picture: Rgb, { data }: Mask, ofLight: number): (i: number) => boolean {
  if (!data.includes(1)) return () => false;
  const { l, a, b } = toLabPlanes(picture);
  const [light, red, yellow] = [l, a, b].map((plane) => quantile(plane, data, 0.5)) as [number, number, number];
  return (i) => Math.hypot((l[i]! - light) * ofLight, a[i]! - red, b[i]! - yellow) < LIKE;
}

const HAIR = 0.5; // of the head above the face
const COLLAR = 0.015; // shoulder widths: half of the thinnest collar
const TRIM = 0.02; // shoulder widths: piping, collars and cuffs in another colour, which the network leaves out

/** A little larger all round, over the wall and over what on the person is neither skin nor hair: an even outline. */
export function takeTrim(top: Plane, { picture, pose, known, isSkin, hem }: Trimming): Plane {
  const { face, shoulderWidth } = pose;
  const { width } = top;
  const reach = TRIM * shoulderWidth;
  const cloth = threshold(top, 0.5);
  const chin = face ? (face.box.top + face.box.height) * width : 0;
  const head = keepWhere(known, (i) => i < (face?.box.top ?? 0) * width);
  const hair = keepWhere(head, (i) => !isSkin(i));
  const isBald = countOnes(hair) < HAIR * countOnes(head);
  const isHair = isBald ? () => false : tellLike(picture, hair, LIGHT.hair);
  const bare = keepWhere(erode(known, reach / 2), (i) => !cloth.data[i] && (isSkin(i) || isHair(i)));
  const own = openMask(bare, reach / 2).data;
  const inner = openMask(cloth, reach / 2);
  const near = dilate(inner, reach).data;
  const shoulders = ((pose.joints.leftShoulder.y + pose.joints.rightShoulder.y) / 2) * width;
  const other = keepWhere(known, (i) => !isSkin(i) && !isHair(i));
  const isAbove = (i: number) => i < shoulders;
  const thick = openMask(keepWhere(other, isAbove), COLLAR * shoulderWidth).data;
  const below = keepWhere(other, (i) => !isAbove(i) && !cloth.data[i]);
  const inMiddle = findMiddle(below, pose);
  const data = mapBytes(near, (on, i) =>
    Number(i > chin && i < hem * width && !own[i] && (on || thick[i] || inMiddle.data[i])),
  );
  const whole = keepLargest({ ...known, data });
  const even = softBlur(toPlane(whole), reach / 3).data;
  return { ...top, data: mapFloats(top.data, (value, i) => Math.max(value, smoothStep(0.4, 0.6, even[i]!))) };
}

const MIDDLE = 0.2; // shoulder widths to either side: ties, shirts under jackets, pendants
const HELD = 0.3; // shoulder widths from a wrist: what is in a hand

/** The parts that lie along the middle of the chest and in no hand. */
function findMiddle(parts: Mask, { joints, shoulderWidth }: Pose): Mask {
  const { leftShoulder, rightShoulder, leftWrist, rightWrist } = joints;
  const middle = (leftShoulder.x + rightShoulder.x) / 2;
  const isIn = (i: number) => {
    const [x, y] = [i % parts.width, Math.floor(i / parts.width)];
    const isHeld = [leftWrist, rightWrist].some(
      (wrist) => wrist !== undefined && Math.hypot(wrist.x - x, wrist.y - y) < HELD * shoulderWidth,
    );
    return !isHeld && Math.abs(x - middle) < MIDDLE * shoulderWidth;
  };
  const inside = findRegions(parts).filter((pixels) => pixels.every(isIn));
  return drawRegions(parts, inside);
}

type Trimming = { picture: Rgb; pose: Pose; known: Mask; isSkin: (i: number) => boolean; hem: number };
