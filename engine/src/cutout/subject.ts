/** Detects the product and decides whether the user has to confirm it. */
import { countOnes, findBox, findRegions, threshold } from '../pixels/mask.ts';
import { cutRgb, makePlane, pastePlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { dropBackground, floodEvenBorder, isMostlyDropped, measureFaint } from './even-border.ts';
import { isInBox, pixelAt, toShares, type Marks, type ShareBox } from './marks.ts';
import type { Subject } from './matting.ts';
import { detectProduct, type Network } from './passes.ts';

/**
 * Runs the network on the picture, cropped to what is inside a plain frame; on a plain background also floods it. The
 * long side has at most WORK_SIDE pixels.
 */
export async function findSubject(network: Network, picture: Rgb, marks?: Marks): Promise<Subject> {
  const flooded = floodEvenBorder(picture);
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const box = marks ? whole : (flooded?.framed ?? whole);
  const { alpha: squeezed, score } = await detectProduct(network, cutRgb(picture, box), marks);
  const alpha = makePlane(picture);
  pastePlane(alpha, resizePlane(squeezed, box), box);
  const scale = Math.max(1, Math.max(box.width, box.height) / squeezed.width);
  const { askAbove } = network.card;
  const isConfident = score <= askAbove;
  let isSure = marks !== undefined || isConfident;
  if (flooded && !flooded.framed) {
    const product = dropBackground(picture, flooded, alpha, isConfident);
    const isFaint = () => measureFaint(picture, { ...flooded, product }, alpha) > askAbove;
    isSure = marks !== undefined || !(isConfident ? isMostlyDropped(picture, flooded, product) : isFaint());
    const added = dropUnwanted(product, marks).data;
    for (let i = 0; i < added.length; i += 1) if (added[i]) alpha.data[i] = 1;
  }
  return { alpha, scale, isSure: isSure && countOnes(threshold(alpha, 0.5)) > 0 };
}

/** Removes the parts with a drop mark and everything outside the box. */
function dropUnwanted(product: Mask, marks: Marks | undefined): Mask {
  if (!marks) return product;
  const { box, keep = [], drop = [] } = marks;
  const hits = (dots: Marks['keep'], part: ReadonlySet<number>) =>
    (dots ?? []).some(([x, y]) => part.has(pixelAt(product, x, y)));
  for (const pixels of findRegions(product)) {
    const part = new Set(pixels);
    const isDropped = hits(drop, part) && !hits(keep, part);
    for (const i of pixels) if (isDropped || (box && !isInBox(product, box, i))) product.data[i] = 0;
  }
  return product;
}

const PADDING = 0.02; // of the long side: the refined outline may lie a little outside of the network's

/** The padded bounding box of alpha of at least .5, loose enough to serve as a mark, within the user's own `limit`. */
export function boxOf(alpha: Plane, limit: ShareBox = [0, 0, 1, 1]): ShareBox | undefined {
  const box = findBox(threshold(alpha, 0.5), PADDING * Math.max(alpha.width, alpha.height));
  if (!box) return undefined;
  const [left, top, right, bottom] = toShares(box, alpha);
  return [Math.max(left, limit[0]), Math.max(top, limit[1]), Math.min(right, limit[2]), Math.min(bottom, limit[3])];
}
