/** Which pixels of a face's surroundings are bare face, and which are hair, cloth or background. */
import { describePlane } from '../pixels/statistics.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { grabCut, SEED, type Seeds } from '../pixels/grab-cut.ts';
import { fitAlpha } from '../pixels/guided.ts';
import { dilate, keepWhere } from '../pixels/mask.ts';
import { makeMask, toPlane, type Mask, type Plane, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { fillPolygon, scalePolygon } from '../pixels/shapes.ts';
import { boxAround } from './faces.ts';
import { INNER_FACE, LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_BROW, RIGHT_EYE } from './landmarks.ts';
import { halvePicture, mapByHalf, readFitted } from './soft-edges.ts';

const WORK_SIDE = 256;
const ROUNDS = 4;

/**
 * 0..1 per pixel: how much of it is the face itself (eyes, brows and lips included) rather than hair that falls over
 * it, or whatever stands beside it. Colours decide outside the inner face, by GrabCut; strands get part cover.
 * @param points 468 landmarks in pixels of the picture
 */
export async function findBareFace(picture: Rgb, points: readonly Point[]): Promise<Plane> {
  const small = await shrinkRgb(picture, WORK_SIDE);
  const scale = small.width / picture.width;
  const placed = points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const mask = grabCut(small, seedFace(small, placed), ROUNDS);
  const soft = softBlur(toPlane(mask), 1);
  const half = await halvePicture(picture);
  const start = resizePlane(soft, half);
  const inner = paintInnerFace(points, picture).data;
  const coefficients = fitAlpha(half, start, Math.max(2, Math.round(half.width / 100)));
  return mapByHalf(picture, half, (i, near, sampler) => {
    if (inner[i]) return 1;
    const coarse = start.data[near]!;
    if (coarse === 0 || coarse === 1) return coarse;
    return Math.min(1, Math.max(0, (readFitted(coefficients, sampler, picture, i) - 0.1) / 0.8));
  });
}

function seedFace(picture: Rgb, points: readonly Point[]): Seeds {
  const oval = pick(points, OVAL);
  const inner = paintInnerFace(points, picture);
  const near = fillPolygon(oval, picture).data;
  const around = fillPolygon(scalePolygon(oval, 1.35), picture).data;
  const unlike = measureUnlikeness(toLabPlanes(picture), paintSkin(points, picture)).data;
  const data = inner.data.map((isInner, i) => {
    if (isInner) return SEED.foreground;
    if (!around[i]) return unlike[i]! > 3 ? SEED.background : SEED.probablyBackground;
    if (unlike[i]! > 6) return SEED.background;
    return near[i] && unlike[i]! < 3.5 ? SEED.probablyForeground : SEED.probablyBackground;
  });
  return { ...inner, data };
}

/** 1 on the inner face and the whole of the brows, which look like hair and are none. */
export function paintInnerFace(points: readonly Point[], size: Size): Mask {
  const parts = [INNER_FACE, LEFT_BROW, RIGHT_BROW].map((part) => pick(points, part));
  return fillPolygons(parts, size);
}

/** 1 inside any of the polygons. */
export function fillPolygons(polygons: readonly Point[][], size: Size): Mask {
  const out = makeMask(size);
  for (const polygon of polygons) {
    const filled = fillPolygon(polygon, size);
    for (let i = 0; i < out.data.length; i += 1) if (filled.data[i]) out.data[i] = 1;
  }
  return out;
}

/** How many deviations every colour lies from the skin's; shade counts a third of what a change of hue does. */
export function measureUnlikeness({ l, a, b, width, height }: Lab, skin: Mask): Plane {
  const [light, red, yellow] = [l, a, b].map((plane) => describePlane(plane, skin.data));
  const data = l.map((value, i) => {
    const shade = (value - light!.mean) / Math.max(9, 2 * light!.deviation);
    const hue = (a[i]! - red!.mean) / Math.max(3, red!.deviation);
    const warmth = (b[i]! - yellow!.mean) / Math.max(3, yellow!.deviation);
    return Math.hypot(shade * 1.5, hue, warmth);
  });
  return { width, height, data };
}

/** 1 on the inner face but for eyes, brows and lips, which have colours of their own. */
export function paintSkin(points: readonly Point[], size: Size): Mask {
  const inner = fillPolygon(pick(points, INNER_FACE), size);
  const features = paintFeatures(points, size);
  return keepWhere(inner, (i) => !features.data[i]);
}

/** 1 on eyes, brows and lips and a little round them. */
export function paintFeatures(points: readonly Point[], size: Size): Mask {
  const features = [LEFT_EYE, RIGHT_EYE, LEFT_BROW, RIGHT_BROW, LIPS].map((part) => pick(points, part));
  return dilate(fillPolygons(features, size), 0.03 * boxAround(pick(points, OVAL)).width);
}

export function pick(points: readonly Point[], landmarks: readonly number[]): Point[] {
  return landmarks.map((landmark) => {
    const point = points[landmark];
    if (!point) throw new Error(`the face has no landmark ${landmark}`);
    return point;
  });
}
