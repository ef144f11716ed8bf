// From a cut-out product and a brief to one finished scene.
import { makeRandom } from '../pixels/random.ts';
import type { Brief } from './brief.ts';
import { chooseScene } from './choose.ts';
import { composeScene, type Scene } from './compose.ts';
import { frameScene } from './frame.ts';
import type { Plate } from './plates.ts';
import { scaleProduct, type Product } from './product.ts';
import { findLitSide } from './shading.ts';

const MIRROR = 0x6d31; // keeps this choice apart from the framing's

export interface SceneRequest {
  product: Product;
  /** Size of the picture that the product was cut from, in pixels. */
  upload: { width: number; height: number };
  brief: Brief;
  /** Which of several pictures of one request this is: sets that fit nearly as well take turns. */
  take: number;
  seed: number;
}

export async function makeScene({ product, upload, brief, take, seed }: SceneRequest): Promise<Scene> {
  const { plate, load } = chooseScene(brief, take, seed);
  const wanted = brief.lightFrom ?? findLitSide(product);
  const frame = frameScene(plate, upload, product, seed, isSeenInMirror(plate, wanted, seed));
  return composeScene(plate, await load(), frame, await scaleProduct(product, frame.productScale), brief);
}

/** So that the light comes from where it is wanted; when it does not matter, every other seed sees the set the other way round. */
function isSeenInMirror(plate: Plate, wanted: 'left' | 'right' | undefined, seed: number): boolean {
  const sideways = Math.sin((plate.light.azimuthDeg * Math.PI) / 180);
  if (wanted === undefined || Math.abs(sideways) < 0.2) return makeRandom(seed ^ MIRROR)() < 0.5;
  return (sideways > 0 ? 'right' : 'left') !== wanted;
}
