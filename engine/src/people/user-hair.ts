/** The user's whole head, hair and ears included, on the portrait's neck and shoulders. */
import { softBlur } from '../pixels/blur.ts';
import { byteToLight, lightToByte } from '../pixels/colour.ts';
import { dilate, invert, threshold } from '../pixels/mask.ts';
import { makePlane, readChannel, toPlane, type Plane, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { readPoint, readSmall } from '../pixels/sample.ts';
import { smoothStep } from '../pixels/shapes.ts';
import { quantile } from '../pixels/statistics.ts';
import type { PlaceMap } from './align.ts';
import { alignCrops, DARKEST, logOfByte, swapFace, type Donated, type Person, type SwappedFace } from './face-swap.ts';
import { boxAround } from './faces.ts';
import { cleanColours, findBust, hasLongHair, readHead, type Head } from './head.ts';
import { CHIN, LIPS } from './landmarks.ts';
import { pick } from './skin.ts';
import { halvePicture } from './soft-edges.ts';
import { measureUnlikeWall, spreadKnown } from './wall.ts';
import { pasteCrop, type Crop } from './crops.ts';

const MARGIN = 1.05; // of the face's longer side: room for the hair of both
const PLAIN_WALL = 7; // Lab units within which nine tenths of the portrait's wall stay

/** Why the user's own hair could not be used; the portrait's serves then. */
export type Obstacle =
  | 'the portrait has long hair'
  | 'the portrait has no plain background'
  | 'the photo cuts the hair off'
  | 'the head was not found';

/** A piece of the portrait with the user's head in it. */
export type SwappedHead = Donated & {
  rgb: Uint8Array;
};

/** The swapped face with the user's own head round it, or what stands in the way. */
export async function swapHead(portrait: Person, user: Person): Promise<SwappedHead | Obstacle> {
  const { crop, points, userCrop, userPoints, places } = await alignCrops(portrait, user, MARGIN);
  const figure = await findBust(crop.picture, points);
  const wall = await findWall(crop.picture, figure);
  if (!wall) return 'the portrait has no plain background';
  if (hasLongHair(figure, points)) return 'the portrait has long hair';
  if (isCramped(user)) return 'the photo cuts the hair off';
  const head = await readHead(userCrop.picture, userPoints);
  if (userCrop.box.top === 0 && isAtTop(head.figure, userPoints)) {
    return 'the photo cuts the hair off';
  }
  if (!head.head.data.some((value) => value > 0.5)) return 'the head was not found';
  const colours = await cleanColours(userCrop.picture, head.figure);
  const bust = { crop, points, figure: evenOut(figure, points), wall };
  const swapped = await swapFace(portrait, user, false);
  const donor = { ...head, crop: userCrop, places, colours: { ...userCrop.picture, data: colours } };
  return { crop, userCrop, places, ...compose(bust, donor, swapped) };
}

const ROOM_ABOVE = 0.45; // of the face's height, from its landmarks up: skull and hair need so much
const ROOM_BESIDE = 0.12; // of the face's width: ears and hair

function isCramped({ picture, face: { box } }: Person): boolean {
  const beside = Math.min(box.left, picture.width - box.left - box.width);
  return box.top < ROOM_ABOVE * box.height || beside < ROOM_BESIDE * box.width;
}

/** The head reaches the photo's upper edge. */
function isAtTop({ data, width }: Plane, points: Point[]): boolean {
  const first = data.subarray(2 * width, 3 * width); // the outermost rows are the filter's border
  return first.filter((value) => value > 0.5).length > ROOM_BESIDE * boxAround(points).width;
}

/** The background alone. */
type Wall = {
  /** Red, green and blue, 0..255. */
  planes: Plane[];
  /** 0..1, where the wall is made up; elsewhere the portrait's own shows. */
  made: Plane;
};

/** The person filled in with the wall; nothing when it is not plain enough to be made up. */
async function findWall(picture: Rgb, figure: Plane): Promise<Wall | undefined> {
  const half = await halvePicture(picture);
  const cover = resizePlane(figure, half);
  const hidden = dilate(threshold(cover, 0.01), 0.014 * half.width);
  const away = invert(hidden);
  if (!away.data.includes(1)) return undefined;
  if (quantile(measureUnlikeWall(half, away).data, away.data, 0.9) > PLAIN_WALL) return undefined;
  const planes = [0, 1, 2].map((c) => spreadKnown(readChannel(half, c), away, 2));
  return { planes, made: softBlur(toPlane(hidden), 1) };
}

/** A white collar before a white wall may be missed on one side: below the chin what is nearest is as wide on both. */
function evenOut(figure: Plane, points: Point[]): Plane {
  const { width } = figure;
  const chin = points[CHIN]!;
  const reach = 0.75 * boxAround(points).width;
  const data = figure.data.map((value, i) => {
    const away = (i % width) - chin.x;
    if (i < chin.y * width || Math.abs(away) > reach) return value;
    const mirrored = Math.floor(i / width) * width + Math.round(chin.x - away);
    return Math.max(value, figure.data[mirrored] ?? 0);
  });
  return { ...figure, data };
}

type Bust = {
  crop: Crop;
  points: Point[];
  /** 0..1, what stands before the wall. */
  figure: Plane;
  wall: Wall;
};

/** The user's head with where each of the portrait's pixels finds it. */
type Donor = Head & {
  crop: Crop;
  places: PlaceMap;
  /** 0..255, interleaved; of the crop's size. */
  colours: Size & { data: Float32Array };
};

// of the face's height: below the ears the portrait's jaw and neck stay, or wall would show between
const JAW_RISE = 0.06;

/**
 * From above the mouth upwards everything is the user's before the wall; hanging hair falls behind the portrait's
 * shoulders.
 */
function compose(bust: Bust, donor: Donor, swapped: SwappedFace): { rgb: Uint8Array; cover: Plane } {
  const { width, height, data } = bust.crop.picture;
  const taken = makePlane(bust.crop.picture);
  const { out, coverAt, liftAt } = placeFace(bust.crop, swapped);
  const mouth = boxAround(pick(bust.points, LIPS)).top;
  const chin = bust.points[CHIN]!.y;
  const rise = JAW_RISE * boxAround(bust.points).height;
  for (let y = 0; y < height; y += 1) {
    const above = 1 - smoothStep(mouth - rise, chin - 2 * rise, y);
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      const [px, py] = [donor.places.x[i]!, donor.places.y[i]!];
      const cover = readCover(donor, px, py);
      const made = readSmall(bust.wall.made, bust.crop.picture, x, y);
      const behind = readBehind(donor, px, py) * (1 - bust.figure.data[i]!);
      taken.data[i] = Math.max(above * cover, coverAt(x, y), behind);
      if (behind <= 0 && (above <= 0 || (cover <= 0 && made <= 0))) continue;
      const skin = readSmall(donor.skin, donor.crop.picture, px, py);
      const hair = readSmall(donor.hair, donor.crop.picture, px, py);
      for (let c = 0; c < 3; c += 1) {
        const now = byteToLight(out[i * 3 + c]!);
        const lift = skin * liftAt(x, y, c); // hair has no skin tone to match
        const colour = readPoint(donor.colours, px, py, 3, c);
        const own = Math.max(0, Math.exp(logOfByte(colour) + lift) - DARKEST);
        const filled = byteToLight(Math.round(readSmall(bust.wall.planes[c]!, bust.crop.picture, x, y)));
        const wall = byteToLight(data[i * 3 + c]!) * (1 - made) + filled * made;
        const shown = wall + cover * (own - wall);
        const upper = shown + coverAt(x, y) * (now - shown);
        const strand = readSmall(donor.hairColours[c]!, donor.crop.picture, px, py);
        const dark = byteToLight(Math.round(strand));
        const strands = dark + hair * (own - dark);
        const mixed = now + behind * (strands - wall); // the edge of what stands before the hair has wall in it
        const lower = Math.max(mixed, Math.min(now, strands));
        out[i * 3 + c] = lightToByte(lower + above * (upper - lower));
      }
    }
  }
  return { rgb: out, cover: taken };
}

