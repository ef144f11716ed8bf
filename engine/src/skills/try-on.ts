import { fitGarment } from '../garments/fit.ts';
import { measureFolds } from '../garments/folds.ts';
import { guessCategory, readGarment, type Category, type Garment } from '../garments/garment.ts';
import { makeLayers, paintGarment } from '../garments/wear.ts';
import { readWearer, type Wearer } from '../garments/wearer.ts';
import { cutOut, type Cutout } from '../matting/cutout.ts';
import type { Matter } from '../matting/matter.ts';
import { findBodies } from '../people/bodies.ts';
import { findFaces } from '../people/faces.ts';
import { readPose } from '../people/figure.ts';
import { decodePicture, shrinkPicture, type Picture } from '../pixels/decode.ts';
import { saveJpeg, savePng, type PictureFile } from '../pixels/encode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { FieldProblem } from '../problem.ts';
import type { Input } from './fields.ts';
import type { Run } from './skills.ts';

const PERSON = 'model_image';
const GARMENT = 'garment_image';
const WORK_SIDE = 900; // of the person: edges are found here, pixels come from the full pictures
const FLAT_SIDE = 720;

/** The garment of one picture on the person of the other: pictures of the person's size, the same for every sample. */
export const run: Run = async ({ input, pictures, folder, matter, report }) => {
  await report(5, 'Reading the pictures');
  const picture = await decodePicture(pictures[PERSON] ?? '', PERSON);
  const wearer = await readPerson(picture);
  await report(35, 'Cutting out the garment');
  const flat = await decodePicture(pictures[GARMENT] ?? '', GARMENT);
  const cutout = await cutGarment(pictures[GARMENT] ?? '', matter);
  const { garment, scale } = await readFlat(flat, cutout);
  const category = chooseCategory(input, garment);
  await report(60, 'Fitting the garment');
  const fit = fitGarment(wearer, garment, category);
  await report(75, 'Carrying over the folds');
  const layers = makeLayers(wearer, fit, measureFolds(wearer));
  const rgb = paintGarment(picture, wearer, cutout, scale, layers);
  await report(92, 'Saving');
  const file = { data: rgb, width: picture.width, height: picture.height, channels: 3 as const };
  const samples = typeof input['num_samples'] === 'number' ? input['num_samples'] : 1;
  const images: PictureFile[] = [];
  for (let n = 1; n <= samples; n += 1) {
    const name = samples === 1 ? 'try-on' : `try-on-${n}`;
    images.push(
      input['output_format'] === 'jpeg'
        ? await saveJpeg(folder, `${name}.jpg`, file)
        : await savePng(folder, `${name}.png`, file),
    );
  }
  return { images };
};

const RIVAL_SHARE = 0.5; // of the largest face's width: smaller ones are passers-by

async function readPerson(picture: Picture): Promise<Wearer> {
  const small = await shrinkPicture(picture, WORK_SIDE);
  const [face, ...others] = await findFaces(small);
  if (!face)
    throw noPerson('No person was found. Use a photo of one person, from the head to the hips or further down.');
  if (others.some(({ box }) => box.width > RIVAL_SHARE * face.box.width)) {
    throw noPerson('Several people were found. Use a photo of one person.');
  }
  const [body] = await findBodies(small);
  const pose = readPose(face, body);
  if (!pose) throw noPerson('The shoulders cannot be seen. Use a photo that shows the person down to the hips.');
  const wearer = await readWearer(small, pose);
  if (!wearer) {
    throw noPerson(
      'The clothes could not be told from the background. Use a photo before a plain wall, arms a little apart.',
    );
  }
  return wearer;
}

function noPerson(sentence: string): FieldProblem {
  return new FieldProblem(PERSON, 'no_media_generated', sentence);
}

function noGarment(sentence: string): FieldProblem {
  return new FieldProblem(GARMENT, 'no_media_generated', sentence);
}

const LAY_IT_FLAT = 'Use a photo of one garment, laid flat or hung on a plain background, seen whole.';

async function cutGarment(path: string, matter: Matter): Promise<Cutout> {
  try {
    return await cutOut(path, GARMENT, matter, async () => {});
  } catch (error) {
    if (!(error instanceof FieldProblem) || error.entry.type !== 'no_media_generated') throw error;
    throw new FieldProblem(GARMENT, 'no_media_generated', `The garment was not found. ${LAY_IT_FLAT}`, {
      cause: error,
    });
  }
}

async function readFlat(picture: Picture, cutout: Cutout): Promise<{ garment: Garment; scale: number }> {
  const small = await shrinkPicture(picture, FLAT_SIDE);
  const [face] = await findFaces(small);
  if (face) throw noGarment(`This photo shows a person. ${LAY_IT_FLAT}`);
  const alpha = Float32Array.from(cutout.alpha, (value) => value / 255);
  const cover = resizePlane(alpha, cutout.width, cutout.height, small.width, small.height);
  const garment = readGarment(small, cover);
  if (!garment) throw noGarment(`The garment was not found. ${LAY_IT_FLAT}`);
  return { garment, scale: cutout.width / small.width };
}

function chooseCategory(input: Input, garment: Garment): Category {
  const asked = input['category'];
  const category = asked === 'tops' || asked === 'bottoms' || asked === 'one-pieces' ? asked : guessCategory(garment);
  if (category === 'bottoms') {
    throw noGarment('Trousers and skirts cannot be put on yet. Use a top, a jacket or a dress.');
  }
  return category;
}
