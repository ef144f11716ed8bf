/**
 * The 2.5-D stage: a backdrop with the product's place filled in, a floor that comes nearer row by row, and the product
 * as a billboard that stands on it.
 */
import { clampByte } from '../pixels/colour.ts';
import { softBlur } from '../pixels/blur.ts';
import { resizeBytes } from '../pixels/decode.ts';
import { fillGaps } from '../pixels/fill-gaps.ts';
import { mapFloats, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { findContact } from '../scenes/contact.ts';
import { extendOnto, softenBeyond, type Lying } from './extend.ts';
import type { Edges, Subject } from './subject.ts';
import { traceOutline, type Outline } from './outline.ts';
import { halve, toYuv, type Planes } from './yuv.ts';

/** All places are frame pixels; the canvas reaches `margin` pixels beyond the frame on every side. */
export type Stage = {
  frame: Size;
  margin: { x: number; y: number };
  backdrop: Planes;
  /** One per canvas row (see `layDepths`). */
  depths: Float64Array;
  product?: Billboard;
};

/** The product alone on the canvas; colours are multiplied by the cover. */
export type Billboard = {
  colours: Planes;
  /** 0..1. */
  cover: Planes;
  box: Edges;
  /** The row it stands on. */
  base: number;
  isCutBelow: boolean;
  /** On the canvas. */
  outline: Outline;
  /** Where the photo's own pixels beat the filling as long as nothing has moved: one list per plane of the backdrop. */
  rings: Ring[];
};

/** Places of a plane of the backdrop with two values each. */
type Ring = {
  plane: 'y' | 'u' | 'v';
  at: Int32Array;
  /** With this one the picture at rest is the photo, exactly. */
  rest: Float32Array;
  filled: Float32Array;
};

/** How many pixels of the canvas one of the plane's is wide, and its value where there is nothing (limited range). */
const PLANES = [
  { plane: 'y', step: 1, none: 16 },
  { plane: 'u', step: 2, none: 128 },
  { plane: 'v', step: 2, none: 128 },
] as const;

const MARGIN = 0.1; // of the frame: the farthest that a move looks beyond it
const FILL_REACH = 1 / 130; // of the frame's long side: JPEG and blur carry the product's colours this far

/** Builds the layers at the frame's size; `lying` says where the picture lies on the frame (sides even). */
export async function buildStage(
  picture: Rgb,
  subject: Subject | undefined,
  lying: Lying,
  frame: Size,
): Promise<Stage> {
  const margin = { x: 2 * Math.ceil((MARGIN * frame.width) / 2), y: 2 * Math.ceil((MARGIN * frame.height) / 2) };
  const size = { width: frame.width + 2 * margin.x, height: frame.height + 2 * margin.y };
  const onCanvas = { ...lying, left: lying.left + margin.x, top: lying.top + margin.y };
  const placed = await resizeBytes(picture.data, picture, 3, lying);
  const kind = coversFrame(lying, frame) ? 'margin' : 'gap';
  const photo = toYuv(extendOnto(placed, 3, onCanvas, size), size.width, size.height);
  if (!subject) {
    soften(photo, onCanvas, kind);
    return { frame, margin, backdrop: photo, depths: new Float64Array(size.height).fill(FLAT_DEPTH) };
  }
  const alpha = resizePlane(subject.alpha, lying);
  const everywhere = { ...size, data: extendOnto(alpha.data, 1, onCanvas, size) };
  const holes = halve(widen(everywhere, FILL_REACH * Math.max(frame.width, frame.height)));
  const backdrop = fillBackdrop(photo, holes);
  soften(backdrop, onCanvas, kind);
  const cover = halve(everywhere);
  const own = await resizeBytes(subject.colours, picture, 3, lying);
  const colours = multiply(extendOnto(own, 3, onCanvas, size), cover);
  const rings = findRings(photo, backdrop, { colours, cover }, holes, onCanvas);
  const places = placeSubject(subject, lying);
  const { box } = places;
  const base = places.base + margin.y;
  const standing = { base, bottom: box.bottom + margin.y, productHeight: box.bottom - box.top };
  const depths = layDepths(size.height, standing, frame.height);
  const outline = traceOutline(cover.y, base);
  const { isCutBelow } = subject;
  const product = { colours, cover, ...places, isCutBelow, outline, rings };
  return { frame, margin, backdrop, depths, product };
}

function coversFrame({ left, top, width, height }: Lying, frame: Size): boolean {
  return left <= 0 && top <= 0 && left + width >= frame.width && top + height >= frame.height;
}

function soften(photo: Planes, lying: Lying, kind: Parameters<typeof softenBeyond>[2]): void {
  for (const { plane, step, none } of PLANES) {
    softenBeyond(photo[plane], shrink(lying, step), kind, step === 1 ? none : undefined);
  }
}

function shrink({ left, top, width, height }: Lying, step: number): Lying {
  return { left: left / step, top: top / step, width: width / step, height: height / step };
}

function fillBackdrop({ y, u, v }: Planes, holes: Planes): Planes {
  const fill = (plane: Plane, { data }: Plane) =>
    fillGaps(plane, { ...plane, data: mapFloats(data, (hole) => (hole > 0 ? 0 : 1)) });
  return { y: fill(y, holes.y), u: fill(u, holes.u), v: fill(v, holes.v) };
}

/** 1 within `reach` pixels of any cover. */
function widen(cover: Plane, reach: number): Plane {
  const near = softBlur(cover, reach).data;
  return { ...cover, data: near.map((value, i) => (value > 0.02 || cover.data[i]! > 0.01 ? 1 : 0)) };
}

/** The product's colours, multiplied by its cover: where that is partial, so is the value of nothing. */
function multiply(front: Float32Array, cover: Planes): Planes {
  const own = mapFloats(front, (value, i) => value * cover.y.data[Math.floor(i / 3)]!);
  const colours = toYuv(own, cover.y.width, cover.y.height);
  for (const { plane, none } of PLANES) {
    const [values, share] = [colours[plane].data, cover[plane].data];
    for (let i = 0; i < values.length; i += 1) values[i]! -= none * (1 - share[i]!);
  }
  return colours;
}

/** On the frame: its box, and the row on which it stands. */
function placeSubject({ alpha, box }: Subject, lying: Lying) {
  const scale = lying.width / alpha.width;
  const x = (column: number) => lying.left + column * scale;
  const y = (row: number) => lying.top + row * scale;
  return {
    box: { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) },
    base: y(findContact(alpha).ground),
  };
}

