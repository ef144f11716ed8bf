// The user's whole head, hair and ears included, on the portrait's neck and shoulders.
import { dilate, findRegions, open as openMask } from '../matting/regions.ts';
import { estimateForeground } from '../matting/foreground.ts';
import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { byteToLight, lightToByte } from '../pixels/light.ts';
import { softBlur } from '../pixels/planes.ts';
import type { Body } from './bodies.ts';
import { boxAround, type Face, type Point } from './faces.ts';
import { DARKEST, swapFace, toLogLight, type Person, type SwappedFace } from './face-swap.ts';
import { findFigure } from './figure.ts';
import { fillGaps } from './fill-gaps.ts';
import { CHIN, LIPS } from './landmarks.ts';
import { smoothStep } from './shapes.ts';
import { measureUnlikeness, paintSkin, pick } from './skin.ts';
import { measureUnlikeWall } from './wall.ts';
import { readAt } from './windows.ts';

const MARGIN = 1.05; // of the face's longer side: room for the hair of both
const LONG_HAIR = 0.12; // of the face's width: beside the jaw there is hair that hides neck or collar
const PLAIN_WALL = 7; // Lab units within which nine tenths of the portrait's wall stay
const HAIR_LIGHT = 0.3; // of the portrait's light that hair takes on; it has no skin tone to match

/** Why the user's own hair could not be used; the portrait's serves then. */
export type Obstacle = 'the portrait has long hair' | 'the portrait has no plain background' | 'the head was not found';

/** The swapped face with the user's own head round it, or what stands in the way. */
export async function swapHead(portrait: Person, user: Person): Promise<SwappedFace | Obstacle> {
  const swapped = await swapFace(portrait, user, MARGIN);
  const { picture } = swapped.window;
  const points = portrait.face.points.map(swapped.window.place);
  const figure = await findFigure(picture, poseOfHead(portrait.face, points));
  const wall = findWall(picture, figure);
  if (!wall) return 'the portrait has no plain background';
  if (hasLongHair(figure, points, picture.width)) return 'the portrait has long hair';
  const head = await cutHead(swapped);
  if (!head) return 'the head was not found';
  return { ...swapped, rgb: compose(swapped, points, figure, wall, head) };
}

/** Where the shoulders must be when only the head counts: no body network is asked. */
function poseOfHead(face: Face, points: Point[]) {
  const box = boxAround(points);
  const middle = box.left + box.width / 2;
  const y = box.top + 1.85 * box.height;
  const joints: Body['joints'] = {
    rightShoulder: { x: middle - 1.2 * box.width, y, score: 1 },
    leftShoulder: { x: middle + 1.2 * box.width, y, score: 1 },
  };
  return { face: { ...face, points }, joints, shoulderWidth: 2.4 * box.width };
}

/** The background alone, the person filled in; nothing when it is not plain enough to be made up. */
function findWall(picture: Picture, figure: Float32Array): Float32Array[] | undefined {
  const { width, height } = picture;
  const body = Uint8Array.from(figure, (value) => (value > 0.01 ? 1 : 0));
  const away = dilate(body, width, height, 0.014 * width).map((value) => 1 - value);
  const unlike = measureUnlikeWall(picture, away);
  const noise = unlike.filter((_, i) => away[i]).sort();
  if (noise.length === 0 || noise[Math.floor(0.9 * noise.length)]! > PLAIN_WALL) return undefined;
  const known = Float32Array.from(away);
  return [0, 1, 2].map((c) => {
    const plane = known.map((_, i) => picture.rgb[i * 3 + c]!);
    return softBlur(fillGaps(plane, known, width, height), width, height, 3);
  });
}

/** Halfway between mouth and chin, what lies beside the face is hair: necks are narrower than jaws. */
function hasLongHair(figure: Float32Array, points: Point[], width: number): boolean {
  const box = boxAround(points);
  const y = Math.round(points[CHIN]!.y - 0.06 * box.height);
  let beside = 0;
  for (let x = 0; x < width; x += 1) {
    const isBeside = x < box.left || x > box.left + box.width;
    if (isBeside && figure[y * width + x]! > 0.5) beside += 1;
  }
  return beside > LONG_HAIR * box.width;
}

interface Head {
  /** At the portrait's pixels: 0..1, the head above the chin, and hair that hangs lower. */
  cover: Float32Array;
  hanging: Float32Array;
  /** 0..1, how much a pixel is skin rather than hair. */
  skin: Float32Array;
  /** Red, green and blue, without the user's background. */
  colours: Float32Array[];
}

