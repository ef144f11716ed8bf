/**
 * Whether a photo shows the face itself: hats, fringes, dark glasses and reflections hide what no headshot can make up.
 */
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Mask, Point, Rgb } from '../pixels/plane.ts';
import { fillPolygon, scalePolygon } from '../pixels/shapes.ts';
import { describePlane } from '../pixels/statistics.ts';
import { boxAround, type Face } from './faces.ts';
import { FOREHEAD, LEFT_EYE, NOSE, RIGHT_EYE } from './landmarks.ts';
import { measureUnlikeness, paintFeatures, paintSkin, pick } from './skin.ts';

const WORK_WIDTH = 160; // pixels across the face: strands and rims need no more
const LIKE_SKIN = 5; // deviations of the inner face: a forehead lies in other light
const LEAST_FOREHEAD = 0.4; // of the forehead that must be bare
const REFLECTION = { brighter: 14, paler: 0.6 }; // Lab lightness above the cheeks', and share of their chroma
const DARK_GLASS = 0.45; // of the cheeks' lightness
const MOST_GLASS = 0.3; // of the skin round the eyes

/** What hides the face, or nothing. */
export async function findHidden(picture: Rgb, face: Face): Promise<'forehead' | 'eyes' | undefined> {
  const scale = Math.min(1, WORK_WIDTH / face.box.width);
  const small = await shrinkRgb(picture, Math.round(scale * Math.max(picture.width, picture.height)));
  const points = face.points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const lab = toLabPlanes(small);
  const skin = paintSkin(points, small);
  if (measureGlass(lab, skin, points) > MOST_GLASS) return 'eyes';
  const unlike = measureUnlikeness(lab, skin).data;
  const forehead = fillPolygon(scalePolygon(pick(points, FOREHEAD), 0.9), small).data;
  const bare = forehead.filter((value, i) => value && unlike[i]! < LIKE_SKIN).length;
  return bare < LEAST_FOREHEAD * forehead.filter(Boolean).length ? 'forehead' : undefined;
}

/** Share of the skin round the eyes that is much brighter and paler, or much darker, than the cheeks. */
function measureGlass({ l, a, b }: Lab, skin: Mask, points: readonly Point[]): number {
  const { width } = skin;
  const box = boxAround(points);
  const cheeks = skin.data.map((value, i) => (value && i > points[NOSE]!.y * width ? 1 : 0));
  const [light, red, yellow] = [l, a, b].map((plane) => describePlane(plane, cheeks).mean) as [number, number, number];
  const chroma = Math.hypot(red, yellow);
  const features = paintFeatures(points, skin).data;
  let [glass, all] = [0, 0];
  for (const eye of [LEFT_EYE, RIGHT_EYE]) {
    const { left, top, width: wide, height: tall } = boxAround(pick(points, eye));
    const socket = { x: left + wide / 2, y: top + tall / 2, rx: 0.15 * box.width, ry: 0.09 * box.height };
    for (let i = 0; i < features.length; i += 1) {
      const away = Math.hypot(((i % width) - socket.x) / socket.rx, (Math.floor(i / width) - socket.y) / socket.ry);
      if (away > 1 || features[i]) continue;
      all += 1;
      const isPale = Math.hypot(a[i]!, b[i]!) < REFLECTION.paler * chroma;
      if (l[i]! < DARK_GLASS * light || (isPale && l[i]! > light + REFLECTION.brighter)) glass += 1;
    }
  }
  return glass / Math.max(1, all);
}