type Covered = Pick<Billboard, 'colours' | 'cover'>;

/** What must lie behind the product for the two together to be the photo: (photo - product) / (1 - cover). */
function findRings(photo: Planes, filled: Planes, front: Covered, holes: Planes, lying: Lying): Ring[] {
  return PLANES.map(({ plane, step }) => {
    const { data: own, width } = holes[plane];
    const share = front.cover[plane].data;
    const picture = shrink(lying, step);
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
 * How near each row of the canvas is, for a camera that looks at a thing standing on a floor before a backdrop.
 * 1 is the product's distance, 0.3 the backdrop's: shifts and growth of a row follow this number.
 */
export const BACKDROP_DEPTH = 0.3;
/** Of a picture without a product, which is flat. */
export const FLAT_DEPTH = 0.6;
const NEAREST = 1.5;

/** The rows that the depth depends on, in canvas pixels. */
export type DepthRows = {
  /** Where the product's foot touches the floor. */
  base: number;
  /** The lowest row of anything that belongs to the product: a strap lies in front of the foot. */
  bottom: number;
  productHeight: number;
};

/** One depth per canvas row. A floor's depth is linear in the picture's rows: straight lines on it stay straight. */
export function layDepths(
  height: number,
  { base, bottom, productHeight }: DepthRows,
  frameHeight: number,
): Float64Array {
  const depths = new Float64Array(height);
  const foot = base - 0.04 * productHeight; // the rows of the foot itself are one depth: it must not be sheared
  const wall = base - 0.7 * productHeight - 0.08 * frameHeight;
  const slope = (1 - BACKDROP_DEPTH) / (foot - wall);
  for (let row = 0; row < height; row += 1) {
    const floor = row > bottom ? 1 + slope * (row - bottom) : 1 - slope * Math.max(0, foot - row);
    depths[row] = Math.min(NEAREST, Math.max(BACKDROP_DEPTH, floor));
  }
  return depths;
}
