// The user's face on a portrait, under the portrait's hair.
import type { Picture } from '../pixels/decode.ts';
import { byteToLight, lightToByte } from '../pixels/light.ts';
import { softBlur } from '../pixels/planes.ts';
import { distanceInside } from '../matting/regions.ts';
import { alignFaces, type PlaceMap } from './align.ts';
import { boxAround, type Face, type Point } from './faces.ts';
import { wipeBrows } from './brows.ts';
import { fillGaps } from './fill-gaps.ts';
import { LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { matchLight, type LogLight } from './relight.ts';
import { fillPolygon, scalePolygon, smoothStep } from './shapes.ts';
import { findBareFace, paintFeatures, paintInnerFace, pick } from './skin.ts';
import { cutWindow, growBox, readAt, type Window } from './windows.ts';

export interface Person {
  picture: Picture;
  face: Face;
}

/** A piece of the portrait with the new face in it; outside `cover` and `wiped` its bytes are the portrait's. */
export interface SwappedFace {
  window: Window;
  rgb: Uint8Array;
  /** 0..1, how much of each pixel of the window is the user's. */
  cover: Float32Array;
  /** 0..1, where the portrait's brows were wiped away. */
  wiped: Float32Array;
  /** Where the portrait's pixels come from in the user's window, for whoever adds more of the user. */
  aligned: AlignedUser;
}

export interface AlignedUser {
  /** The user's picture about the face, at the portrait's scale. */
  window: Window;
  places: PlaceMap;
  /** 468 landmarks of the user in pixels of the user's window. */
  points: Point[];
  /** What is added to the user's light to make it the portrait's. */
  lift: LogLight;
}

const MARGIN = 0.5; // of the face's longer side, on every side of its box
const USER_MARGIN = 0.35; // more than of the portrait: a tilted head needs corners
const FEATHER = 0.08; // of the face's width
const MAX_STEP = 0.4; // of log light: the membrane mends seams, it does not paint hair on foreheads

/**
 * Places the user's face in the portrait's window: outline on outline, in the portrait's light and skin tone, with a soft seam.
 * @param margin share of the face's longer side that the window reaches beyond the face
 */
export async function swapFace(portrait: Person, user: Person, margin = MARGIN): Promise<SwappedFace> {
  const window = await cutWindow(portrait.picture, growBox(portrait.face.box, margin));
  const scale = portrait.face.box.width / user.face.box.width;
  const userWindow = await cutWindow(user.picture, growBox(user.face.box, USER_MARGIN + margin), scale);
  const points = portrait.face.points.map(window.place);
  const userPoints = user.face.points.map(userWindow.place);
  const { width, height } = window.picture;
  const places = alignFaces(points, userPoints, width, height);
  const userBare = readAt(await findUnshadedFace(userWindow, userPoints), userWindow.picture, places);
  const portraitBare = await findBareFace(window.picture, points);
  const size = { width, height, faceWidth: portrait.face.box.width };
  const portraitLight = toLogLight([0, 1, 2].map((c) => readChannel(window.picture, c)));
  const userLight = toLogLight([0, 1, 2].map((c) => readAt(userWindow.picture.rgb, userWindow.picture, places, 3, c)));
  const skin = markSkin(points, { portraitBare, userBare }, width, height);
  const lift = matchLight(userLight, portraitLight, skin.user, skin.portrait, size);
  keepEyesBright(lift, userLight, portraitLight, points, size);
  const lit = userLight.map((plane, c) => plane.map((value, i) => value + lift[c]![i]!)) as LogLight;
  const cover = measureCover(points, portraitBare, userBare, size);
  const wiped = wipeBrows(portraitLight, portraitBare, points, size);
  closeSeam(lit, portraitLight, cover, skin, size);
  return {
    window,
    rgb: blend(window.picture, portraitLight, lit, cover, wiped),
    cover,
    wiped,
    aligned: { window: userWindow, places, points: userPoints, lift },
  };
}

/** The user's face but for the strip along the hair, where strands throw shadows that the portrait's hair would not. */
async function findUnshadedFace({ picture }: Window, points: Point[]): Promise<Float32Array> {
  const { width, height } = picture;
  const bare = await findBareFace(picture, points);
  const inner = softBlur(
    Float32Array.from(paintInnerFace(points, width, height)),
    width,
    height,
    0.012 * boxAround(points).width,
  );
  const sure = softBlur(bare, width, height, 0.045 * boxAround(points).width);
  return bare.map((value, i) => value * Math.max(inner[i]!, smoothStep(0.75, 0.99, sure[i]!)));
}

export const DARKEST = 0.002; // of full light: keeps the logarithm of black finite

export function toLogLight(channels: Float32Array[]): LogLight {
  return channels.map((plane) =>
    plane.map((value) => {
      const low = Math.floor(value);
      const light = byteToLight(low) + (value - low) * (byteToLight(Math.min(255, low + 1)) - byteToLight(low));
      return Math.log(light + DARKEST);
    }),
  ) as LogLight;
}

export function readChannel({ rgb, width, height }: Picture, channel: number): Float32Array {
  const out = new Float32Array(width * height);
  for (let i = 0; i < out.length; i += 1) out[i] = rgb[i * 3 + channel]!;
  return out;
}

interface Skin {
  user: Float32Array;
  portrait: Float32Array;
}

/** Bare skin inside a slightly widened outline, without the features of either face. */
function markSkin(
  points: Point[],
  bare: { portraitBare: Float32Array; userBare: Float32Array },
  width: number,
  height: number,
): Skin {
  const near = fillPolygon(scalePolygon(pick(points, OVAL), 1.04), width, height);
  const features = paintFeatures(points, width, height);
  const isSkin = (i: number) => near[i] === 1 && features[i] === 0;
  return {
    user: bare.userBare.map((value, i) => (isSkin(i) && value > 0.9 ? 1 : 0)),
    portrait: bare.portraitBare.map((value, i) => (isSkin(i) && value > 0.9 ? 1 : 0)),
  };
}

/** The whites of eyes are lit by the portrait's lamps but do not take on its skin: they are matched with its own whites. */
function keepEyesBright(
  lift: LogLight,
  user: LogLight,
  portrait: LogLight,
  points: Point[],
  { width, height, faceWidth }: { width: number; height: number; faceWidth: number },
): void {
  for (const eye of [LEFT_EYE, RIGHT_EYE]) {
    const inside = fillPolygon(pick(points, eye), width, height);
    const white = (light: LogLight) => findBrightest(light[1], inside);
    const step = white(portrait) - white(user);
    const soft = softBlur(Float32Array.from(inside), width, height, 0.004 * faceWidth);
    for (const plane of lift) for (let i = 0; i < plane.length; i += 1) plane[i]! += soft[i]! * (step - plane[i]!);
  }
}

function findBrightest(plane: Float32Array, mask: Uint8Array): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[Math.floor(values.length * 0.85)] ?? 0;
}

