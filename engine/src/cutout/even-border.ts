/** Photos before one even colour: what the colour does not reach from the border is the product. */
import {
  countOnes,
  findBox,
  findRegions,
  flood,
  invert,
  keepLargeParts,
  keepWhere,
  listBorder,
} from '../pixels/mask.ts';
import { makeMask, type Box, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';

const RING = 0.01; // of the longer side: the border that must be even
const EVEN = 0.97; // share of the ring that has its colour
const EVEN_WHITE = 0.8; // the same of a pure white one, a catalogue's: the rest is product that is cut off
const WHITE = 245; // of 255, in every channel
const LIKE = 14; // of 255, in the channel that differs most; a shadow is as grey as what it falls on
const CRUMB = 0.1; // of the largest part: text, dust; what the network sees of smaller ones is kept by that
const FRAMED = 0.97; // of its own box: what fills it so far is a picture in a frame
const LEAST = 0.005; // of the picture: below it there is no product
const SHADE_STEP = 4; // of 255: from one pixel to the next a soft shadow changes by less

export type Flooded = {
  product: Mask;
  /** Set where the product is a whole picture with an even frame around it. */
  framed: Box | undefined;
};

type Colour = readonly [number, number, number];

/** Undefined where the border is not of one colour, or nothing is left beside it. */
export function floodEvenBorder(picture: Rgb): Flooded | undefined {
  const colour = findBorderColour(picture);
  if (!colour) return undefined;
  const ground = makeMask(picture);
  flood(picture, listBorder(picture), (at) => apart(picture, at, colour) <= LIKE, ground.data);
  const product = keepLargeParts(invert(ground), CRUMB);
  const area = countOnes(product);
  const box = findBox(product, 0);
  if (!box || area < LEAST * product.data.length) return undefined;
  const isFramed = area > FRAMED * box.width * box.height;
  return { product, framed: isFramed ? box : undefined };
}

/**
 * Takes away what the flood holds and the network does not: soft shadow that hangs together with the ground, and holes
 * in the ground's own colour.
 */
export function dropShade(picture: Rgb, product: Mask, seen: Plane): Mask {
  const colour = findBorderColour(picture) ?? [255, 255, 255];
  const { data } = product;
  const isGround = (at: number) => data[at] === 0;
  const isShade = (at: number, from: number) =>
    seen.data[at]! < 0.5 && (isGround(at) || (isGrey(picture, at, colour) && step(picture, at, from) <= SHADE_STEP));
  const open = new Uint8Array(data.length);
  flood(picture, [...data.keys()].filter(isGround), isShade, open);
  const out = keepWhere(product, (at) => open[at] === 0);
  for (const { pixels } of findRegions(out)) {
    if (pixels.every((i) => apart(picture, i, colour) <= LIKE && seen.data[i]! < 0.5))
      for (const i of pixels) out.data[i] = 0;
  }
  return out;
}

/** The median of the ring in each channel, where nearly all of the ring is like it. */
function findBorderColour(picture: Rgb): Colour | undefined {
  const ring = listRing(picture);
  const colour = [0, 1, 2].map((c) => {
    const values = ring.map((at) => picture.data[at * 3 + c]!).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)]!;
  }) as [number, number, number];
  const like = ring.filter((at) => apart(picture, at, colour) <= LIKE).length;
  const least = colour.every((value) => value >= WHITE) ? EVEN_WHITE : EVEN;
  return like >= least * ring.length ? colour : undefined;
}

function listRing({ width, height }: Rgb): number[] {
  const deep = Math.max(1, Math.round(RING * Math.max(width, height)));
  const ring: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const isEnd = y < deep || y >= height - deep;
    for (let x = 0; x < width; x += 1) if (isEnd || x < deep || x >= width - deep) ring.push(y * width + x);
  }
  return ring;
}

function apart({ data }: Rgb, at: number, [red, green, blue]: Colour): number {
  return Math.max(
    Math.abs(data[at * 3]! - red),
    Math.abs(data[at * 3 + 1]! - green),
    Math.abs(data[at * 3 + 2]! - blue),
  );
}

function step(picture: Rgb, at: number, from: number): number {
  return apart(picture, at, [picture.data[from * 3]!, picture.data[from * 3 + 1]!, picture.data[from * 3 + 2]!]);
}

/** Whether a pixel is darker than the ground by the same amount in every channel. */
function isGrey({ data }: Rgb, at: number, colour: Colour): boolean {
  const [red, green, blue] = colour.map((value, c) => value - data[at * 3 + c]!) as [number, number, number];
  return Math.min(red, green, blue) > -LIKE && Math.max(red, green, blue) - Math.min(red, green, blue) <= LIKE;
}
