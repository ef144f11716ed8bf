/** Fits a flat garment to a body: maps every pixel of the person to a point of the garment. */
import { markFace } from '../people/skin.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { close as closeMask, dilate, erode, invert, keepWhere, open as openMask, threshold } from '../pixels/mask.ts';
import { nearestInside } from '../pixels/nearest.ts';
import { readPoint } from '../pixels/sample.ts';
import { mapBytes, mapFloats, smoothStep, toPlane, type Mask, type Point } from '../pixels/plane.ts';
import { anchorBody, warpSleeve } from './anchors.ts';
import type { Garment } from './garment.ts';
import { BLEND, INSET, planBody, planSleeves, type BodyPlan, type SleevePlan } from './plan.ts';
import { eachSide, mix, projectOnAxis, widthAt } from './sleeve.ts';
import { fitWarp } from './warp.ts';
import type { Wearer } from './wearer.ts';

/** Planes of the wearer's size. */
export type Fit = {
  /** Point in the garment's upright picture. */
  x: Float32Array;
  y: Float32Array;
  /** 0..1, the new garment's alpha. */
  alpha: Float32Array;
  /** 0..1, the share of that alpha at which the garment's neckline bares skin that the old clothes hid. */
  skin: Float32Array;
};

/** Why a garment does not fit over the old clothes: it would bare parts that the photo does not show. */
export type Misfit = 'sleeves' | 'neckline' | 'length' | 'shape';

// shoulder widths that a neckline may be below the old one: bared skin is painted, and hung garments are pulled up
const MAX_BARED = { lying: 0.4, hung: 0.5 };
const MAX_TORN = 0.05; // of the fitted garment: most of it that its picture lacks
const SHARP = 2; // times the softness of the garment's neckline, which would become as wide as a garment pixel is shown
const TORN = 0.12; // chest widths from the nearest cloth: farther points are torn

const BEYOND = 0.02; // chest widths from the nearest cloth: farther points are beyond the garment's edge
// chest widths above the neck's ends and on either side of them; most old cloth there, in squared chest widths
const COLLAR = { above: 0.03, beside: 0.15, max: 0.03 };

/** Fits a garment; returns the reason if that is impossible. */
export function fitGarment(wearer: Wearer, garment: Garment): Fit | Misfit {
  const body = planBody(wearer, garment);
  if (!body) return 'length';
  const maxBared = garment.cut === 'hanging' ? MAX_BARED.hung : MAX_BARED.lying;
  if (!body.isWornOpen && measureBared(wearer, garment, body) > maxBared) return 'neckline';
  const sleeves = planSleeves(wearer, garment, body);
  if (!sleeves) return 'sleeves';
  const { width, height } = wearer.picture;
  const make = () => new Float32Array(width * height);
  const fit: Fit = { x: make(), y: make(), alpha: make(), skin: make() };
  const bodyWarp = fitWarp(anchorBody(wearer, garment, body), wearer.picture);
  const warps = eachSide((side) => warpSleeve(wearer, garment, body, sleeves[side], side));
  const fabric = keepWhere(garment.mask, (i) => !garment.opening.mask.data[i]);
  const shapes = softenShapes(wearer, garment, fabric);
  const nearest = nearestInside(erode(fabric, INSET));
  const armpit = Math.max(wearer.armpits[0].y, wearer.armpits[1].y);
  let [torn, collar, all] = [0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const side = x < wearer.middle ? 0 : 1;
      const beyond = side === 0 ? body.left[y]! - x : x - body.right[y]!;
      const share = shareSleeve({ x, y, beyond, side }, wearer, sleeves[side]);
      const place = mix(bodyWarp(x, y), warps[side](x, y), share);
      const i = y * width + x;
      const alpha = alphaOfPixel({ wearer, garment, body, shapes }, sleeves[side], { x, y, i, beyond, side }, place);
      if (alpha <= 0) continue;
      const edge = nearest(place.x, place.y);
      const source = nearest(2 * edge.x - place.x, 2 * edge.y - place.y);
      fit.alpha[i] = alpha;
      if (!body.isWornOpen && y < armpit) {
        const open = readPoint({ ...garment.mask, data: shapes.open }, place.x, place.y);
        fit.skin[i] = Math.min(1, Math.max(0, (open - 0.5) * Math.max(1, SHARP * body.scale) + 0.5));
      }
      fit.x[i] = source.x;
      fit.y[i] = source.y;
      all += alpha;
      const away = Math.hypot(edge.x - place.x, edge.y - place.y) / garment.chest;
      const cloth = alpha * (1 - fit.skin[i]!);
      if (away > TORN) torn += cloth;
      if (away > BEYOND && isAtCollar(wearer, x, y)) collar += cloth;
    }
  }
  if (collar > COLLAR.max * wearer.chest ** 2) return 'neckline';
  return torn > MAX_TORN * all ? 'shape' : fit;
}