function measureCover(
  points: Point[],
  portraitBare: Float32Array,
  userBare: Float32Array,
  { width, height, faceWidth }: { width: number; height: number; faceWidth: number },
): Float32Array {
  const depth = distanceInside(fillPolygon(pick(points, OVAL), width, height), width, height);
  const both = portraitBare.map((value, i) => Math.min(value, userBare[i]!));
  const soft = softBlur(both, width, height, 0.006 * faceWidth);
  return depth.map((value, i) => smoothStep(0, FEATHER * faceWidth, value) * Math.min(soft[i]!, both[i]! * 1.5));
}

/** Spreads what is left of the difference along the seam over the face, as a membrane would (Pérez et al. 2003). */
function closeSeam(
  lit: LogLight,
  portrait: LogLight,
  cover: Float32Array,
  skin: Skin,
  { width, height }: { width: number; height: number },
): void {
  const rim = cover.map((value, i) => (value > 0.02 && value < 0.4 && skin.portrait[i]! > 0 ? 1 : 0));
  if (!rim.some((value) => value > 0)) return;
  for (const [c, plane] of lit.entries()) {
    const step = plane.map((value, i) => Math.min(MAX_STEP, Math.max(-MAX_STEP, portrait[c]![i]! - value)));
    const smooth = fillGaps(step, rim, width, height);
    const even = softBlur(smooth, width, height, 4);
    for (let i = 0; i < plane.length; i += 1) plane[i]! += 0.9 * even[i]!;
  }
}

function blend(
  portrait: Picture,
  wipedLight: LogLight,
  lit: LogLight,
  cover: Float32Array,
  wiped: Float32Array,
): Uint8Array {
  const rgb = Uint8Array.from(portrait.rgb);
  for (let i = 0; i < cover.length; i += 1) {
    const share = cover[i]!;
    if (share <= 0 && wiped[i]! <= 0) continue;
    for (let c = 0; c < 3; c += 1) {
      const own = Math.exp(wipedLight[c]![i]!) - DARKEST;
      const light = Math.exp(lit[c]![i]!) - DARKEST;
      rgb[i * 3 + c] = lightToByte(own + share * (light - own));
    }
  }
  return rgb;
}
