/** The portrait's skin in the user's tone, so that neck and ears go with a face that stays as it was photographed. */
import { softBlur } from '../pixels/blur.ts';
import { byteToLight, lightToByte, toLabPlanes } from '../pixels/colour.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { grabCut, SEED, type Seeds } from '../pixels/grab-cut.ts';
import { dilate, findBox, invert, keepWhere, threshold } from '../pixels/mask.ts';
import { cutPlane, readChannel, toPlane, type Plane, type Point, type Rgb } from '../pixels/plane.ts';
import { fillPolygon, scalePolygon } from '../pixels/shapes.ts';
import { quantile } from '../pixels/statistics.ts';
import type { Person } from './face-swap.ts';
import { boxAround } from './faces.ts';
import { LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_BROW, RIGHT_EYE } from './landmarks.ts';
import { fillPolygons, measureUnlikeness, paintSkin, pick } from './skin.ts';
import { fitEdges } from './soft-edges.ts';
import { spreadKnown } from './wall.ts';

const WORK_SIDE = 384; // pixels of the long side at which colours are parted
const ROUNDS = 3;

/**
 * The portrait with skin of the user's colour wherever it shows skin, and without its brows, whose ends would look out
 * from under the user's; eyes and lips stay. Nothing when the two skins are too far apart: highlights and edges would
 * glare.
 */
export async function tintSkin(portrait: Person, user: Person): Promise<Person | undefined> {
  const [from, to] = [measureTone(portrait), measureTone(user)];
  const gain = from.map((value, c) => to[c]! / value);
  if (gain[1]! > MOST_BRIGHTER) return undefined;
  const wiped = wipeBrows(portrait);
  const fitted = await findSkin(portrait);
  const skin = gain[1]! < 1 ? widen(fitted) : fitted;
  for (let i = 0; i < skin.data.length; i += 1) {
    const share = skin.data[i]!;
    if (share <= 0) continue;
    for (let c = 0; c < 3; c += 1) {
      const light = byteToLight(wiped.data[i * 3 + c]!);
      const own = Math.min(light, MOST_LIGHT * from[c]!); // in a soft edge only the skin's part of the light is tinted
      wiped.data[i * 3 + c] = lightToByte(light + share * own * (gain[c]! - 1));
    }
  }
  return { ...portrait, picture: wiped };
}

const MOST_BRIGHTER = 4.5; // times the portrait's skin; darker goes further, for it hides what it multiplies

/** Half-covered rims of brighter skin would stand out round skin that is darkened. */
function widen(plane: Plane): Plane {
  const wide = softBlur(toPlane(dilate(threshold(plane, 0.2), 1.5)), 0.8).data;
  return { ...plane, data: wide.map((value, i) => Math.max(value, plane.data[i]!)) };
}

const TAIL = 0.35; // of a brow's length: how far real brows run on beyond the mesh's last landmark
const ROUND = 0.03; // of the face's width, on all sides of a brow

/** A copy of the picture with the brows filled in from the skin about them. */
function wipeBrows({ picture, face }: Person): Rgb {
  const reach = boxAround(face.points).width;
  const brows = [LEFT_BROW, RIGHT_BROW].map((brow) => runOn(pick(face.points, brow)));
  const wide = dilate(fillPolygons(brows, picture), ROUND * reach);
  const out: Rgb = { width: picture.width, height: picture.height, data: new Uint8Array(picture.data) };
  const part = findBox(wide, 0.1 * reach);
  if (!part) return out;
  const near = cutPlane(toPlane(wide), part);
  const known = invert(threshold(near, 0));
  const soft = softBlur(near, 0.006 * reach).data;
  for (let c = 0; c < 3; c += 1) {
    const filled = spreadKnown(cutPlane(readChannel(picture, c), part), known, 2).data;
    for (let n = 0; n < filled.length; n += 1) {
      const at = ((part.top + Math.floor(n / part.width)) * out.width + part.left + (n % part.width)) * 3 + c;
      out.data[at] = Math.round(out.data[at]! + soft[n]! * (filled[n]! - out.data[at]!));
    }
  }
  return out;
}

/** The landmarks begin with the brow's outer end: the outline is drawn on from there, away from the nose. */
function runOn(brow: Point[]): Point[] {
  const [outer, inner, lower] = [brow[0]!, brow[4]!, brow.at(-1)!];
  const x = (outer.x - inner.x) * TAIL;
  const y = (outer.y - inner.y) * TAIL * 0.6;
  return [{ x: outer.x + x, y: outer.y + y }, ...brow, { x: lower.x + x, y: lower.y + y }];
}

const MOST_LIGHT = 2.2; // times the usual skin: brighter is not skin but what stands behind its edge

/** Median linear light, 0..1, of the bare inner face: red, green, blue. */
function measureTone({ picture, face }: Person): [number, number, number] {
  const inner = paintSkin(face.points, picture).data;
  const measure = (c: number) => Math.max(DARKEST, byteToLight(quantile(readChannel(picture, c).data, inner, 0.5)));
  return [measure(0), measure(1), measure(2)];
}

const DARKEST = 0.004; // of full light

/** 0..1 per pixel: face, ears, neck and chest, by their colours. */
async function findSkin({ picture, face }: Person): Promise<Plane> {
  const small = await shrinkRgb(picture, WORK_SIDE);
  const scale = small.width / picture.width;
  const points = face.points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const mask = grabCut(small, seedSkin(small, points), ROUNDS);
  const features = [LEFT_EYE, RIGHT_EYE, LIPS].map((part) => pick(points, part));
  const bare = fillPolygons(features, small).data;
  const skin = keepWhere(mask, (i) => !bare[i]);
  return fitEdges(picture, softBlur(toPlane(skin), 1));
}

function seedSkin(picture: Rgb, points: readonly Point[]): Seeds {
  const skin = paintSkin(points, picture);
  const oval = fillPolygon(scalePolygon(pick(points, OVAL), 0.9), picture).data;
  const zone = fillPolygon(outlineZone(points, picture.height), picture);
  const unlike = measureUnlikeness(toLabPlanes(picture), skin).data;
  const data = zone.data.map((isNear, i) => {
    if (skin.data[i]) return SEED.foreground;
    if (!isNear || unlike[i]! > UNLIKE) return SEED.background;
    return oval[i] || unlike[i]! < LIKE ? SEED.probablyForeground : SEED.probablyBackground;
  });
  return { ...zone, data };
}

const LIKE = 3; // deviations of the inner face's colours: skin, very likely
const UNLIKE = 9; // likewise: anything but skin

/** From the middle outwards and from the top down, in the face's width and height: temple, ear, jaw, neck, shoulder. */
const ZONE = [
  [0.4, -0.22],
  [0.66, 0],
  [0.72, 0.7],
  [0.6, 1.05],
  [0.95, 1.6],
] as const;

/** The face with its ears, and from the jaw down a wedge of neck and neckline. */
function outlineZone(points: readonly Point[], height: number): Point[] {
  const { left, top, width, height: tall } = boxAround(points);
  const middle = left + width / 2;
  const half = (side: number) => [
    ...ZONE.map(([reach, drop]) => ({ x: middle + side * reach * width, y: top + drop * tall })),
    { x: middle + side * 0.5 * width, y: height },
  ];
  return [...half(-1), ...half(1).reverse()];
}
