/**
 * The 2.5-D stage: a backdrop with the product removed and filled in, a floor whose rows get nearer, and the product as
 * a billboard standing on it.
 */
import { clampByte } from '../pixels/colour.ts';
import { softBlur } from '../pixels/blur.ts';
import { resizeBytes } from '../pixels/decode.ts';
import { fillGaps } from '../pixels/fill-gaps.ts';
import { mapBytes, mapFloats, type Box, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { nearestInside } from '../pixels/nearest.ts';
import { resizePlane } from '../pixels/sample.ts';
import { findContact } from '../scenes/contact.ts';
import { extendOnto, softenBeyond } from './extend.ts';
import type { Edges, Subject } from './subject.ts';
import { traceOutline, type Outline } from './outline.ts';
import { halve, toYuv, type Planes } from './yuv.ts';

/** All positions in frame pixels; the canvas extends `margin` pixels beyond the frame on every side. */
export type Stage = {
  frame: Size;
  margin: { x: number; y: number };
  backdrop: Planes;
  /** One per canvas row (see `layDepths`). */
  depths: Float64Array;
  product?: Billboard;
};

/** The product alone on the canvas, with premultiplied colours. */
export type Billboard = {
  colours: Planes;
  /** 0..1. */
  alpha: Planes;
  box: Edges;
  /** The row of its foot. */
  base: number;
  isCutBelow: boolean;
  /** On the canvas. */
  outline: Outline;
  /** The photo's own pixels that replace the filling while nothing has moved; one list per plane of the backdrop. */
  rings: Ring[];
};

/** Positions in a plane of the backdrop, with two values each. */
type Ring = {
  plane: 'y' | 'u' | 'v';
  at: Int32Array;
  /** The value with which the picture at rest equals the photo. */
  rest: Float32Array;
  filled: Float32Array;
};

/** Canvas pixels per plane pixel, and the plane's value of black (limited range). */
const PLANES = [
  { plane: 'y', step: 1, none: 16 },
  { plane: 'u', step: 2, none: 128 },
  { plane: 'v', step: 2, none: 128 },
] as const;

const MARGIN = 0.1; // of the frame: farthest that a move looks beyond it
const INSET = 0.12; // of the picture's side
const FILL_REACH = 1 / 130; // of the frame's long side: JPEG and blur spread the product's colours this far

/** Builds the layers at the frame's size; `pictureBox`: the picture's rectangle on the frame (sides even). */
export async function buildStage(
  picture: Rgb,
  subject: Subject | undefined,
  pictureBox: Box,
  frame: Size,
): Promise<Stage> {
  const margin = { x: 2 * Math.ceil((MARGIN * frame.width) / 2), y: 2 * Math.ceil((MARGIN * frame.height) / 2) };
  const size = { width: frame.width + 2 * margin.x, height: frame.height + 2 * margin.y };
  const toCanvas = (box: Box) => ({ ...box, left: box.left + margin.x, top: box.top + margin.y });
  const onCanvas = toCanvas(pictureBox);
  const places = subject && placeSubject(subject, pictureBox);
  const clear = toCanvas(insetAtGaps(pictureBox, frame, places?.box));
  const placed = await resizeBytes(picture.data, picture, 3, pictureBox);
  const photo = toYuv(extendOnto(placed, 3, onCanvas, size), size.width, size.height);
  if (!subject?.canMove || !places) {
    soften(photo, clear);
    return { frame, margin, backdrop: photo, depths: new Float64Array(size.height).fill(FLAT_DEPTH) };
  }
  const placedAlpha = resizePlane(subject.alpha, pictureBox);
  const canvasAlpha = { ...size, data: extendOnto(placedAlpha.data, 1, onCanvas, size) };
  const holes = halve(widen(canvasAlpha, FILL_REACH * Math.max(frame.width, frame.height)));
  const backdrop = fillBackdrop(photo, holes);
  soften(backdrop, clear);
  const alpha = halve(canvasAlpha);
  const own = await resizeBytes(subject.colours, picture, 3, pictureBox);
  const colours = multiply(extendOnto(own, 3, onCanvas, size), alpha);
  const rings = findRings(photo, backdrop, { colours, alpha }, holes, onCanvas);
  const { box } = places;
  const base = places.base + margin.y;
  const rows = { base, bottom: box.bottom + margin.y, productHeight: box.bottom - box.top };
  const depths = layDepths(size.height, rows, frame.height);
  const outline = traceOutline(alpha.y, base);
  const { isCutBelow } = subject;
  const product = { colours, alpha, ...places, isCutBelow, outline, rings };
  return { frame, margin, backdrop, depths, product };
}

/** The part of the picture that stays sharp: beside the product, a gap's blur begins inside, or it shows streaks. */
function insetAtGaps(pictureBox: Box, frame: Size, product?: Edges): Box {
  const rim = 3 * FILL_REACH * Math.max(frame.width, frame.height);
  /** Start and length along one axis; the product reaches from `first` to `last`. */
  const inset = (start: number, length: number, end: number, first = Infinity, last = -Infinity) => {
    const by = (free: number) => 2 * Math.floor(Math.max(0, Math.min(INSET * length, free - rim)) / 2);
    const before = start > 0 ? by(first - start) : 0;
    const after = start + length < end ? by(start + length - last) : 0;
    return [start + before, length - before - after] as const;
  };
  const [left, width] = inset(pictureBox.left, pictureBox.width, frame.width, product?.left, product?.right);
  const [top, height] = inset(pictureBox.top, pictureBox.height, frame.height, product?.top, product?.bottom);
  return { left, top, width, height };
}

function soften(photo: Planes, pictureBox: Box): void {
  for (const { plane, step } of PLANES) softenBeyond(photo[plane], shrink(pictureBox, step));
}

function shrink({ left, top, width, height }: Box, step: number): Box {
  return { left: left / step, top: top / step, width: width / step, height: height / step };
}

function fillBackdrop({ y, u, v }: Planes, holes: Planes): Planes {
  const fill = (plane: Plane, { data }: Plane) =>
    fillGaps(plane, { ...plane, data: mapFloats(data, (hole) => (hole > 0 ? 0 : 1)) });
  return { y: continueTexture(fill(y, holes.y), holes), u: fill(u, holes.u), v: fill(v, holes.v) };
}

const TEXTURE = 6; // pixels of sigma: finer details than this are a texture

/**
 * Gives filled holes the texture around them, mirrored at their edge: moves reveal them next to it.
 * @param holes at full and at half resolution, which is exact enough for the edge and four times as fast
 */
function continueTexture(filled: Plane, { y: hole, u: half }: Planes): Plane {
  const { width, height } = filled;
  const smooth = softBlur(filled, TEXTURE).data;
  const nearest = nearestInside({ ...half, data: mapBytes(half.data, (value) => (value > 0 ? 0 : 1)) });
  const mirror = (at: number, edge: number, side: number) => Math.min(side - 1, Math.max(0, Math.round(4 * edge - at)));
  const data = mapFloats(filled.data, (value, i) => {
    if (hole.data[i] === 0) return value;
    const [x, y] = [i % width, Math.floor(i / width)];
    const edge = nearest(x / 2, y / 2);
    const source = mirror(y, edge.y, height) * width + mirror(x, edge.x, width);
    return clampByte(smooth[i]! + filled.data[source]! - smooth[source]!);
  });
  return { width, height, data };
}

/** 1 within `reach` pixels of the product. */
function widen(alpha: Plane, reach: number): Plane {
  const near = softBlur(alpha, reach).data;
  return { ...alpha, data: near.map((value, i) => (value > 0.02 || alpha.data[i]! > 0.01 ? 1 : 0)) };
}

/** Premultiplies the product's colours by alpha, relative to the plane's value of black. */
function multiply(front: Float32Array, alpha: Planes): Planes {
  const own = mapFloats(front, (value, i) => value * alpha.y.data[Math.floor(i / 3)]!);
  const colours = toYuv(own, alpha.y.width, alpha.y.height);
  for (const { plane, none } of PLANES) {
    const [values, share] = [colours[plane].data, alpha[plane].data];
    for (let i = 0; i < values.length; i += 1) values[i]! -= none * (1 - share[i]!);
  }
  return colours;
}

/** The product's box and the row of its foot, on the frame. */
function placeSubject({ alpha, box }: Subject, pictureBox: Box) {
  const scale = pictureBox.width / alpha.width;
  const x = (column: number) => pictureBox.left + column * scale;
  const y = (row: number) => pictureBox.top + row * scale;
  return {
    box: { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) },
    base: y(findContact(alpha).ground),
  };
}

