/** A whole head: face, ears, neck and hair, apart from what is behind it. */
import { spreadForeground } from '../cutout/foreground.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import {
  close,
  countOnes,
  dilate,
  fillHoles,
  findRegions,
  invert,
  keepWhere,
  open as openMask,
  threshold,
} from '../pixels/mask.ts';
import {
  makeMask,
  readChannel,
  toPlane,
  type Box,
  type Mask,
  type Plane,
  type Point,
  type Rgb,
} from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { fillPolygon } from '../pixels/shapes.ts';
import { boxAround } from './faces.ts';
import { coverPerson } from './figure.ts';
import { CHIN, OVAL } from './landmarks.ts';
import { measureUnlikeness, paintSkin, pick } from './skin.ts';
import { fitEdges, halvePicture } from './soft-edges.ts';
import { measureUnlikeWall, spreadKnown } from './wall.ts';

export type Head = {
  /** 0..1 per pixel of the picture: the person. */
  figure: Plane;
  /** 0..1: head above the chin, and hair that hangs lower. */
  head: Plane;
  hair: Plane;
  /** 0..1: that hair, run on behind the jaw, where another jaw may be narrower. */
  behind: Plane;
  /** Red, green and blue, 0..255: the hair's colours, run on likewise. */
  hairColours: Plane[];
  /** 0..1, how much a place is skin rather than hair. */
  skin: Plane;
};

const WORK_SIDE = 384;
const LONG_HAIR = 0.12; // of the face's width: beside the jaw there is hair that hides neck or collar

/**
 * Whether beside the jaw there is more than the jaw: just above the chin, what lies beside the face is hair: necks are
 * narrower than jaws.
 */
export function hasLongHair({ data, width }: Plane, points: readonly Point[]): boolean {
  const box = boxAround(points);
  const row = Math.round(points[CHIN]!.y - 0.06 * box.height) * width;
  const beside = data
    .subarray(row, row + width)
    .filter((value, x) => value > 0.5 && (x < box.left || x > box.left + box.width));
  return beside.length > LONG_HAIR * box.width;
}

const SHOULDERS = 2.88; // widths of the face to either side of its middle: nobody reaches beyond

/** 0..1 per pixel of a picture of head and shoulders: how much of it is the person. */
function findHeadFigure(picture: Rgb, points: readonly Point[]): Promise<Plane> {
  const box = boxAround(points);
  const middle = box.left + box.width / 2;
  return coverPerson(picture, box, middle - SHOULDERS * box.width, middle + SHOULDERS * box.width);
}

/**
 * Tells hair, skin and background apart.
 * @param points 468 landmarks in pixels of the picture
 */
export async function readHead(picture: Rgb, points: readonly Point[]): Promise<Head> {
  const figure = await findHeadFigure(picture, points);
  const small = await shrinkRgb(picture, WORK_SIDE);
  const { width } = small;
  const scale = width / picture.width;
  const placed = points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const box = boxAround(placed);
  const cover = resizePlane(figure, small);
  const lab = toLabPlanes(small);
  const unlikeSkin = measureUnlikeness(lab, paintSkin(placed, small)).data;
  const crown = markCrown(cover, unlikeSkin, box);
  const isBald = countOnes(crown) < LEAST_HAIR * box.width * box.height;
  const unlikeHair = isBald ? cover.data.map(() => Infinity) : measureUnlikeness(lab, crown).data;
  const person = threshold(cover, 0.5);
  const maybe = keepWhere(person, (i) => unlikeHair[i]! < LIKE_HAIR);
  const chin = placed[CHIN]!.y * width;
  const hangs = hasLongHair(cover, placed);
  // below short hair, dark clothes may look like it
  const hair = keepWhere(openMask(maybe, STRAND * box.width), (i) => hangs || i < chin);
  const ears = (box.top + 0.6 * box.height) * width;
  const isHead = (i: number) => i < ears || hair.data[i] === 1 || (i < chin && unlikeSkin[i]! < COLLAR);
  const soften = (mask: Mask) => softBlur(toPlane(dilate(mask, 1)), 1);
  const skin = unlikeSkin.map((value) => Math.exp(-((value / LIKE_SKIN) ** 2)));
  return {
    figure,
    head: soften(keepWithHead(keepWhere(person, isHead), box)),
    hair: soften(hair),
    behind: soften(runOn(hair, placed, box)),
    hairColours: [0, 1, 2].map((c) => spreadKnown(readChannel(small, c), hair, 2)),
    skin: softBlur({ ...cover, data: skin }, 1),
  };
}

