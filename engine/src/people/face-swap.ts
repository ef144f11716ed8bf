/** The user's face on a portrait, under the portrait's hair. */
import { softBlur } from '../pixels/blur.ts';
import { byteToLight, lightToByte } from '../pixels/colour.ts';
import { distanceInside, keepWhere } from '../pixels/mask.ts';
import { growBox, readChannel, toPlane, type Mask, type Plane, type Point, type Rgb } from '../pixels/plane.ts';
import { readPlaces } from '../pixels/sample.ts';
import { fillPolygon, scalePolygon, smoothStep } from '../pixels/shapes.ts';
import { quantile } from '../pixels/statistics.ts';
import { alignFaces, type PlaceMap } from './align.ts';
import { boxAround, type Face } from './faces.ts';
import { LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { matchLight, type LogLight } from './relight.ts';
import { findBareFace, paintFeatures, paintInnerFace, pick } from './skin.ts';
import { spreadKnown } from './wall.ts';
import { cutCrop, type Crop } from './crops.ts';

export type Person = {
  picture: Rgb;
  face: Face;
};

/** What of the user's picture went into a crop of the portrait. */
export type Donated = {
  crop: Crop;
  /** 0..1, how much of each pixel of the crop is the user's. */
  cover: Plane;
  /** The user's picture at the portrait's scale, and where the crop's pixels come from in it. */
  userCrop: Crop;
  places: PlaceMap;
};

/** A piece of the portrait with the new face in it; outside `cover` its bytes are the portrait's. */
export type SwappedFace = Donated & {
  rgb: Uint8Array;
  /** What is added to the user's light to make it the portrait's; planes of the crop's size. */
  lift: LogLight;
};

const MARGIN = 0.35; // of the face's longer side, on every side of its box: enough to tell hair and wall from skin
const FEATHER = 0.08; // of the face's width
const MAX_STEP = 0.4; // of log light: the membrane mends seams, it does not paint hair on foreheads

/**
 * Places the user's face in the portrait's crop: outline on outline, in the portrait's light and skin tone, with a
 * soft seam.
 * @param keepsHair the portrait's hair stays, and with it the shadow that it throws on the forehead
 */
export async function swapFace(portrait: Person, user: Person, keepsHair = true): Promise<SwappedFace> {
  const { crop, points, userCrop, userPoints, places } = await alignCrops(portrait, user, MARGIN);
  const { width, height } = crop.picture;
  const userFace = leaveOutShade(await findBareFace(userCrop.picture, userPoints), userPoints);
  const userBare = { width, height, data: readPlaces(userFace, places) };
  const portraitBare = await findBareFace(crop.picture, points);
  const faceWidth = portrait.face.box.width;
  const portraitLight = [0, 1, 2].map((c) => readChannel(crop.picture, c).data.map(logOfByte)) as LogLight;
  const userLight = [0, 1, 2].map((c) => readPlaces(userCrop.picture, places, 3, c).map(logOfByte)) as LogLight;
  const lamps = keepsHair ? portraitBare : leaveOutShade(portraitBare, points);
  const zone = outlineSkin(points, crop.picture);
  const userSkin = keepWhere(zone, (i) => userBare.data[i]! > 0.9);
  const portraitSkin = keepWhere(zone, (i) => lamps.data[i]! > 0.9);
  const lift = matchLight(userLight, portraitLight, userSkin, portraitSkin, faceWidth);
  keepEyesBright(lift, userLight, portraitLight, points, crop.picture, faceWidth);
  const lit = userLight.map((plane, c) => plane.map((value, i) => value + lift[c]![i]!)) as LogLight;
  const cover = measureCover(points, portraitBare, userBare, faceWidth);
  closeSeam(lit, portraitLight, cover, portraitSkin);
  return {
    crop,
    userCrop,
    places,
    rgb: blend(crop.picture, portraitLight, lit, cover),
    cover,
    lift,
  };
}

/**
 * What is cut of both pictures, with the 468 landmarks in pixels of each crop.
 * @param margin share of the face's longer side that the crops reach beyond the faces
 */
export async function alignCrops(portrait: Person, user: Person, margin: number) {
  const crop = await cutCrop(portrait.picture, growBox(portrait.face.box, margin));
  const scale = portrait.face.box.width / user.face.box.width;
  const userCrop = await cutCrop(user.picture, growBox(user.face.box, margin), scale);
  const points = portrait.face.points.map(crop.place);
  const userPoints = user.face.points.map(userCrop.place);
  const places = alignFaces(points, portrait.face.depths, userPoints, crop.picture);
  return { crop, points, userCrop, userPoints, places };
}

/** The face but for the strip along the hair, where strands throw shadows that other hair would not. */
function leaveOutShade(bare: Plane, points: Point[]): Plane {
  const inner = softBlur(toPlane(paintInnerFace(points, bare)), 0.012 * boxAround(points).width).data;
  const sure = softBlur(bare, 0.045 * boxAround(points).width).data;
  return { ...bare, data: bare.data.map((value, i) => value * Math.max(inner[i]!, smoothStep(0.75, 0.99, sure[i]!))) };
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

/** 1 inside a slightly widened outline, but for the features: where either face may show bare skin. */
function outlineSkin(points: Point[], picture: Rgb): Mask {
  const near = fillPolygon(scalePolygon(pick(points, OVAL), 1.04), picture);
  const features = paintFeatures(points, picture).data;
  return keepWhere(near, (i) => !features[i]);
}

const WHITES = 0.85; // of an eye's pixels are darker

/**
 * The whites of eyes are lit by the portrait's lamps but do not take on its skin: they are matched with its own whites.
 */
function keepEyesBright(
  lift: LogLight,
  user: LogLight,
  portrait: LogLight,
  points: Point[],
  picture: Rgb,
  faceWidth: number,
): void {
  for (const eye of [LEFT_EYE, RIGHT_EYE]) {
    const inside = fillPolygon(pick(points, eye), picture);
    const step = quantile(portrait[1], inside.data, WHITES) - quantile(user[1], inside.data, WHITES);
    const soft = softBlur(toPlane(inside), 0.004 * faceWidth).data;
    for (const plane of lift) for (let i = 0; i < plane.length; i += 1) plane[i]! += soft[i]! * (step - plane[i]!);
  }
}

function measureCover(points: Point[], portraitBare: Plane, userBare: Plane, faceWidth: number): Plane {
  const depth = distanceInside(fillPolygon(pick(points, OVAL), portraitBare));
  const both = portraitBare.data.map((value, i) => Math.min(value, userBare.data[i]!));
  const soft = softBlur({ ...portraitBare, data: both }, 0.006 * faceWidth).data;
  const data = depth.data.map(
    (value, i) => smoothStep(0, FEATHER * faceWidth, value) * Math.min(soft[i]!, both[i]! * 1.5),
  );
  return { ...depth, data };
}

/** Spreads what is left of the difference along the seam over the face, as a membrane would (Pérez et al. 2003). */
function closeSeam(lit: LogLight, portrait: LogLight, cover: Plane, skin: Mask): void {
  const rim = keepWhere(skin, (i) => cover.data[i]! > 0.02 && cover.data[i]! < 0.4);
  if (!rim.data.includes(1)) return;
  for (const [c, plane] of lit.entries()) {
    const step = plane.map((value, i) => Math.min(MAX_STEP, Math.max(-MAX_STEP, portrait[c]![i]! - value)));
    const even = spreadKnown({ ...cover, data: step }, rim, 2).data;
    for (let i = 0; i < plane.length; i += 1) plane[i]! += 0.9 * even[i]!;
  }
}

function blend(portrait: Rgb, light: LogLight, lit: LogLight, cover: Plane): Uint8Array {
  const rgb = new Uint8Array(portrait.data);
  for (let i = 0; i < cover.data.length; i += 1) {
    const share = cover.data[i]!;
    if (share <= 0) continue;
    for (let c = 0; c < 3; c += 1) {
      const own = Math.exp(light[c]![i]!) - DARKEST;
      const theirs = Math.exp(lit[c]![i]!) - DARKEST;
      rgb[i * 3 + c] = lightToByte(own + share * (theirs - own));
    }
  }
  return rgb;
}
