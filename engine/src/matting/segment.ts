// Where the product is, as a 0/1 mask of a small copy, with the evidence that the refusal looks at.
import type { Picture } from '../pixels/decode.ts';
import { boxBlur } from '../pixels/planes.ts';
import { toLabPlanes, type LabPlanes } from '../pixels/lab.ts';
import { mapBytes } from '../pixels/map.ts';
import { learnBackdrop, quantile, type Backdrop } from './background.ts';
import { cutByColours } from './colour-cut.ts';
import { cutFromDark } from './dark-cut.ts';
import { cutAlongEdges } from './edge-cut.ts';
import { measureGeodesic, type GeodesicMap } from './geodesic.ts';
import { grabCut, SEED } from './grabcut.ts';
import type { Report } from './matter.ts';
import {
  close,
  dilate,
  distanceInside,
  erode,
  fillColumns,
  fillHoles,
  fillPinholes,
  findRegions,
  invert,
  open,
} from './regions.ts';
import type { Segmentation } from './segmentation.ts';
import { closeStrangeHoles } from './holes.ts';
import { measureUnlikeBorder } from './left-out.ts';
import { findLooseOutline, findRefusal, gatherEvidence, hasLeftOut } from './refusal.ts';
import { dropBorderArms, dropNeighbours, keepFreeRegions, keepHeavyRegions } from './pieces.ts';
import { rateSaliency, type Saliency } from './saliency.ts';
import { measureForeign, measureGlow } from './shade.ts';
import { measureSharpness } from './sharpness.ts';

const CROSSED = 1.5; // Lab units of outline between the border and a pixel
const CROSSED_WEAKLY = 0.6; // enough where it completes the product: a label that pales into the wall
const SATURATED = 8;
const FOREIGN = 4;
const CERTAIN = 9;
const LINE_WIDTH = 7; // planks, tile joints, cables: thinner than any product worth a photo
const BAY_SHARE = 0.12;
/** Lab step across the outline: a teddy half found before bricks has 27, products found before them 32-34. */
const PLAINLY_UNLIKE = 29;
/** Less will do where next to nothing inside has the background's colours: of that teddy 0.83, of a shirt on pebbles 0.99. */
const UNLIKE = { contrast: 24, foreignShare: 0.95 };
const FRAME_SHARE = 0.15; // of each side: nothing but background may be there when only edges are left to go by

/** `chin` is the row below which a person's clothes may touch the border; none when nobody is in the picture. */
export async function segment(picture: Picture, report: Report, chin?: number): Promise<Segmentation> {
  const { width, height } = picture;
  await report(10, 'Learning the background');
  const lab = toLabPlanes(picture);
  const backdrop = learnBackdrop(lab, width, height, chin);
  await report(20, 'Finding the product');
  const geodesic = measureGeodesic(lab, backdrop.ring, width, height);
  const unlikeBorder = measureUnlikeBorder(lab, backdrop);
  const scene = { picture, lab, backdrop, unlikeBorder, isPerson: chin !== undefined };
  const byOutline = separate(scene, guessByOutline(geodesic, width, height));
  const refusal = findRefusal(byOutline, chin !== undefined);
  if (refusal === undefined) return byOutline;
  await report(40, 'Looking again');
  const saliency = rateSaliency(lab, backdrop, geodesic, width, height);
  const bySaliency = separate(scene, guessBySaliency(saliency, width, height));
  if (findRefusal(bySaliency, chin !== undefined) === undefined) return bySaliency;
  if (chin !== undefined) return { ...byOutline, refusal }; // a person may touch the border, which edges alone cannot follow
  await report(50, 'Following edges');
  const byEdges = followEdges(scene);
  if (byEdges.refusal === undefined) return byEdges;
  const lastResort = liftFromDark(scene, byEdges) ?? trustColours(scene, byOutline);
  return lastResort ?? { ...byOutline, refusal };
}