const LEAST_HAIR = 0.004; // of the face's box
const LIKE_HAIR = 3.5; // deviations of the crown's colours
// deviations of the inner face's: beside the jaw, what is more unlike it and no hair belongs to the clothes
const COLLAR = 7;
const LIKE_SKIN = 4.5; // deviations of the inner face's
const STRAND = 0.015; // of the face's width: what is thinner is no strand

const UNLIKE_WALL = 8; // Lab units
const CLEAR = 0.06; // of the picture's width, about the head: there the wall may be in the hair's shade

/**
 * 0..1 per pixel of a portrait: head and shoulders. The network finds heads whatever is behind them, but may take a
 * dark suit for background; clothes are told by the wall beside the head, which must be plain for a head to be
 * exchanged.
 */
export async function findBust(picture: Rgb, points: readonly Point[]): Promise<Plane> {
  const figure = await findHeadFigure(picture, points);
  const small = await shrinkRgb(picture, WORK_SIDE);
  const { width, height } = small;
  const cover = resizePlane(figure, small);
  const head = threshold(cover, 0.5);
  const chin = (points[CHIN]!.y * height) / picture.height;
  const wall = keepWhere(invert(dilate(head, CLEAR * width)), (i) => i <= chin * width);
  const unlike = measureUnlikeWall(small, wall).data;
  const clothes = head.data.map((value, i) => (value || (i > chin * width && unlike[i]! > UNLIKE_WALL) ? 1 : 0));
  const whole = fillHoles({ ...head, data: clothes });
  const edges = await fitEdges(picture, softBlur(toPlane(whole), 1));
  const shoulders = points[CHIN]!.y * picture.width;
  const data = edges.data.map((value, i) => (i < shoulders ? figure.data[i]! : Math.max(value, figure.data[i]!)));
  return { ...edges, data };
}

/** Hair for sure: what is the person's above the forehead and unlike skin. */
function markCrown(cover: Plane, unlikeSkin: Float32Array, box: Box): Mask {
  return keepWhere(threshold(cover, 0.9), (i) => {
    const x = i % cover.width;
    const y = Math.floor(i / cover.width);
    const isAbove = y < box.top && y > box.top - 0.6 * box.height && x > box.left && x < box.left + box.width;
    return isAbove && unlikeSkin[i]! > 3;
  });
}

const RUN_ON = 0.12; // of the face's width

/** Between hair and jaw. */
function runOn(hair: Mask, points: Point[], box: Box): Mask {
  const face = fillPolygon(pick(points, OVAL), hair).data;
  const both = close({ ...hair, data: hair.data.map((value, i) => value | face[i]!) }, RUN_ON * box.width);
  const chin = (box.top + box.height) * hair.width;
  return { ...hair, data: both.data.map((value, i) => (hair.data[i] || (value && i < chin) ? 1 : 0)) };
}

function keepWithHead(mask: Mask, box: Box): Mask {
  const centre = Math.round(box.top + box.height / 2) * mask.width + Math.round(box.left + box.width / 2);
  const out = makeMask(mask);
  for (const { pixels } of findRegions(mask)) {
    if (pixels.includes(centre)) for (const i of pixels) out.data[i] = 1;
  }
  return out;
}

const SOLID = 0.98; // of cover: from there on a pixel shows the head's own colour

/**
 * The head's own colours, 0..255 interleaved, where the background shines through its edge; inside they are the
 * picture's.
 */
export async function cleanColours(picture: Rgb, figure: Plane): Promise<Float32Array> {
  const { width, height, data } = picture;
  const half = await halvePicture(picture);
  const cover = resizePlane(figure, half);
  const front = spreadForeground(half, cover);
  const out = new Float32Array(data);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(((y + 0.5) * half.height) / height) * half.width;
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      if (figure.data[i]! >= SOLID || figure.data[i]! <= 0) continue;
      const near = row + Math.floor(((x + 0.5) * half.width) / width);
      for (let c = 0; c < 3; c += 1) out[i * 3 + c] = front[near * 3 + c]!;
    }
  }
  return out;
}