type ProductLayer = Pick<Billboard, 'colours' | 'alpha'>;

/** The backdrop behind the product that reproduces the photo: (photo - product) / (1 - alpha). */
function findRings(photo: Planes, filled: Planes, front: ProductLayer, holes: Planes, pictureBox: Box): Ring[] {
  return PLANES.map(({ plane, step }) => {
    const { data: own, width } = holes[plane];
    const share = front.alpha[plane].data;
    const picture = shrink(pictureBox, step);
    const at: number[] = [];
    for (let i = 0; i < own.length; i += 1) {
      const x = (i % width) - picture.left;
      const y = Math.floor(i / width) - picture.top;
      const isInside = x >= 0 && y >= 0 && x < picture.width && y < picture.height;
      if (isInside && own[i]! > 0 && share[i]! < 0.98) at.push(i);
    }
    return {
      plane,
      at: Int32Array.from(at),
      rest: mapFloats(at, (i) => clampByte((photo[plane].data[i]! - front.colours[plane].data[i]!) / (1 - share[i]!))),
      filled: mapFloats(at, (i) => filled[plane].data[i]!),
    };
  });
}

/**
 * The depth of each canvas row, for a product standing on a floor in front of a backdrop: 1 at the product, 0.3 at the
 * backdrop. Shift and scale of a row follow it.
 */
export const BACKDROP_DEPTH = 0.3;
/** The depth of a picture without a product, which is flat. */
export const FLAT_DEPTH = 0.6;
const NEAREST = 1.5;

/**
 * A depth per canvas row. A floor's depth is linear in rows, which keeps lines on it straight.
 * @param product rows of the canvas: `base` of its foot, and `bottom`, because a strap may be in front of the foot
 */
export function layDepths(
  height: number,
  { base, bottom, productHeight }: { base: number; bottom: number; productHeight: number },
  frameHeight: number,
): Float64Array {
  const depths = new Float64Array(height);
  const foot = base - 0.04 * productHeight; // the foot has a single depth, so that it is not sheared
  const wall = base - 0.7 * productHeight - 0.08 * frameHeight;
  const slope = (1 - BACKDROP_DEPTH) / (foot - wall);
  for (let row = 0; row < height; row += 1) {
    const floor = row > bottom ? 1 + slope * (row - bottom) : 1 - slope * Math.max(0, foot - row);
    depths[row] = Math.min(NEAREST, Math.max(BACKDROP_DEPTH, floor));
  }
  return depths;
}
