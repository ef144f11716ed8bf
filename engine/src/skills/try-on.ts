import { fitGarment } from '../dress/fit.ts';
import { measureFolds } from '../dress/folds.ts';
import { guessCategory, readGarment, type Category, type Garment } from '../dress/garment.ts';
import { liesUpsideDown, looksWearable } from '../dress/recognise.ts';
import { makeLayers, paintGarment } from '../dress/wear.ts';
import { findObstacle, isTurnedAway, type Obstacle } from '../dress/wearable-person.ts';
import { readWearer, type Wearer } from '../dress/wearer.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import { findJoints } from '../people/bodies.ts';
import { findFaces } from '../people/faces.ts';
import { readPose, type Pose } from '../people/figure.ts';
import { isBlank } from '../pixels/blank.ts';
import { readPicture, shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { saveJpeg, savePng, type PictureFile } from '../pixels/encode.ts';
import { mapFloats } from '../pixels/map.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { FieldProblem } from '../problem.ts';
import type { Input, Run } from './skills.ts';

const PERSON = 'model_image';
const GARMENT = 'garment_image';
const WORK_SIDE = 900; // of the person: edges are found here, pixels come from the full pictures
const FLAT_SIDE = 720;

/** The garment of one picture on the person of the other: pictures of the person's size, the same for every sample. */
export const run: Run = async ({ input, pictures, folder, matting, report }) => {
  await report(5, 'Reading the pictures');
  const picture = await readPicture(pictures[PERSON] ?? '', PERSON);
  const wearer = await readPerson(picture);
  await report(35, 'Cutting out the garment');
  const flat = await readPicture(pictures[GARMENT] ?? '', GARMENT);
  const garment = await readFlat(flat, matting);
  const category = chooseCategory(input, garment);
  if (liesUpsideDown(garment)) {
    throw noGarment('The garment lies upside down. Turn the photo so that the neckline is at the top.');
  }
  if (!looksWearable(garment)) throw noGarment(`No top, jacket or dress with its neckline was found. ${LAY_IT_FLAT}`);
  await report(60, 'Fitting the garment');
  const fit = fitGarment(wearer, garment, category);
  if (!fit) throw noPerson(LONGER);
  await report(75, 'Carrying over the folds');
  const layers = makeLayers(wearer, fit, measureFolds(wearer));
  const rgb = paintGarment(picture, wearer, flat, flat.width / garment.picture.width, layers);
  await report(92, 'Saving');
  const file = { data: rgb, width: picture.width, height: picture.height, channels: 3 as const };
  const samples = typeof input['num_samples'] === 'number' ? input['num_samples'] : 1;
  const images: PictureFile[] = [];
  const [save, ending] = input['output_format'] === 'jpeg' ? [saveJpeg, 'jpg'] : [savePng, 'png'];
  for (let n = 1; n <= samples; n += 1) {
    const name = samples === 1 ? 'try-on' : `try-on-${n}`;
    images.push(await save(folder, `${name}.${ending}`, file));
  }
  return { images };
};

const LONGER =
  'The clothes in the photo are longer than the garment, or only partly seen. Use a photo from the front in a short, close-fitting top, arms free.';
const RIVAL_SHARE = 0.5; // of the largest face's width: smaller ones are passers-by

async function readPerson(picture: Rgb): Promise<Wearer> {
  const small = await shrinkRgb(picture, WORK_SIDE);
  const [face, ...others] = await findFaces(small);
  if (!face)
    throw noPerson('No person was found. Use a photo of one person, from the head to the hips or further down.');
  if (others.some(({ box }) => box.width > RIVAL_SHARE * face.box.width)) {
    throw noPerson('Several people were found. Use a photo of one person.');
  }
  const pose = readPose(face, await findJoints(small));
  if (!pose) throw noPerson('The shoulders cannot be seen. Use a photo that shows the person down to the hips.');
  if (!showsTorso(pose, small)) {
    throw noPerson('Too little of the body is in the photo. Use a photo from the head to the hips or further down.');
  }
  if (isTurnedAway(pose)) throw noPerson(OBSTACLES['from the side']);
  const wearer = await readWearer(small, pose);
  const obstacle = wearer ? findObstacle(wearer) : 'like the wall';
  if (!wearer || obstacle) throw noPerson(OBSTACLES[obstacle ?? 'like the wall']);
  return wearer;
}

const OBSTACLES: Record<Obstacle, string> = {
  'from the side': 'The person is seen from the side. Use a photo from the front.',
  arms: 'Arms or things hide the clothes. Use a photo from the front, arms free and a little apart, nothing in the hands.',
  bulky: 'The clothes are too bulky to put others over them. Use a photo in a T-shirt or a close-fitting top.',
  'like the wall':
    'The clothes could not be told from the background. Use a photo before a plain wall of another colour, arms a little apart.',
};

// face heights below the shoulders: head-and-shoulders portraits end at .8, the middle of the chest at 1.1
const LEAST_TORSO = 1.05;

function showsTorso({ face, joints: { leftShoulder, rightShoulder } }: Pose, { height }: Rgb): boolean {
  return height - (leftShoulder.y + rightShoulder.y) / 2 >= LEAST_TORSO * face.box.height;
}

function noPerson(sentence: string): FieldProblem {
  return new FieldProblem(PERSON, 'no_media_generated', sentence);
}

function noGarment(sentence: string, options?: ErrorOptions): FieldProblem {
  return new FieldProblem(GARMENT, 'no_media_generated', sentence, options);
}

const LAY_IT_FLAT = 'Use a photo of one garment, laid flat or hung on a plain background, seen whole.';
const NOT_FOUND = `The garment was not found. ${LAY_IT_FLAT}`;

async function readFlat(flat: Decoded, matting: Matting): Promise<Garment> {
  const small = await shrinkRgb(flat, FLAT_SIDE);
  const [face] = await findFaces(small);
  if (face) throw noGarment(`This photo shows a person. ${LAY_IT_FLAT}`);
  const garment = readGarment(small, await coverGarment(flat, small, matting));
  if (!garment) throw noGarment(NOT_FOUND);
  return garment;
}

/** 0..1 per pixel of the small copy: the sender's own cut-out, where there is one. */
async function coverGarment(flat: Decoded, small: Rgb, matting: Matting): Promise<Plane> {
  if (flat.alpha) {
    const alpha = mapFloats(flat.alpha, (value) => value / 255);
    return resizePlane({ width: flat.width, height: flat.height, data: alpha }, small);
  }
  if (isBlank(flat)) throw noGarment(NOT_FOUND);
  try {
    return await matting.find(small, async () => {});
  } catch (error) {
    if (!(error instanceof UnclearProduct)) throw error;
    throw noGarment(NOT_FOUND, { cause: error });
  }
}

function chooseCategory(input: Input, garment: Garment): Category {
  const asked = input['category'];
  const category = asked === 'tops' || asked === 'bottoms' || asked === 'one-pieces' ? asked : guessCategory(garment);
  if (category === 'bottoms') {
    throw noGarment('Trousers and skirts cannot be put on yet. Use a top, a jacket or a dress.');
  }
  return category;
}
