/** Clothes whose place is known: true masks of garments, drawn ones, and a shirt drawn over a person. */
import sharp, { type Sharp } from 'sharp';
import { readGarment } from '../src/dress/garment.ts';
import { readWearer } from '../src/dress/wearer.ts';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { findJoints } from '../src/people/bodies.ts';
import { findFaces } from '../src/people/faces.ts';
import { readPose } from '../src/people/figure.ts';
import { readPicture, shrinkRgb } from '../src/pixels/decode.ts';
import { measureIou, readTruth, samplePath } from './people.ts';

const FLAT_SIDE = 720; // as the skill reads garments
const WORK_SIDE = 900; // as it reads people

/** Intersection over union of a sample garment, as the try-on sees it, with its true mask. */
export async function measureGarment(name: string): Promise<number> {
  const small = await shrinkRgb(await readPicture(samplePath(`garment-${name}`), 'garment_image'), FLAT_SIDE);
  const garment = readGarment(small, await ownMatting.find(small, async () => {}));
  if (!garment) throw new Error(`${name} is no garment`);
  return measureIou(garment.mask.data, await readTruth(`garment-${name}`, small));
}

// In pixels of a sample person's photo, 900x1200: wider than the shirt that the person wears, and down to the elbows.
const LOOSE_SHIRT =
  '380,392 450,425 520,392 640,425 720,480 780,680 670,700 630,580 640,1020 260,1020 270,580 230,700 120,680 180,480 260,425';
const PERSON = 'person-tom';

function drawShirt(fill: string): Buffer {
  return Buffer.from(`<svg width="900" height="1200"><polygon points="${LOOSE_SHIRT}" fill="${fill}"/></svg>`);
}

export async function drawLooseShirt(): Promise<Sharp> {
  return sharp(samplePath(PERSON)).composite([{ input: drawShirt('#8a3140') }]);
}

/** Intersection over union of the clothes found on the person in the loose shirt with the shirt as it was drawn. */
export async function measureClothes(path: string): Promise<number> {
  const small = await shrinkRgb(await readPicture(path, 'model_image'), WORK_SIDE);
  const [face] = await findFaces(small);
  const pose = face && readPose(face, await findJoints(small));
  const wearer = pose && (await readWearer(small, pose));
  if (!wearer) throw new Error('no clothes were found');
  const { width, height } = small;
  const truth = await sharp(drawShirt('#fff')).extractChannel(3).resize(width, height).raw().toBuffer();
  return measureIou(
    wearer.top.data,
    Float32Array.from(truth, (value) => value / 255),
  );
}

function drawFlat(shape: string): Sharp {
  const cloth = `<svg width="960" height="1200"><rect width="960" height="1200" fill="#d9d4ca"/>${shape}</svg>`;
  return sharp(Buffer.from(cloth)).flatten();
}

export function drawTrousers(): Sharp {
  return drawFlat('<path fill="#33476b" d="M300 140h360l60 940h-180l-60-640-60 640h-180z"/>');
}

export function drawSkirt(): Sharp {
  return drawFlat('<path fill="#7b3b52" d="M350 260h260l150 640h-560z"/>');
}
