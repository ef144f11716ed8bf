// Takes long hair off a portrait, below the face where the user's own head will not cover it: neck and wall come to light.
import { grabCut, SEED } from '../matting/grabcut.ts';
import { close, dilate, findRegions, open } from '../matting/regions.ts';
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { boxAround, type Point } from './faces.ts';
import type { Head } from './head.ts';
import { CHIN, LIPS, OVAL } from './landmarks.ts';
import { fillPolygon } from './shapes.ts';
import { measureUnlikeness, paintSkin, pick } from './skin.ts';
import { spreadKnown } from './wall.ts';
import { readChannel, readSmall, type SmallPlane } from './windows.ts';

const LONG_HAIR = 0.12; // of the face's width: beside the jaw there is hair that hides neck or collar

/** Halfway between mouth and chin, what lies beside the face is hair: necks are narrower than jaws. */
export function hasLongHair(figure: Float32Array, points: readonly Point[], width: number): boolean {
  const box = boxAround(points);
  const y = Math.round(points[CHIN]!.y - 0.06 * box.height);
  let beside = 0;
  for (let x = 0; x < width; x += 1) {
    const isBeside = x < box.left || x > box.left + box.width;
    if (isBeside && figure[y * width + x]! > 0.5) beside += 1;
  }
  return beside > LONG_HAIR * box.width;
}

/** What the portrait shows without its hair; of the picture's size. */
export interface Shorn {
  picture: Picture;
  figure: Float32Array;
}

const WORK_SIDE = 384;
const ROUNDS = 3;
const LOWEST = 0.4; // of the face's height below the chin: hair that hangs lower lies on the clothes, which nobody can make up
const BEYOND = 0.08; // of the face's width: strands that the mask has missed

/**
 * @param wall red, green and blue of the background without the person, 0..255
 * @returns nothing when the hair hides clothes
 */
export async function shearHair(
  picture: Picture,
  points: readonly Point[],
  { figure }: Head,
  wall: readonly SmallPlane[],
): Promise<Shorn | undefined> {
  const small = await shrinkPicture(picture, WORK_SIDE);
  const { width, height } = small;
  const scale = width / picture.width;
  const placed = points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const cover = resizePlane(figure, picture.width, picture.height, width, height);
  const box = boxAround(placed);
  const hair = findLongHair(small, cover, placed);
  const chin = placed[CHIN]!.y;
  if (hair.includes(1, Math.round(chin + LOWEST * box.height) * width)) return undefined;
  const mouth = boxAround(pick(placed, LIPS)).top - 0.1 * box.height;
  const shape = paintFlesh(small, placed, hair);
  const strands = dilate(hair, width, height, BEYOND * box.width);
  const rim = dilate(hair, width, height, 1);
  const gone = rim.map((value, i) => {
    if (i < mouth * width) return 0;
    const isCloth = cover[i]! > 0.9 && !shape[i] && i > (chin + 0.03 * box.height) * width;
    return isCloth ? value : strands[i]!;
  });
  const known = findSkin(small, placed, gone);
  const soft = (mask: Uint8Array) => ({ plane: softBlur(new Float32Array(mask), width, height, 1), width, height });
  const layers = { gone: soft(gone), flesh: soft(shape) };
  const skin = [0, 1, 2].map((c) => {
    return { plane: spreadKnown(readChannel(small, c), known, width, height, 2), width, height };
  });
  return paint(picture, figure, layers, skin, wall);
}

/** By GrabCut from the crown: cloth, skin and wall have colours of their own, however near they come to the hair's. */
function findLongHair(picture: Picture, cover: Float32Array, points: readonly Point[]): Uint8Array {
  const { width, height } = picture;
  const box = boxAround(points);
  const lab = toLabPlanes(picture);
  const skin = paintSkin(points, width, height);
  const oval = fillPolygon(pick(points, OVAL), width, height);
  const crown = mapBytes(cover, (value, i) => {
    const isAbove = i < (box.top - 0.08 * box.height) * width;
    return value > 0.9 && isAbove ? 1 : 0;
  });
  const [unlikeSkin, unlikeHair] = [skin, crown].map((mask) => measureUnlikeness(lab, mask)) as [
    Float32Array,
    Float32Array,
  ];
  const lowest = (box.top + (1 + LOWEST + 0.1) * box.height) * width;
  const seeds = mapBytes(cover, (value, i) => {
    if (value < 0.3 || skin[i] || i > lowest) return SEED.background;
    if (crown[i] && unlikeHair[i]! < 2.5) return SEED.foreground;
    const isLikely = unlikeHair[i]! < unlikeSkin[i]! && (!oval[i] || unlikeSkin[i]! > 3);
    return isLikely ? SEED.probablyForeground : SEED.probablyBackground;
  });
  const usual = findMiddle(lab.l, crown);
  const chin = box.top + 1.03 * box.height;
  const cut = grabCut(picture, seeds, ROUNDS).map((value, i) => {
    const isShade = lab.l[i]! < usual && i < chin * width; // hair in its own shadow; below are collars, dark or light
    return isShade || unlikeHair[i]! < UNLIKE_HAIR ? value : 0;
  });
  const found = close(open(cut, width, height, 1.5), width, height, 2);
  const [largest] = findRegions(found, width, height).sort((one, other) => other.pixels.length - one.pixels.length);
  const hair = new Uint8Array(found.length);
  for (const i of largest?.pixels ?? []) hair[i] = 1;
  return hair;
}

