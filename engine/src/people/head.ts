// A whole head: face, ears, neck and hair, apart from what is behind it.
import { close, countOnes, dilate, findRegions, open as openMask } from '../matting/regions.ts';
import { estimateForeground } from '../matting/foreground.ts';
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import type { Body } from './bodies.ts';
import { boxAround, type Box, type Point } from './faces.ts';
import { findFigure, type Pose } from './figure.ts';
import { CHIN, OVAL } from './landmarks.ts';
import { fillPolygon } from './shapes.ts';
import { measureUnlikeness, paintSkin, pick } from './skin.ts';
import { halvePicture } from './soft-edges.ts';
import { spreadKnown } from './wall.ts';
import { readChannel, type SmallPlane } from './windows.ts';

export interface Head {
  /** 0..1 per pixel of the picture: the person. */
  figure: Float32Array;
  /** 0..1: head above the chin, and hair that hangs lower. */
  head: SmallPlane;
  hair: SmallPlane;
  /** 0..1: that hair, run on behind the jaw, where another jaw may be narrower. */
  behind: SmallPlane;
  /** Red, green and blue, 0..255: the hair's colours, run on likewise. */
  hairColours: SmallPlane[];
  /** 0..1, how much a place is skin rather than hair. */
  skin: SmallPlane;
}

const WORK_SIDE = 384;

/**
 * Tells hair, skin and background apart.
 * @param points 468 landmarks in pixels of the picture
 */
export async function readHead(picture: Picture, points: readonly Point[]): Promise<Head> {
  const figure = await findFigure(picture, poseOfHead(points), WORK_SIDE);
  const small = await shrinkPicture(picture, WORK_SIDE);
  const { width, height } = small;
  const scale = width / picture.width;
  const placed = points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const box = boxAround(placed);
  const cover = resizePlane(figure, picture.width, picture.height, width, height);
  const lab = toLabPlanes(small);
  const unlikeSkin = measureUnlikeness(lab, paintSkin(placed, width, height));
  const crown = markCrown(cover, unlikeSkin, box, width);
  const isBald = countOnes(crown) < LEAST_HAIR * box.width * box.height;
  const unlikeHair = isBald ? cover.map(() => Infinity) : measureUnlikeness(lab, crown);
  const maybe = mapBytes(cover, (value, i) => (value > 0.5 && unlikeHair[i]! < LIKE_HAIR ? 1 : 0));
  const hair = openMask(maybe, width, height, STRAND * box.width);
  const chin = placed[CHIN]!.y;
  const above = mapBytes(cover, (value, i) => (value > 0.5 && (i < chin * width || hair[i]) ? 1 : 0));
  const soften = (mask: Uint8Array) => softBlur(new Float32Array(dilate(mask, width, height, 1)), width, height, 1);
  const skin = unlikeSkin.map((value) => Math.exp(-((value / LIKE_SKIN) ** 2)));
  return {
    figure,
    head: { plane: soften(keepWithHead(above, box, width, height)), width, height },
    hair: { plane: soften(hair), width, height },
    behind: { plane: soften(runOn(hair, placed, box, width, height)), width, height },
    hairColours: [0, 1, 2].map((c) => {
      return { plane: spreadKnown(readChannel(small, c), hair, width, height, 2), width, height };
    }),
    skin: { plane: softBlur(skin, width, height, 1), width, height },
  };
}

const LEAST_HAIR = 0.004; // of the face's box
const LIKE_HAIR = 3.5; // deviations of the crown's colours
const LIKE_SKIN = 4.5; // deviations of the inner face's
const STRAND = 0.015; // of the face's width: what is thinner is no strand

/** Where the shoulders must be when only the head counts: no body network is asked. */
function poseOfHead(points: readonly Point[]): Pose {
  const box = boxAround(points);
  const middle = box.left + box.width / 2;
  const y = box.top + 1.85 * box.height;
  const joints: Body['joints'] = {
    rightShoulder: { x: middle - 1.2 * box.width, y, score: 1 },
    leftShoulder: { x: middle + 1.2 * box.width, y, score: 1 },
  };
  const face = { box, score: 1, points: [...points], depths: [], pitchDeg: 0, yawDeg: 0, rollDeg: 0 };
  return { face, joints, shoulderWidth: 2.4 * box.width };
}

/** Hair for sure: what is the person's above the forehead and unlike skin. */
function markCrown(cover: Float32Array, unlikeSkin: Float32Array, box: Box, width: number): Uint8Array {
  return mapBytes(cover, (value, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    const isAbove = y < box.top && y > box.top - 0.6 * box.height && x > box.left && x < box.left + box.width;
    return isAbove && value > 0.9 && unlikeSkin[i]! > 3 ? 1 : 0;
  });
}

const RUN_ON = 0.12; // of the face's width

/** Between hair and jaw. */
function runOn(hair: Uint8Array, points: Point[], box: Box, width: number, height: number): Uint8Array {
  const face = fillPolygon(pick(points, OVAL), width, height);
  const both = hair.map((value, i) => value | face[i]!);
  const chin = (box.top + box.height) * width;
  return close(both, width, height, RUN_ON * box.width).map((value, i) => (hair[i] || (value && i < chin) ? 1 : 0));
}

function keepWithHead(mask: Uint8Array, box: Box, width: number, height: number): Uint8Array {
  const centre = Math.round(box.top + box.height / 2) * width + Math.round(box.left + box.width / 2);
  const out = new Uint8Array(mask.length);
  for (const { pixels } of findRegions(mask, width, height)) {
    if (pixels.includes(centre)) for (const i of pixels) out[i] = 1;
  }
  return out;
}

const SOLID = 0.98; // of cover: from there on a pixel shows the head's own colour

/** The head's own colours, 0..255 interleaved, where the background shines through its edge; inside they are the picture's. */
export async function cleanColours(picture: Picture, figure: Float32Array): Promise<Float32Array> {
  const { width, height, rgb } = picture;
  const half = await halvePicture(picture);
  const cover = resizePlane(figure, width, height, half.width, half.height);
  const front = estimateForeground(half, cover);
  const out = new Float32Array(rgb);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(((y + 0.5) * half.height) / height) * half.width;
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      if (figure[i]! >= SOLID || figure[i]! <= 0) continue;
      const near = row + Math.floor(((x + 0.5) * half.width) / width);
      for (let c = 0; c < 3; c += 1) out[i * 3 + c] = front[near * 3 + c]!;
    }
  }
  return out;
}