/** How much of the user's hair would be seen behind the portrait's jaw and shoulders. */
function readBehind({ crop: { picture }, figure, behind }: Donor, x: number, y: number): number {
  return readPoint(figure, x, y) * readSmall(behind, picture, x, y);
}

function readCover({ crop: { picture }, figure, head }: Donor, x: number, y: number): number {
  if (x < -0.5 || y < -0.5 || x > picture.width - 0.5 || y > picture.height - 0.5) return 0;
  const whole = readPoint(figure, x, y);
  return whole <= 0 ? 0 : Math.min(whole, 1.2 * readSmall(head, picture, x, y));
}

/** The larger crop with the swapped face in it; the light found for it runs on beyond its own crop. */
function placeFace({ picture, box }: Crop, { crop: inner, rgb, cover, lift }: SwappedFace) {
  const { width, height } = inner.picture;
  const [left, top] = [inner.box.left - box.left, inner.box.top - box.top];
  const within = (value: number, most: number) => Math.min(most - 1, Math.max(0, value));
  const isInside = (x: number, y: number) => x >= left && y >= top && x < left + width && y < top + height;
  return {
    out: pasteCrop(picture, { ...inner, box: { left, top, width, height } }, rgb).data,
    coverAt: (x: number, y: number) => (isInside(x, y) ? cover.data[(y - top) * width + x - left]! : 0),
    liftAt: (x: number, y: number, c: number) =>
      lift[c as 0 | 1 | 2][within(y - top, height) * width + within(x - left, width)]!,
  };
}