/** True where only tall collars, hoods and scarves are: over the garment they would look like a collar of its own. */
function isAtCollar({ neck: [left, right], chest }: Wearer, x: number, y: number): boolean {
  const row = left.y + ((right.y - left.y) * (x - left.x)) / (right.x - left.x);
  const beside = COLLAR.beside * chest;
  return y < row - COLLAR.above * chest && x > left.x - beside && x < right.x + beside;
}

const ARMHOLE = 0.16; // of the chest: above the armpit body and sleeve blend over this width on either side

/** 0 on the body, 1 on the sleeve, blended above the armpit. */
function shareSleeve(
  { x, y, beyond, side }: Omit<Pixel, 'i'>,
  { armpits, chest }: Wearer,
  { arm }: SleevePlan,
): number {
  const reach = ARMHOLE * chest * smoothStep(armpits[side].y + 0.1 * chest, armpits[side].y - 0.25 * chest, y);
  if (reach >= 1) return smoothStep(-reach, reach, beyond);
  if (beyond <= 0) return 0;
  const { along, across } = projectOnAxis(arm.axis, x, y);
  const { from, to } = widthAt(arm, along);
  return across > from - BESIDE && across < to + BESIDE ? 1 : 0;
}

const BESIDE = 2; // pixels

/** Shoulder widths by which the new neckline would be below the old one. */
function measureBared(wearer: Wearer, garment: Garment, body: BodyPlan): number {
  const middle = wearer.contour[Math.round(wearer.middle)] ?? -1;
  if (middle < 0) return 0;
  const natural = body.top + garment.opening.depth * garment.chest * body.scale;
  return (natural - middle) / wearer.pose.shoulderWidth;
}

type Shapes = { solid: Float32Array; bare: Float32Array; open: Float32Array; neck: Float32Array; rim: Float32Array };

/** Soft masks, 0..1: the garment and its opening, the wearer's bare skin, the neck, a rim around the old clothes. */
function softenShapes(wearer: Wearer, { opening }: Garment, fabric: Mask): Shapes {
  const soften = (shape: Mask, sigma: number) => softBlur(toPlane(shape), sigma).data;
  return {
    solid: soften(fabric, 1.5),
    bare: soften(keepWhere(wearer.bare, wearer.isSkin), 0.8),
    neck: soften(markNeck(wearer), 0.8),
    rim: soften(dilate(threshold(wearer.top, 0.5), RIM * wearer.chest), 0.01 * wearer.chest),
    open: soften(dilate(opening.mask, 1), 1.5),
  };
}

type Fitting = { wearer: Wearer; garment: Garment; body: BodyPlan; shapes: Shapes };
type Pixel = { x: number; y: number; i: number; beyond: number; side: 0 | 1 };

