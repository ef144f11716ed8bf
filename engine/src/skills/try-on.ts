import { fitGarment, type Misfit } from '../dress/fit.ts';
import { readGarment, type Garment } from '../dress/garment.ts';
import { isForLegs, isWearable, liesUpsideDown, measureCloth } from '../dress/recognise.ts';
import { measureLight, paintGarment } from '../dress/wear.ts';
import { readWearer, type Wearer } from '../dress/wearer.ts';
import { enforceMarks } from '../cutout/enforce.ts';
import { WORK_SIDE } from '../cutout/find-product.ts';
import { separateLayers } from '../cutout/foreground.ts';
import { growAlpha, paintProduct } from '../cutout/full-size.ts';
import type { Marks } from '../cutout/marks.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import { findJoints } from '../people/bodies.ts';
import { findFaces } from '../people/faces.ts';
import { isBehindKnees, isTurnedAway, readPose } from '../people/figure.ts';
import { readWorn } from '../people/worn.ts';
import { isBlank, layOnWhite, readPicture, shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import { toAlpha, type Plane, type Point, type Rgb } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import type { Run } from './skills.ts';

const PERSON_SIDE = 900; // pixels: edges are refined at this size, colours come from the full picture

/** Puts the garment of one picture on the person of the other; a PNG of the person's size. */
export const run: Run = async ({ input, pictures, folder, matting, report }) => {
  await report(5);
  const picture = layOnWhite(await readPicture(pictures['model_image'] ?? ''));
  const wearer = await readPerson(picture);
  await report(35);
  const found = await readGarmentPhoto(pictures['garment_image'] ?? '', input.garment_marks, matting);
  const { garment } = found;
  await report(60);
  const fit = fitGarment(wearer, garment);
  if (typeof fit === 'string') throw new Refusal(MISFITS[fit]);
  await report(75);
  const shown = (wearer.chest / garment.chest) * (picture.width / wearer.picture.width); // pixels per garment pixel
  const flat = await readCloth(found, shown);
  const scale = flat.width / garment.picture.width;
  const readFlatPlace = (place: Point) => {
    const { x, y } = garment.toOriginal(place);
    return { x: (x + 0.5) * scale - 0.5, y: (y + 0.5) * scale - 0.5 };
  };
  const data = paintGarment(picture, wearer, flat, readFlatPlace, fit, measureLight(wearer));
  await report(92);
  return { file: await savePng(folder, 'try-on.png', { ...picture, data }) };
};

const RIVAL_SHARE = 0.5; // of the largest face's width: smaller faces are passers-by

async function readPerson(picture: Rgb): Promise<Wearer> {
  const small = await shrinkRgb(picture, PERSON_SIDE);
  const [face, ...others] = await findFaces(small);
  if (face && others.some(({ box }) => box.width > RIVAL_SHARE * face.box.width)) {
    throw new Refusal('Several people were found. Use a photo of one person.');
  }
  const pose = readPose(face, await findJoints(small));
  if (!pose) throw new Refusal(face ? NO_SHOULDERS : NO_PERSON);
  if (isTurnedAway(pose)) throw new Refusal('The person is seen from the side. Use a photo from the front.');
  const { leftShoulder, rightShoulder } = pose.joints;
  if ((leftShoulder.y + rightShoulder.y) / 2 >= small.height) throw new Refusal(NO_SHOULDERS);
  if (isBehindKnees(pose)) throw new Refusal(NO_CLOTHES);
  const wearer = readWearer(small, pose, await readWorn(small));
  if (!wearer) throw new Refusal(face ? NO_CLOTHES : NO_PERSON);
  return wearer;
}

const NO_PERSON = 'No person was found. Use a photo of one person, from the head to the hips or further down.';
const NO_SHOULDERS =
  'Too little of the body is in the photo. Use a photo that shows the shoulders and what is worn on them.';
const NO_CLOTHES =
  'The clothes on the upper body could not be seen. Use a photo from the front, nothing held before it.';

const LAY_IT_FLAT = 'Use a photo of one garment, laid flat or hung on a plain background, seen whole.';
const NOT_FOUND = `The garment was not found. ${LAY_IT_FLAT}`;

type FlatGarment = {
  garment: Garment;
  photo: Decoded;
  /** The copy in which the garment was found, and its alpha. */
  small: Rgb;
  alpha: Plane;
};

async function readGarmentPhoto(path: string, marks: Marks | undefined, matting: Matting): Promise<FlatGarment> {
  const photo = await readPicture(path);
  const small = await shrinkRgb(photo, WORK_SIDE); // as when the product was asked about: it is not detected again
  const [face] = await findFaces(small);
  if (face) throw new Refusal(`This photo shows a person. ${LAY_IT_FLAT}`);
  const alpha = await findGarment(small, marks, matting);
  const garment = readGarment(small, alpha);
  if (!garment) throw new Refusal(NOT_FOUND);
  const cloth = await measureCloth(small, alpha);
  if (isForLegs(garment, cloth)) {
    throw new Refusal('Trousers and skirts cannot be put on yet. Use a top, a jacket or a dress.');
  }
  if (liesUpsideDown(garment) && [garment, readTurned(small, alpha)].some((it) => it && isWearable(it, cloth))) {
    throw new Refusal('The garment lies upside down. Turn the photo so that the neckline is at the top.');
  }
  if (!isWearable(garment, cloth)) {
    throw new Refusal(`No top, jacket or dress was found. ${LAY_IT_FLAT}`);
  }
  return { garment, photo, small, alpha };
}

/** The garment in the photo turned by 180 degrees. Red and blue change places, on which no outline depends. */
function readTurned(picture: Rgb, alpha: Plane): Garment | undefined {
  return readGarment({ ...picture, data: picture.data.toReversed() }, { ...alpha, data: alpha.data.toReversed() });
}

/** The garment's colours without those of its background, no finer than shown: a finer weave would become a moiré. */
async function readCloth({ photo, small, alpha }: FlatGarment, shown: number): Promise<Rgb> {
  const smallSide = Math.max(small.width, small.height);
  const side = Math.ceil(shown * smallSide);
  const { width, height, data, alpha: own } = await shrinkRgb(photo, Math.max(side, smallSide));
  const picture = { width, height, data };
  const { front } = separateLayers(small, alpha);
  const full = growAlpha(picture, alpha, small);
  const colours = paintProduct(picture, full, front, small, { hasBackground: own === undefined });
  return shrinkRgb({ ...picture, data: colours }, side);
}

/** 0..1 per pixel of the small copy: the sender's own cut-out, where there is one, as the marks want it. */
async function findGarment(small: Decoded, marks: Marks | undefined, matting: Matting): Promise<Plane> {
  const own = small.alpha && toAlpha(small, small.alpha);
  if (own) return marks ? enforceMarks(small, own, marks) : own;
  if (!marks && isBlank(small)) throw new Refusal(NOT_FOUND);
  try {
    return await matting.find(small, async () => {}, marks);
  } catch (error) {
    if (!(error instanceof UnclearProduct)) throw error;
    throw new Refusal(NOT_FOUND, { cause: error, candidate: error.candidate });
  }
}

const MISFITS: Record<Misfit, string> = {
  sleeves: 'This garment has shorter sleeves than the clothes in the photo. Choose one with sleeves at least as long.',
  neckline: 'This garment has a lower neckline than the clothes in the photo. Choose one that closes as high.',
  length: 'This garment is shorter than the clothes in the photo. Choose one at least as long.',
  shape:
    'This garment could not be fitted without tearing. Lay it flat with its sleeves spread, and use a photo with hanging arms.',
};