function findMiddle(plane: Float32Array, mask: Uint8Array): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[values.length >> 1] ?? 0;
}

const UNLIKE_HAIR = 3; // deviations of the crown's colours
const LIKE_SKIN = 4; // deviations of the inner face's colours
const NECK = 0.35; // of the face's width, on both sides of the chin; towards its foot a neck widens

/** Face and neck as one shape, with what the hair hides of them. */
function paintFlesh(picture: Picture, points: readonly Point[], hair: Uint8Array): Uint8Array {
  const { width, height } = picture;
  const box = boxAround(points);
  const chin = points[CHIN]!;
  const isSkin = findSkin(picture, points, hair);
  const [left, right] = [-1, 1].map((side) => {
    const foot = measureNeck(isSkin, width, chin, box.height, side) ?? 0;
    const at = (reach: number, drop: number) => ({ x: chin.x + side * reach, y: chin.y + drop * box.height });
    const least = NECK * box.width;
    const widest = Math.max(foot, least);
    return [at(least, -0.35), at(least, 0.08), at(widest, 0.28), at(widest, LOWEST)];
  }) as [Point[], Point[]];
  const face = fillPolygon(pick(points, OVAL), width, height);
  const neck = fillPolygon([...left, ...right.toReversed()], width, height);
  return face.map((value, i) => value | neck[i]!);
}

/** 1 on the skin of face and neck that no hair hides. */
function findSkin(picture: Picture, points: readonly Point[], hair: Uint8Array): Uint8Array {
  const { width, height } = picture;
  const box = boxAround(points);
  const middle = points[CHIN]!.x;
  const unlike = measureUnlikeness(toLabPlanes(picture), paintSkin(points, width, height));
  const from = box.top * width;
  const to = (box.top + (1 + LOWEST) * box.height) * width;
  return mapBytes(hair, (value, i) => {
    const isInside = Math.abs((i % width) - middle) < 0.5 * box.width && i > from && i < to;
    return !value && isInside && unlike[i]! < LIKE_SKIN ? 1 : 0;
  });
}

/** Half the neck's width on one side, from the rows below the chin that show the most of it. */
function measureNeck(
  isSkin: Uint8Array,
  width: number,
  chin: Point,
  faceHeight: number,
  side: number,
): number | undefined {
  const reaches: number[] = [];
  for (let y = Math.round(chin.y + 0.04 * faceHeight); y < chin.y + 0.25 * faceHeight; y += 1) {
    let reach = 0;
    while (isSkin[y * width + Math.round(chin.x) + side * reach]) reach += 1;
    reaches.push(reach);
  }
  const widest = reaches.sort((one, other) => other - one)[Math.floor(0.2 * reaches.length)] ?? 0;
  return widest > 0 ? widest : undefined;
}

function paint(
  picture: Picture,
  figure: Float32Array,
  { gone, flesh }: { gone: SmallPlane; flesh: SmallPlane },
  skin: readonly SmallPlane[],
  wall: readonly SmallPlane[],
): Shorn {
  const { width } = picture;
  const rgb = new Uint8Array(picture.rgb);
  const left = figure.slice();
  for (let i = 0; i < figure.length; i += 1) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const share = readSmall(gone, picture, x, y);
    if (share <= 0) continue;
    const body = readSmall(flesh, picture, x, y);
    left[i] = figure[i]! * (1 - share) + body * share;
    for (let c = 0; c < 3; c += 1) {
      const behind = readSmall(wall[c]!, picture, x, y) * (1 - body) + readSmall(skin[c]!, picture, x, y) * body;
      rgb[i * 3 + c] = Math.round(rgb[i * 3 + c]! * (1 - share) + behind * share);
    }
  }
  return { picture: { ...picture, rgb }, figure: left };
}
