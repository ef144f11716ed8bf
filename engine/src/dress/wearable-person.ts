/** Whether a garment can be put on the person of a photo: what would tear is told before anything is drawn. */
import { outlineTorso, type Pose } from '../people/figure.ts';
import { measureUnlikeness, paintSkin } from '../people/skin.ts';
import { measureUnlikeWall } from '../people/wall.ts';
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { countOnes, dilate, erode, invert, keepWhere, threshold } from '../pixels/mask.ts';
import type { Point } from '../pixels/plane.ts';
import { fillPolygon, scalePolygon } from '../pixels/shapes.ts';
import { tellOtherColour } from './webs.ts';
import type { Wearer } from './wearer.ts';

/** What is wrong with a photo of a person. */
export type Obstacle = 'from the side' | 'arms' | 'bulky' | 'like the wall';

const MOST_YAW_DEG = 35;
const LEAST_SHOULDERS = 1.75; // face widths: from the front they are 2.2 and more
const OFF_MIDDLE = 0.22; // of the shoulders' width, between nose and their middle

/** Seen from the side the garment would have to be drawn from the side, too. */
export function isTurnedAway({ face, joints, shoulderWidth }: Pose): boolean {
  const middle = (joints.leftShoulder.x + joints.rightShoulder.x) / 2;
  const off = Math.abs(face.box.left + face.box.width / 2 - middle);
  const isNarrow = shoulderWidth < LEAST_SHOULDERS * face.box.width;
  return Math.abs(face.yawDeg) > MOST_YAW_DEG || isNarrow || off > OFF_MIDDLE * shoulderWidth;
}

const MOST_SKIN = 0.06; // of the chest and belly
const LIKE_SKIN = 2.5; // deviations of the face's colours
const CHEST_SHARE = 0.25; // of the body below the neckline: what lies higher is rarely hidden
const MOST_OTHER = 0.6; // of the belly: stripes and prints leave more of the cloth
const MOST_CHEST = 1.35; // shoulder widths from side to side
const RIM = 0.03; // of the chest: how deep the outermost strip is that must differ from the wall
const SAME = 3.5; // Lab units
const MOST_SAME = 0.3; // of that strip

/** The first obstacle there is, or nothing. */
export function findObstacle(wearer: Wearer): Obstacle | undefined {
  if (wearer.chest > MOST_CHEST * wearer.pose.shoulderWidth) return 'bulky';
  if (!wearer.hasFreeArms || hasArmsBefore(wearer)) return 'arms';
  return isLikeWall(wearer) ? 'like the wall' : undefined;
}

/** Wrists before the body, or skin on chest and belly, where clothes should be. */
function hasArmsBefore({ picture, pose, top }: Wearer): boolean {
  const { width, height } = picture;
  const { joints, face } = pose;
  const core = fillPolygon(scalePolygon(outlineTorso(pose, height), 0.7), picture);
  const isInside = (joint: Point | undefined) =>
    joint !== undefined && core.data[Math.round(joint.y) * width + Math.round(joint.x)] === 1;
  if (isInside(joints.leftWrist) || isInside(joints.rightWrist)) return true;
  const neckline = face.box.top + 1.5 * face.box.height;
  const lab = toLabPlanes(picture);
  const unlike = measureUnlikeness(lab, paintSkin(face.points, picture)).data;
  const belly = keepWhere(core, (i) => i > neckline * width);
  if (hidesBelly(lab, core.data, neckline * width)) return true;
  const uncovered = keepWhere(belly, (i) => top.data[i]! < 0.5 || unlike[i]! < LIKE_SKIN);
  return countOnes(uncovered) > MOST_SKIN * countOnes(belly);
}

/** Something large and of another colour than the chest: a bag, a box, a dog. */
function hidesBelly(lab: Lab, core: Uint8Array, from: number): boolean {
  const pixels: number[] = [];
  for (let i = Math.ceil(from); i < core.length; i += 1) if (core[i]) pixels.push(i);
  const [chest, belly] = [pixels.slice(0, pixels.length * CHEST_SHARE), pixels.slice(pixels.length / 2)];
  return belly.filter(tellOtherColour(lab, chest)).length > MOST_OTHER * belly.length;
}

/** Clothes or arms in the colour of what is behind them: their edge is a guess. */
function isLikeWall({ picture, figure, pose, chest }: Wearer): boolean {
  const body = threshold(figure, 0.5);
  const unlike = measureUnlikeWall(picture, invert(dilate(body, 3))).data;
  const inner = erode(body, 2);
  const core = erode(inner, RIM * chest).data;
  const chin = pose.face.box.top + pose.face.box.height;
  let [same, all] = [0, 0];
  for (let i = Math.round(chin) * picture.width; i < inner.data.length; i += 1) {
    if (!inner.data[i] || core[i]) continue;
    all += 1;
    if (unlike[i]! < SAME) same += 1;
  }
  return same > MOST_SAME * all;
}
