// How the picture is framed: which part of the plate, how large, and where the product stands in it.
import { makeRandom } from '../pixels/random.ts';
import { PLATE_SIZE, type Plate } from './plates.ts';
import type { Product } from './product.ts';

export interface Frame {
  /** Of the finished picture. */
  width: number;
  height: number;
  /** Part of the plate that is shown, in plate pixels. */
  crop: { x: number; y: number; width: number; height: number };
  /** Finished pixels per plate pixel. */
  scale: number;
  /** Factor on the upload's pixels, never above 1: the product is shown with its own pixels or fewer. */
  productScale: number;
  isMirrored: boolean;
}

const HERO_HEIGHT = 0.58; // of the frame
const HERO_WIDTH = 0.56;
const STAND_AT = 0.775; // of the frame's height: where a photographer puts the table line
const LONGEST = 2048;
const LEAST_OF_UPLOAD = 0.75;
const LOOSEST = 0.14; // of the plate that a seed may leave out
const SIDESTEP = 0.1; // of the frame, between the seeds' places left and right of the middle

interface Size {
  width: number;
  height: number;
}

/**
 * The finished picture has the upload's shape. Its size is the largest at which the product is the hero with at most its own
 * pixels, between 75 % and 100 % of the upload and at most 2048 px; a small product in a small photo stays smaller in the frame.
 * What the upload's border cuts off keeps its place and size, so that the cut stays at the border.
 */
export function frameScene(
  plate: Plate,
  upload: Size,
  product: Size & Pick<Product, 'place'>,
  seed: number,
  isMirrored: boolean,
): Frame {
  const random = makeRandom(seed);
  const zoom = 1 - LOOSEST * random();
  const fit = Math.min(PLATE_SIZE / upload.width, PLATE_SIZE / upload.height) * zoom;
  const crop = { x: 0, y: 0, width: upload.width * fit, height: upload.height * fit };
  const standX = isMirrored ? PLATE_SIZE - plate.stand.x : plate.stand.x;
  const shift = (random() - 0.5) * SIDESTEP * crop.width;
  crop.x = clamp(standX - crop.width / 2 + shift, 0, PLATE_SIZE - crop.width);
  crop.y = clamp(plate.stand.y - STAND_AT * crop.height, 0, PLATE_SIZE - crop.height);
  const target = Math.min(
    Math.min(HERO_HEIGHT * crop.height, plate.stand.maxHeight) / product.height,
    Math.min(HERO_WIDTH * crop.width, plate.stand.maxWidth) / product.width,
  ); // plate pixels per upload pixel
  const long = Math.max(upload.width, upload.height);
  const cropLong = Math.max(crop.width, crop.height);
  const ownPixels = cropLong / target; // here one upload pixel is one finished pixel
  const wantedLong = product.place ? long : Math.max(ownPixels, LEAST_OF_UPLOAD * long);
  const finishedLong = Math.min(LONGEST, long, wantedLong);
  const scale = finishedLong / cropLong;
  return {
    width: Math.max(1, Math.round(crop.width * scale)),
    height: Math.max(1, Math.round(crop.height * scale)),
    crop,
    scale,
    productScale: Math.min(1, product.place ? finishedLong / long : target * scale),
    isMirrored,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