async function cutHead({ aligned }: SwappedFace): Promise<Head | undefined> {
  const { picture } = aligned.window;
  const { width, height } = picture;
  const pose = poseOfHead(
    { box: boxAround(aligned.points), score: 1, points: aligned.points, pitchDeg: 0, yawDeg: 0, rollDeg: 0 },
    aligned.points,
  );
  const figure = await findFigure(picture, pose);
  const lab = toLabPlanes(picture);
  const box = boxAround(aligned.points);
  const chin = aligned.points[CHIN]!.y;
  const unlikeSkin = measureUnlikeness(lab, paintSkin(aligned.points, width, height));
  const crown = markCrown(figure, unlikeSkin, box, width);
  if (!crown.includes(1)) return undefined;
  const unlikeHair = measureUnlikeness(lab, crown);
  const hair = openMask(
    Uint8Array.from(figure, (value, i) => (value > 0.5 && unlikeHair[i]! < 3.5 ? 1 : 0)),
    width,
    height,
    0.015 * box.width,
  );
  const strands = softBlur(Float32Array.from(dilate(hair, width, height, 2)), width, height, 1);
  const whole = keepWithHead(
    Uint8Array.from(figure, (value, i) => (value > 0.5 && (i < chin * width || hair[i]) ? 1 : 0)),
    aligned.points,
    width,
    height,
  );
  const soft = softBlur(Float32Array.from(dilate(whole, width, height, 1)), width, height, 1);
  const cover = figure.map((value, i) => Math.min(value, soft[i]! * 1.2));
  const front = estimateForeground(picture, figure);
  const skin = unlikeSkin.map((value) => Math.exp(-((value / 4.5) ** 2)));
  const take = (plane: Float32Array) => readAt(plane, picture, aligned.places);
  return {
    cover: take(cover),
    hanging: take(cover.map((value, i) => value * strands[i]!)),
    skin: take(softBlur(skin, width, height, 2)),
    colours: [0, 1, 2].map((c) => readAt(front, picture, aligned.places, 3, c)),
  };
}

/** Hair for sure: what is the person's above the forehead and unlike skin. */
function markCrown(
  figure: Float32Array,
  unlikeSkin: Float32Array,
  box: { top: number; left: number; width: number; height: number },
  width: number,
): Uint8Array {
  return Uint8Array.from(figure, (value, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    const isAbove = y < box.top && y > box.top - 0.6 * box.height && x > box.left && x < box.left + box.width;
    return isAbove && value > 0.9 && unlikeSkin[i]! > 3 ? 1 : 0;
  });
}

function keepWithHead(mask: Uint8Array, points: Point[], width: number, height: number): Uint8Array {
  const box = boxAround(points);
  const centre = Math.round(box.top + box.height / 2) * width + Math.round(box.left + box.width / 2);
  const out = new Uint8Array(mask.length);
  for (const { pixels } of findRegions(mask, width, height)) {
    if (pixels.includes(centre)) for (const i of pixels) out[i] = 1;
  }
  return out;
}

const JAW_RISE = 0.06; // of the face's height: below the ears the portrait's jaw and neck stay, or wall would show between

/** From above the mouth upwards everything is the user's before the wall; hanging hair falls behind the portrait's shoulders. */
function compose(
  swapped: SwappedFace,
  points: Point[],
  figure: Float32Array,
  wall: Float32Array[],
  head: Head,
): Uint8Array {
  const { width } = swapped.window.picture;
  const light = toLogLight(head.colours);
  const mouth = boxAround(pick(points, LIPS)).top;
  const chin = points[CHIN]!.y;
  const rise = JAW_RISE * boxAround(points).height;
  const step = meanLift(swapped);
  const out = Uint8Array.from(swapped.rgb);
  for (let i = 0; i < head.cover.length; i += 1) {
    const above = 1 - smoothStep(mouth - rise, chin - 2 * rise, Math.floor(i / width));
    const behind = head.hanging[i]! * (1 - figure[i]!);
    if (above <= 0 && behind <= 0) continue;
    const face = swapped.cover[i]!;
    for (let c = 0; c < 3; c += 1) {
      const now = byteToLight(swapped.rgb[i * 3 + c]!);
      const lift = head.skin[i]! * swapped.aligned.lift[c]![i]! + (1 - head.skin[i]!) * HAIR_LIGHT * step;
      const own = Math.max(0, Math.exp(light[c]![i]! + lift) - DARKEST);
      const wallLight = byteToLight(Math.round(wall[c]![i]!));
      const shown = wallLight + head.cover[i]! * (own - wallLight);
      const upper = shown + face * (now - shown);
      const lower = now + behind * (own - now);
      out[i * 3 + c] = lightToByte(lower + above * (upper - lower));
    }
  }
  return out;
}

function meanLift({ aligned, cover }: SwappedFace): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < cover.length; i += 1) {
    sum += cover[i]! * aligned.lift[1][i]!;
    weight += cover[i]!;
  }
  return sum / Math.max(1, weight);
}
