/**
 * The 2.5-D stage: a backdrop with the product's place filled in, a floor that comes nearer row by row, and the product
 * as a billboard that stands on it.
 */
import { clampByte } from '../pixels/colour.ts';
import { softBlur } from '../pixels/blur.ts';
import { mapFloats } from '../pixels/map.ts';
import { cutPlane, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { findContact } from '../scenes/contact.ts';
import { resizeBytes } from '../scenes/product.ts';
import { layDepths } from './depth.ts';
import { keepOwnCover, mirrorOnto, softenBeyond, type Lying } from './extend.ts';
import { fillBackdrop } from './fill.ts';
import { findColours } from './product-colours.ts';
import { findEdges, type Edges, type Subject } from './subject.ts';
import { traceOutline, type Outline } from './outline.ts';
import { halve, toYuv, type Yuv } from './yuv.ts';

/** All places are frame pixels; the canvas reaches `margin` pixels beyond the frame on every side. */
export type Stage = {
  frame: Size;
  margin: { x: number; y: number };
  backdrop: Yuv;
  /** One per canvas row (see depth.ts). */
  depths: Float64Array;
  product?: Billboard;
};

/** The product alone on the canvas; colours are multiplied by the cover. */
export type Billboard = {
  colours: Yuv;
  /** 0..1. */
  cover: Float32Array;
  /** The same at the size of the chroma planes. */
  halfCover: Float32Array;
  box: Edges;
  /** The row it stands on. */
  base: number;
  /** Columns: the part that stands, and the uppermost tenth, where a cup has its opening. */
  foot: { left: number; right: number };
  crown: { left: number; right: number };
  isCutBelow: boolean;
  /** On the canvas. */
  outline: Outline;
  /** Where the photo's own pixels beat the filling as long as nothing has moved: one list per plane of the backdrop. */
  rings: { plane: 'y' | 'u' | 'v'; ring: Ring }[];
};

/** Places of a plane with two values each. */
export type Ring = {
  at: Int32Array;
  /** With this one the picture at rest is the photo, exactly. */
  rest: Float32Array;
  filled: Float32Array;
};

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
  const { width, height } = lying;
  const placed = { width, height, data: await resizeBytes(picture.data, picture, 3, width, height) };
  const kind = coversFrame(lying, frame) ? 'margin' : 'gap';
  const photo = toYuv(mirrorOnto(placed.data, 3, onCanvas, size), size.width, size.height);
  if (!subject) {
    soften(photo, onCanvas, kind);
    return {
      frame,
      margin,
      backdrop: photo,
      depths: layDepths(size.height, { bottom: 0, productHeight: 0 }, frame.height),
    };
  }
  const alpha = resizePlane(subject.alpha, lying);
  const everywhere = mirrorOnto(alpha.data, 1, onCanvas, size);
  const cover = keepOwnCover(everywhere, onCanvas, size);
  const front = mirrorOnto(findColours(placed, alpha), 3, onCanvas, size);
  const hole = widen(everywhere, size, FILL_REACH * Math.max(frame.width, frame.height));
  const filled = fillBackdrop(photo, hole);
  soften(filled, onCanvas, kind);
  const colours = toYuv(multiply(front, cover), size.width, size.height);
  const box = scaleBox(subject.box, lying.width / picture.width, lying);
  const halfCover = halve(cover, size.width, size.height);
  shiftBlack(colours, cover, halfCover);
  const rings = findRings(photo, filled, { colours, cover, halfCover }, hole, onCanvas);
  const { base, foot, crown } = findEnds(subject, lying);
  const standing = { base: base + margin.y, bottom: box.bottom + margin.y, productHeight: box.bottom - box.top };
  const depths = layDepths(size.height, standing, frame.height);
  const outline = traceOutline({ ...size, data: cover }, base + margin.y);
  return {
    frame,
    margin,
    backdrop: filled,
    depths,
    product: { colours, cover, halfCover, box, base, foot, crown, isCutBelow: subject.isCutBelow, outline, rings },
  };
}

function coversFrame({ left, top, width, height }: Lying, frame: Size): boolean {
  return left <= 0 && top <= 0 && left + width >= frame.width && top + height >= frame.height;
}

