/** Photos on a plain background: flooded with its colour from the border; the rest is the product. */
import {
  countOnes,
  dilate,
  drawRegions,
  findBox,
  findRegions,
  flood,
  invert,
  keepLargeParts,
  keepWhere,
  listBorder,
  open,
  threshold,
} from '../pixels/mask.ts';
import { makeMask, type Box, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';

const RIM = 0.01; // of the long side: width of the border that must be plain; shadows are rarely thinner than two rims
const NEARLY_ALL = 0.97; // share of the border that has one colour; share of its box that a framed picture fills
const EVEN_WHITE = 0.8; // share for a pure white border (catalogue photo), where the product may touch the border
const WHITE = 245; // of 255: least value of every channel
const SAME_COLOUR = 14; // of 255: largest channel difference within one colour
const MIN_PART_SHARE = 0.1; // of the largest part: smaller parts are text or dust, unless the network detects them
const MIN_AREA = 0.005; // of the picture: a smaller area is no product
const FAINT = 35; // of 255: background may differ by this much because of light and noise
const DARK = 0.5; // of the background's light: thin shadows are lighter; laces, poles and straps are darker

type Colour = readonly [number, number, number];

export type Flooded = {
  product: Mask;
  /** The background colour. */
  colour: Colour;
  /** Set if the product is a whole picture inside a plain frame. */
  framed: Box | undefined;
};

/** Returns undefined if the border is not of one colour, or nothing else is in the picture. */
export function floodEvenBorder(picture: Rgb): Flooded | undefined {
  const colour = findBorderColour(picture);
  if (!colour) return undefined;
  const background = makeMask(picture);
  flood(picture, listBorder(picture), (at) => colourDistance(picture, at, colour) <= SAME_COLOUR, background.data);
  const product = keepLargeParts(invert(background), MIN_PART_SHARE);
  const area = countOnes(product);
  const box = findBox(product, 0);
  if (!box || area < MIN_AREA * product.data.length) return undefined;
  const isFramed = area > NEARLY_ALL * box.width * box.height;
  return { product, colour, framed: isFramed ? box : undefined };
}

/**
 * Removes background from what the flood left and the network did not detect: holes of the background's colour and,
 * if the network is sure, background under different light. A part that mostly differs stays whole: a second object.
 */
export function dropBackground(picture: Rgb, { product, colour }: Flooded, detected: Plane, isSure: boolean): Mask {
  const extra = keepUndetected(product, detected);
  const background = isSure
    ? findLitBackground(picture, extra, colour, detected)
    : keepWhere(extra, (at) => colourDistance(picture, at, colour) <= SAME_COLOUR);
  const parts = findRegions(extra).map((pixels) => {
    const different = pixels.filter((at) => background.data[at] === 0);
    return 2 * different.length > pixels.length ? pixels : different;
  });
  const left = drawRegions(extra, parts);
  const kept = isSure ? keepClear(picture, left, colour) : left;
  return keepWhere(product, (at) => extra.data[at] === 0 || kept.data[at] === 1);
}

/** Background under different light. Excludes dark fine structures (laces) and thin far-reaching ones (poles). */
function findLitBackground(picture: Rgb, extra: Mask, colour: Colour, detected: Plane): Mask {
  const isLit = (at: number) =>
    colourDistance(picture, at, colour) <= FAINT || measureLight(picture, at, colour) !== undefined;
  const lit = keepWhere(extra, isLit);
  const dark = keepWhere(lit, (at) => (measureLight(picture, at, colour) ?? 1) <= DARK);
  const [fat, fatter] = [keepThick(extra, 1), keepThick(extra, 2)];
  const around = dilate(threshold(detected, 0.5), 4 * RIM * Math.max(picture.width, picture.height));
  for (const pixels of findRegions(keepWhere(dark, (at) => fatter.data[at] === 0))) {
    const reachesFar = pixels.some((at) => around.data[at] === 0);
    for (const at of pixels) if (reachesFar || fat.data[at] === 0) lit.data[at] = 0;
  }
  return lit;
}

/** Whether `product` is less than half of what the flood left, and the rest ends at a sharp edge, unlike soft light. */
export function isMostlyDropped(picture: Rgb, { product: flooded, colour }: Flooded, product: Mask): boolean {
  const dropped = keepWhere(flooded, (at) => product.data[at] === 0);
  const outside = dilate(invert(flooded), RIM * Math.max(flooded.width, flooded.height));
  const rim = keepWhere(dropped, (at) => outside.data[at] === 1);
  const sharp = keepWhere(rim, (at) => colourDistance(picture, at, colour) > FAINT);
  return 2 * countOnes(product) < countOnes(flooded) && 2 * countOnes(sharp) > countOnes(rim);
}

/** The share of the product, thin parts aside, that the network missed and that hardly differs from the background. */
export function measureFaint(picture: Rgb, { product, colour }: Flooded, detected: Plane): number {
  const fat = keepThick(keepUndetected(product, detected), 1);
  return (countOnes(fat) - countOnes(keepClear(picture, fat, colour))) / Math.max(1, countOnes(product));
}

const keepThick = (mask: Mask, rims: number): Mask => open(mask, rims * RIM * Math.max(mask.width, mask.height));

const keepUndetected = (product: Mask, detected: Plane): Mask => keepWhere(product, (at) => detected.data[at]! < 0.5);

/** Keeps the parts that mostly differ clearly from the background. */
function keepClear(picture: Rgb, parts: Mask, colour: Colour): Mask {
  const isClear = (at: number) => colourDistance(picture, at, colour) > 2 * FAINT;
  const clear = findRegions(parts).filter((pixels) => 2 * pixels.filter(isClear).length > pixels.length);
  return drawRegions(parts, clear);
}

/** The median colour of the border; undefined unless nearly all of the border has it. */
function findBorderColour(picture: Rgb): Colour | undefined {
  const ring = listRing(picture);
  const colour = [0, 1, 2].map((c) => {
    const values = ring.map((at) => picture.data[at * 3 + c]!).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)]!;
  }) as [number, number, number];
  const like = ring.filter((at) => colourDistance(picture, at, colour) <= SAME_COLOUR).length;
  const min = colour.every((value) => value >= WHITE) ? EVEN_WHITE : NEARLY_ALL;
  return like >= min * ring.length ? colour : undefined;
}

function listRing({ width, height }: Rgb): number[] {
  const deep = Math.max(1, Math.round(RIM * Math.max(width, height)));
  const ring: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const isEnd = y < deep || y >= height - deep;
    for (let x = 0; x < width; x += 1) if (isEnd || x < deep || x >= width - deep) ring.push(y * width + x);
  }
  return ring;
}

function colourDistance({ data }: Rgb, at: number, [red, green, blue]: Colour): number {
  return Math.max(
    Math.abs(data[at * 3]! - red),
    Math.abs(data[at * 3 + 1]! - green),
    Math.abs(data[at * 3 + 2]! - blue),
  );
}

/** Brightness of a pixel relative to the background (1: equal); undefined if its hue differs. */
function measureLight({ data }: Rgb, at: number, colour: Colour): number | undefined {
  const square = colour.reduce((sum, value) => sum + value * value, 1);
  const light = colour.reduce((sum, value, c) => sum + value * data[at * 3 + c]!, 0) / square;
  const isAlike = colour.every((value, c) => Math.abs(data[at * 3 + c]! - light * value) <= FAINT);
  return isAlike ? light : undefined;
}