/** Alpha of a pixel: covers all old clothes and, where the new garment extends farther, the person. */
function alphaOfPixel(fitting: Fitting, plan: SleevePlan, pixel: Pixel, place: Point): number {
  const { wearer, garment, body, shapes } = fitting;
  const { y, i, beyond } = pixel;
  const read = (data: Float32Array) => readPoint({ ...garment.mask, data }, place.x, place.y);
  const armpit = Math.max(wearer.armpits[0].y, wearer.armpits[1].y);
  const long = plan.isLonger && beyond > -ARMHOLE * wearer.chest ? alphaOfLongSleeve(plan, pixel) : 0;
  let alpha = Math.max(wearer.top.data[i]!, long);
  if (beyond > 0) return alpha;
  const from = Math.max(armpit, wearer.hem - BLEND * wearer.chest);
  if (wearer.isHemVisible && y > from && body.hem > wearer.hem + 2) {
    const ownHem = y > wearer.hem ? read(shapes.solid) : 1; // shirt tails are round
    const edge = ownHem * Math.min(1, Math.max(0, Math.min(-beyond, body.hem - y, 1)));
    const isArm = y < wearer.hem || isNearHand(wearer, pixel);
    alpha = Math.max(alpha, edge * (isArm ? 1 - shapes.bare[i]! : 1));
  }
  if (alpha < 1 && y <= armpit && y >= body.top) {
    alpha = Math.max(alpha, Math.min(Math.max(read(shapes.solid), shapes.rim[i]!), shapes.neck[i]!));
  }
  return body.isWornOpen ? alpha * (1 - read(shapes.open)) : alpha;
}

const RIM = 0.02; // chest widths: seams, necklaces and the old neckline's edge, neither cloth nor skin

const GAP = 0.05; // chest widths: gaps in what is covered beside the neck, like the shade of a collar

/** 1 on the old clothes and on the skin up to the chin, where a higher neckline may be. */
function markNeck(wearer: Wearer): Mask {
  const { pose, neck, top, bare, isSkin, chest } = wearer;
  const face = pose.face && dilate(markFace(pose.face, top), 0.06 * pose.shoulderWidth).data;
  const from = top.width * Math.ceil(Math.min(neck[0].y, neck[1].y));
  const cloth = threshold(top, 0.5);
  const smooth = markSmooth(wearer).data;
  const isNeck = (x: number) => x > neck[0].x && x < neck[1].x;
  const isHand = (i: number) => isNearHand(wearer, { x: i % top.width, y: Math.floor(i / top.width) });
  const skin = keepWhere(
    bare,
    (i) => i >= from && isSkin(i) && (isNeck(i % top.width) || smooth[i] === 1) && !face?.[i] && !isHand(i),
  );
  return closeMask({ ...cloth, data: mapBytes(cloth.data, (on, i) => on || skin.data[i]!) }, GAP * chest);
}

const SMOOTH = { sigma: 0.02, contrast: 3, min: 0.03, rim: 0.06 }; // shoulder widths, Lab units, shoulder widths

/** 1 on even skin. Beside the neck, fair hair has its colour. */
function markSmooth({ picture, pose: { shoulderWidth } }: Wearer): Mask {
  const blur = (data: Float32Array) => softBlur({ ...picture, data }, SMOOTH.sigma * shoulderWidth).data;
  const { l } = toLabPlanes(picture);
  const even = blur(l);
  const contrast = blur(mapFloats(l, (value, i) => Math.abs(value - even[i]!)));
  const calm = invert(threshold({ ...picture, data: contrast }, SMOOTH.contrast));
  return dilate(openMask(calm, SMOOTH.min * shoulderWidth), SMOOTH.rim * shoulderWidth);
}

const HAND = 0.4; // shoulder widths around wrist and elbow

function isNearHand({ pose }: Wearer, { x, y }: Point): boolean {
  const { leftWrist, rightWrist, leftElbow, rightElbow } = pose.joints;
  return [leftWrist, rightWrist, leftElbow, rightElbow].some(
    (joint) => joint !== undefined && Math.hypot(joint.x - x, joint.y - y) < HAND * pose.shoulderWidth,
  );
}

/** Alpha of a longer sleeve: the arm down to the sleeve's end. */
function alphaOfLongSleeve({ arm, end }: SleevePlan, { x, y }: Pixel): number {
  const { along, across } = projectOnAxis(arm.axis, x, y);
  if (along <= 0 || along > end) return 0;
  const { from, to } = widthAt(arm, along);
  return Math.min(1, Math.max(0, Math.min(across - from, to - across, end - along) + 0.5));
}