function soften({ width, height, y, u, v }: Yuv, lying: Lying, kind: Parameters<typeof softenBeyond>[3]): void {
  softenBeyond(y, lying, { width, height }, kind, 16);
  const half = { width: lying.width / 2, height: lying.height / 2, left: lying.left / 2, top: lying.top / 2 };
  for (const plane of [u, v]) softenBeyond(plane, half, { width: width / 2, height: height / 2 }, kind);
}

/** 1 within `reach` pixels of any cover. */
function widen(cover: Float32Array, { width, height }: Size, reach: number): Float32Array {
  return softBlur({ data: cover, width, height }, reach).data.map((value, i) =>
    value > 0.02 || cover[i]! > 0.01 ? 1 : 0,
  );
}

function multiply(colours: Float32Array, cover: Float32Array): Float32Array {
  const out = new Float32Array(colours.length);
  for (let i = 0; i < cover.length; i += 1) {
    const share = cover[i]!;
    if (share === 0) continue;
    for (let c = i * 3; c < i * 3 + 3; c += 1) out[c] = colours[c]! * share;
  }
  return out;
}

/** Limited range has its black at 16 and its grey at 128: where the cover is partial, so are these. */
function shiftBlack({ y, u, v }: Yuv, cover: Float32Array, halfCover: Float32Array): void {
  for (let i = 0; i < y.length; i += 1) y[i]! -= 16 * (1 - cover[i]!);
  for (let i = 0; i < u.length; i += 1) {
    u[i]! -= 128 * (1 - halfCover[i]!);
    v[i]! -= 128 * (1 - halfCover[i]!);
  }
}

/** The row on which it stands on the frame, the columns of its foot, and those of its top. */
function findEnds({ alpha, box }: Subject, lying: Lying) {
  const scale = lying.width / alpha.width;
  const columns = (left: number, right: number) => ({
    left: lying.left + left * scale,
    right: lying.left + right * scale,
  });
  const { left, right, ground } = findContact(alpha);
  const [width, height] = [box.right - box.left, Math.ceil(0.1 * (box.bottom - box.top))];
  const crown = findEdges(cutPlane(alpha, { left: box.left, top: box.top, width, height }));
  return {
    base: lying.top + ground * scale,
    foot: columns(left, right + 1),
    crown: columns(box.left + (crown?.left ?? 0), box.left + (crown?.right ?? width)),
  };
}

function scaleBox(box: Edges, scale: number, { left, top }: Lying): Edges {
  return {
    left: left + box.left * scale,
    top: top + box.top * scale,
    right: left + box.right * scale,
    bottom: top + box.bottom * scale,
  };
}

type Covered = Pick<Billboard, 'colours' | 'cover' | 'halfCover'>;

function findRings(photo: Yuv, filled: Yuv, front: Covered, hole: Float32Array, lying: Lying): Billboard['rings'] {
  const { width, height } = photo;
  const full = { hole, cover: front.cover, width, lying };
  const half = {
    hole: halve(hole, width, height),
    cover: front.halfCover,
    width: width / 2,
    lying: { width: lying.width / 2, height: lying.height / 2, left: lying.left / 2, top: lying.top / 2 },
  };
  return (['y', 'u', 'v'] as const).map((plane) => ({
    plane,
    ring: findRing(photo[plane], filled[plane], front.colours[plane], plane === 'y' ? full : half),
  }));
}

type Where = {
  hole: Float32Array;
  cover: Float32Array;
  width: number;
  lying: Lying;
};

/** What must lie behind the product for the two together to be the photo: (photo - product) / (1 - cover). */
function findRing(photo: Float32Array, filled: Float32Array, front: Float32Array, where: Where): Ring {
  const { hole, cover, width, lying } = where;
  const at: number[] = [];
  for (let i = 0; i < hole.length; i += 1) {
    const x = (i % width) - lying.left;
    const y = Math.floor(i / width) - lying.top;
    const isInside = x >= 0 && y >= 0 && x < lying.width && y < lying.height;
    if (isInside && hole[i]! > 0 && cover[i]! < 0.98) at.push(i);
  }
  return {
    at: Int32Array.from(at),
    rest: mapFloats(at, (i) => clampByte((photo[i]! - front[i]!) / (1 - cover[i]!))),
    filled: mapFloats(at, (i) => filled[i]!),
  };
}
