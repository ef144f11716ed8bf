/** From a cut-out product and a brief to one finished scene. */
import { mapFloats } from '../pixels/map.ts';
import type { Rgb, Size } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import type { Brief } from './brief.ts';
import { chooseScene } from './choose.ts';
import { composeScene } from './compose.ts';
import { findContact } from './contact.ts';
import { frameScene, type Frame } from './frame.ts';
import { loadPlate, mirrorPlate, readGround, type Plate } from './plates.ts';
import { scaleProduct, type Product } from './product.ts';
import { findLitSide } from './shading.ts';
import { findView } from './tilt.ts';
import { reportUnderstood, type Understood } from './understood.ts';
import { findFreedom, moveLamp } from './variations.ts';

const MIRROR = 0x6d31; // keeps this choice apart from the framing's

export type SceneRequest = {
  product: Product;
  /** Of the picture that the product was cut from. */
  upload: Size;
  brief: Brief;
  /** Which of several pictures of one request this is: sets that fit nearly as well take turns. */
  take: number;
  seed: number;
  /** Asks for another scene than the best one, told apart by this number. */
  variation?: number | undefined;
};

/** A picture with what it shows of what was asked for, and how it was put together. */
export type Scene = { picture: Rgb; words: Understood; plate: Plate; frame: Frame; product: Product };

/** Chooses a scene for the brief and puts the product into it. The same request gives the same pixels. */
export async function makeScene({ product, upload, brief, take, seed, variation }: SceneRequest): Promise<Scene> {
  const cover = { ...product, data: mapFloats(product.alpha, (value) => value / 255) };
  const set = chooseScene(brief, take, findView(cover, upload), variation);
  const pictures = await loadPlate(set.id);
  const isMirrored = isSeenInMirror(set, brief.lightFrom ?? findLitSide(product), seed);
  const plate = isMirrored ? mirrorPlate(set) : set;
  const ground = readGround(pictures, isMirrored);
  const contact = findContact(cover);
  const mayChange = findFreedom(brief);
  const view = { seed, isMirrored, variation, mayChange };
  const frame = frameScene({ plate, ground, upload, product, contact, brief, ...view });
  const placed = await scaleProduct(product, frame.productScale);
  const lit = variation !== undefined && mayChange === 'shadows' ? moveLamp(plate, variation, brief) : plate;
  const picture = await composeScene(lit, pictures, frame, placed, brief);
  return { picture, words: reportUnderstood(brief, plate), plate, frame, product: placed };
}

/**
 * So that the light comes from where it is wanted; when it does not matter, every other seed sees the set the other way
 * round.
 */
function isSeenInMirror(plate: Plate, wanted: 'left' | 'right' | undefined, seed: number): boolean {
  const sideways = Math.sin((plate.light.azimuthDeg * Math.PI) / 180);
  if (wanted === undefined || Math.abs(sideways) < 0.2) return makeRandom(seed ^ MIRROR)() < 0.5;
  return (sideways > 0 ? 'right' : 'left') !== wanted;
}