/** Products before bricks or gravel, where outlines drown; nothing when colours are not sure either. */
function trustColours({ picture, lab, backdrop }: Scene, byOutline: Segmentation): Segmentation | undefined {
  const { width, height } = picture;
  const mask = cutByColours(picture, lab, backdrop);
  if (!mask) return undefined;
  // The outline may have taken most of the product for background, and its colours with it.
  const foreign = measureForeign(lab, backdrop, mask, pixelsAround(mask, width, height), width, height);
  const byColours = { ...byOutline, mask, guess: mask, foreign, isDistinct: true, refusal: undefined };
  if (findRefusal(byColours) !== undefined) return undefined;
  const { contrast, foreignShare } = gatherEvidence(byColours);
  const isClear = contrast > PLAINLY_UNLIKE || (contrast > UNLIKE.contrast && foreignShare > UNLIKE.foreignShare);
  return isClear ? byColours : undefined;
}

/** Dark products on dark ground; nothing for other pictures, and where the outline is not closed. */
function liftFromDark({ picture, lab }: Scene, byEdges: Segmentation): Segmentation | undefined {
  const cut = cutFromDark(picture, lab);
  if (!cut) return undefined;
  if (findLooseOutline(cut.mask, cut.crisp, picture.width, picture.height)) return undefined;
  const fromDark = { ...byEdges, mask: cut.mask, guess: cut.mask, refusal: undefined };
  return hasLeftOut(fromDark) ? undefined : fromDark;
}

/** For products in their background's own colours: nothing but crisp edges, all round, is proof enough. */
function followEdges({ lab, backdrop, unlikeBorder, picture }: Scene): Segmentation {
  const { width, height } = picture;
  const frame = backdrop.ring.map((_, i) => (isInFrame(i, width, height) ? 1 : 0));
  const near = [...frame.keys()].filter((i) => frame[i] && i % 3 === 0);
  const foreign = measureForeign(lab, backdrop, new Uint8Array(frame.length), near, width, height);
  const sharpness = measureSharpness(lab, backdrop.ring, width, height);
  const { mask: cut, crisp } = cutAlongEdges(sharpness, foreign, backdrop.ring, width, height);
  const mask = dropNeighbours(cut, width, height);
  const { isPlain } = backdrop;
  const cutout = { width, height, lab, mask, guess: cut, foreign, unlikeBorder, isDistinct: false, isPlain };
  const loose = findLooseOutline(mask, crisp, width, height);
  return {
    ...cutout,
    refusal: loose ?? (hasLeftOut(cutout, 'edges') ? 'what was left out is no background' : undefined),
  };
}

function isInFrame(i: number, width: number, height: number): boolean {
  const x = (i % width) / width;
  const y = Math.floor(i / width) / height;
  return Math.min(x, y, 1 - x, 1 - y) < FRAME_SHARE;
}

interface Scene {
  picture: Picture;
  lab: LabPlanes;
  backdrop: Backdrop;
  unlikeBorder: Float32Array;
  /** Clothes may touch the border. */
  isPerson: boolean;
}

/** From a guess by outlines to a mask that colours agree with. */
function separate({ picture, lab, backdrop, unlikeBorder, isPerson }: Scene, guess: Uint8Array): Segmentation {
  const { width, height } = picture;
  const near = pixelsAround(guess, width, height);
  const foreign = measureForeign(lab, backdrop, guess, near, width, height);
  restorePaleParts(lab, foreign, guess, width, height);
  const inner = foreign.filter((_, i) => guess[i]);
  const isDistinct = quantile([...inner], 0.65) > 2 * FOREIGN;
  const seeds = placeSeeds({ backdrop, guess, foreign, isDistinct }, width, height);
  const alone = dropNeighbours(grabCut(picture, seeds, 4), width, height);
  const cut = isPerson ? alone : dropBorderArms(alone, guess, lab, width, height);
  const mask = closeStrangeHoles(fillPinholes(cut, width, height), lab, width, height);
  return { width, height, lab, mask, guess, foreign, unlikeBorder, isDistinct, isPlain: backdrop.isPlain };
}

function guessBySaliency({ map, threshold }: Saliency, width: number, height: number): Uint8Array {
  const striking = mapBytes(map, (value) => (value > threshold ? 1 : 0));
  return keepHeavyRegions(fillHoles(striking, width, height), map, width, height, 0.12);
}

