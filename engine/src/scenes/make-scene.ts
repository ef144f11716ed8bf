/** Makes a scene of a cut-out product and a brief. */
import { toAlpha, type Rgb, type Size } from '../pixels/plane.ts';
import type { Brief } from '../words/brief.ts';
import { chooseScene, type Lying } from './choose.ts';
import { composeScene } from './compose.ts';
import { findContact } from './contact.ts';
import {
  describePlacement,
  frameScene,
  placeProduct,
  type Frame,
  type Placement,
  type FinalPlacement,
} from './frame.ts';
import { loadPlate, mirrorPlate, readGround, type Plate } from './plates.ts';
import { turnProduct, type Product } from './product.ts';
import { reportUnderstood, type Understood } from '../words/report.ts';
import { findFreedom, lookOf, moveLamp } from './light.ts';

export type SceneRequest = {
  product: Product;
  /** Size of the picture that the product was cut from. */
  upload: Size;
  brief: Brief;
  /** True for a garment that nobody wears: it lies in top views and hangs in eye-level views. */
  isGarment?: boolean;
  lying?: Lying | undefined;
  /** Number of a variation; undefined for the best scene. */
  variation?: number | undefined;
  placement?: Placement | undefined;
};

/** A picture, which words it draws, and how it was composed. */
export type Scene = {
  picture: Rgb;
  words: Understood;
  finalPlacement: FinalPlacement;
  plate: Plate;
  frame: Frame;
  /** Turned as finalPlacement, in the upload's pixels. */
  product: Product;
};

/** Chooses a plate for the brief and composes the scene. Deterministic. */
export async function makeScene(request: SceneRequest): Promise<Scene> {
  const { upload, brief, isGarment = false, lying, variation, placement = {} } = request;
  const isFlat = brief.product === 'flat' || isGarment;
  const set = chooseScene(brief, isFlat ? 'surely' : lying, variation);
  const isOtherSide = variation !== undefined && lookOf(variation).isMirrored;
  const isMirrored = mustMirror(set, brief.lightFrom, isOtherSide);
  const plate = isMirrored ? mirrorPlate(set) : set;
  const pictures = await loadPlate(plate);
  const { product } = request;
  const contact = findContact(toAlpha(product, product.alpha));
  const mayChange = findFreedom(brief);
  const hangs = isFlat && plate.view === 'eye';
  const ground = readGround(pictures);
  const view = { variation, mayChange, hangs, scale: placement.scale ?? 1 };
  const chosen = frameScene({ plate, ground, upload, product, contact, brief, ...view });
  // Turned only now, so that set, view and size do not depend on the rotation.
  const turned = await turnProduct(product, placement.rotate ?? 0);
  const foot = turned === product ? contact : findContact(toAlpha(turned, turned.alpha));
  const frame = placeProduct(chosen, contact, foot, placement);
  const lit = variation === undefined ? plate : moveLamp(plate, variation, brief);
  const picture = await composeScene(lit, pictures, frame, turned, brief, hangs);
  const finalPlacement = describePlacement(frame, foot, turned, upload, placement);
  return { picture, words: reportUnderstood(brief, plate), finalPlacement, plate, frame, product: turned };
}

/** True if the set must be mirrored to be lit from the wanted side. @param otherwise if any side suits */
function mustMirror(plate: Plate, wanted: 'left' | 'right' | undefined, otherwise: boolean): boolean {
  const sideways = Math.sin((plate.light.azimuthDeg * Math.PI) / 180);
  const isFromAside = Math.abs(sideways) >= 0.2; // not from above or behind
  if (wanted !== undefined && isFromAside) return (sideways > 0 ? 'right' : 'left') !== wanted;
  return otherwise;
}
