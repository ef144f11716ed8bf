// The user's face on a portrait, under the portrait's hair.
import type { Picture } from '../pixels/decode.ts';
import { byteToLight, lightToByte } from '../pixels/light.ts';
import { softBlur } from '../pixels/planes.ts';
import { distanceInside } from '../matting/regions.ts';
import { mapBytes } from '../pixels/map.ts';
import { alignFaces, type PlaceMap } from './align.ts';
import { boxAround, type Face, type Point } from './faces.ts';
import { wipeBrows } from './brows.ts';
import { LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { matchLight, type LogLight } from './relight.ts';
import { fillPolygon, scalePolygon, smoothStep } from './shapes.ts';
import { findBareFace, paintFeatures, paintInnerFace, pick } from './skin.ts';
import { spreadKnown } from './wall.ts';
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
  /** What is added to the user's light to make it the portrait's; planes of the window's size. */
  lift: LogLight;
}

const MARGIN = 0.35; // of the face's longer side, on every side of its box: enough to tell hair and wall from skin
const FEATHER = 0.08; // of the face's width
const MAX_STEP = 0.4; // of log light: the membrane mends seams, it does not paint hair on foreheads

/**
 * Places the user's face in the portrait's window: outline on outline, in the portrait's light and skin tone, with a soft seam.
 * @param keepsHair the portrait's hair stays, and with it the shadow that it throws on the forehead
 */
export async function swapFace(portrait: Person, user: Person, keepsHair = true): Promise<SwappedFace> {
  const { window, points, userWindow, userPoints, places } = await alignWindows(portrait, user, MARGIN);
  const { width, height } = window.picture;
  const userBare = readAt(await findUnshadedFace(userWindow, userPoints), userWindow.picture, places);
  const portraitBare = await findBareFace(window.picture, points);
  const size = { width, height, faceWidth: portrait.face.box.width };
  const portraitLight = readLight(window.picture);
  const userLight = [0, 1, 2].map((c) =>
    readAt(userWindow.picture.rgb, userWindow.picture, places, 3, c).map(logOfByte),
  ) as LogLight;
  const lamps = keepsHair ? portraitBare : leaveOutShade(window.picture, portraitBare, points);
  const skin = markSkin(points, { portraitBare: lamps, userBare }, width, height);
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
    lift,
  };
}

export interface AlignedWindows {
  window: Window;
  /** 468 landmarks in pixels of the window. */
  points: Point[];
  /** The user's picture about the face, at the portrait's scale. */
  userWindow: Window;
  userPoints: Point[];
  /** Where the window's pixels come from in the user's window. */
  places: PlaceMap;
}

/** @param margin share of the face's longer side that the windows reach beyond the faces */
export async function alignWindows(portrait: Person, user: Person, margin: number): Promise<AlignedWindows> {
  const window = await cutWindow(portrait.picture, growBox(portrait.face.box, margin));
  const scale = portrait.face.box.width / user.face.box.width;
  const userWindow = await cutWindow(user.picture, growBox(user.face.box, margin), scale);
  const points = portrait.face.points.map(window.place);
  const userPoints = user.face.points.map(userWindow.place);
  const places = alignFaces(points, portrait.face.depths, userPoints, window.picture.width, window.picture.height);
  return { window, points, userWindow, userPoints, places };
}

async function findUnshadedFace({ picture }: Window, points: Point[]): Promise<Float32Array> {
  return leaveOutShade(picture, await findBareFace(picture, points), points);
}

/** The face but for the strip along the hair, where strands throw shadows that other hair would not. */
function leaveOutShade({ width, height }: Picture, bare: Float32Array, points: Point[]): Float32Array {
  const inner = softBlur(
    new Float32Array(paintInnerFace(points, width, height)),
    width,
    height,
    0.012 * boxAround(points).width,
  );
  const sure = softBlur(bare, width, height, 0.045 * boxAround(points).width);
  return bare.map((value, i) => value * Math.max(inner[i]!, smoothStep(0.75, 0.99, sure[i]!)));
}

export const DARKEST = 0.002; // of full light: keeps the logarithm of black finite

const STEPS = 64; // to a byte: places between pixels have values between bytes
const LOG_LIGHT = Float32Array.from({ length: 255 * STEPS + 1 }, (_, n) => {
  const low = Math.floor(n / STEPS);
  const light = byteToLight(low) + (n / STEPS - low) * (byteToLight(Math.min(255, low + 1)) - byteToLight(low));
  return Math.log(light + DARKEST);
});

/** @param byte 0..255, also between bytes */
export function logOfByte(byte: number): number {
  return LOG_LIGHT[Math.round(byte * STEPS)]!;
}

function readLight({ rgb, width, height }: Picture): LogLight {
  const light = [0, 1, 2].map(() => new Float32Array(width * height)) as LogLight;
  for (let i = 0; i < rgb.length; i += 1) light[i % 3]![Math.floor(i / 3)] = logOfByte(rgb[i]!);
  return light;
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
    const soft = softBlur(new Float32Array(inside), width, height, 0.004 * faceWidth);
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
  const rim = mapBytes(cover, (value, i) => (value > 0.02 && value < 0.4 && skin.portrait[i]! > 0 ? 1 : 0));
  if (!rim.includes(1)) return;
  for (const [c, plane] of lit.entries()) {
    const step = plane.map((value, i) => Math.min(MAX_STEP, Math.max(-MAX_STEP, portrait[c]![i]! - value)));
    const even = spreadKnown(step, rim, width, height, 2);
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
  const rgb = new Uint8Array(portrait.rgb);
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