function guessByOutline(geodesic: GeodesicMap, width: number, height: number): Uint8Array {
  const weight = geodesic.distance.map((d) => Math.min(d, SATURATED));
  const strong = keepHeavyRegions(solidAbove(CROSSED), weight, width, height, 0.05);
  const hull = close(strong, width, height, BAY_SHARE * Math.max(width, height));
  const weak = solidAbove(CROSSED_WEAKLY);
  const between = fillColumns(strong, width, height);
  // Several pieces above each other are a cap and a foot with a label between them that has the wall's colour.
  const isTornApart = findRegions(strong, width, height).length > 1;
  const both = strong.map(
    (value, i) => value | ((weak[i]! | Number(isTornApart)) & between[i]!) | (weak[i]! & hull[i]!),
  );
  return keepHeavyRegions(fillHoles(both, width, height), weight, width, height, 0.12);

  function solidAbove(crossed: number): Uint8Array {
    const inside = mapBytes(geodesic.distance, (d) => (d > crossed ? 1 : 0));
    return erode(open(fillHoles(inside, width, height), width, height, LINE_WIDTH), width, height, 2);
  }
}

function pixelsAround(guess: Uint8Array, width: number, height: number): number[] {
  const away = distanceInside(invert(guess), width, height);
  const near: number[] = [];
  for (let i = 0; i < guess.length; i += 1) if (away[i]! > 8 && away[i]! < 60) near.push(i);
  return near;
}

/**
 * Parts of the product in the background's colour, as far as they reach its outline (a hole is framed by the product):
 * a label has product above and below it, a foot is at least brighter than the floor beside it, which a shadow is not.
 */
function restorePaleParts(
  lab: LabPlanes,
  foreign: Float32Array,
  guess: Uint8Array,
  width: number,
  height: number,
): void {
  const product = guess.map((value, i) => (value && foreign[i]! >= FOREIGN ? 1 : 0));
  const free = keepFreeRegions(product, width, height);
  const between = fillColumns(free, width, height);
  const patches = open(
    guess.map((value, i) => (value && !product[i] ? 1 : 0)),
    width,
    height,
    3,
  );
  const depth = distanceInside(guess, width, height);
  const glow = measureGlow(lab.l, guess, width, height, 'both sides');
  for (const { pixels } of findRegions(patches, width, height)) {
    if (pixels.filter((i) => depth[i]! < 4).length < 12) continue;
    const isLabel = pixels.filter((i) => between[i]).length >= 0.8 * pixels.length;
    for (const i of pixels) foreign[i] = isLabel ? CERTAIN : Math.max(foreign[i]!, glow[i]!);
  }
}

interface Clues {
  backdrop: Backdrop;
  guess: Uint8Array;
  foreign: Float32Array;
  isDistinct: boolean;
}

function placeSeeds({ backdrop, guess, foreign, isDistinct }: Clues, width: number, height: number): Uint8Array {
  const closed = close(guess, width, height, BAY_SHARE * Math.max(width, height));
  const away = distanceInside(invert(closed), width, height);
  const depth = distanceInside(guess, width, height);
  const reach = dilate(closed, width, height, 3); // the guess was eroded: a strap along its edge is just outside
  const close3 = boxBlur(foreign, width, height, 1);
  const around = boxBlur(foreign, width, height, 3);
  return guess.map((isGuess, i) => {
    if (backdrop.ring[i] || away[i]! > 14) return SEED.background;
    if (isDistinct) {
      if (around[i]! < 0.8) return SEED.background;
      if (!reach[i] || foreign[i]! < (depth[i]! > 3 ? 2.5 : FOREIGN)) return SEED.probablyBackground;
      const isSure = depth[i]! > 4 ? foreign[i]! > 8 : close3[i]! > 12;
      return isSure ? SEED.foreground : SEED.probablyForeground;
    }
    if (!isGuess) return SEED.probablyBackground;
    return depth[i]! > 5 ? SEED.foreground : SEED.probablyForeground;
  });
}
