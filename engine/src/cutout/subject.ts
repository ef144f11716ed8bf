/** Where the product is in a photo, and whether that is sure enough to be sold without a person's yes. */
import { countOnes, findBox, findRegions, threshold } from '../pixels/mask.ts';
import { cutRgb, makePlane, pastePlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { dropGround, floodEvenBorder, measureFaint } from './even-border.ts';
import { isInBox, pixelAt, toShares, type Marks, type ShareBox } from './marks.ts';
import type { Subject } from './matting.ts';
import { seeProduct, type Network } from './passes.ts';

/**
 * Each photo is looked at, without an even frame around it, which is no part of the scene; before an even colour it is
 * flooded as well. The long side has WORK_SIDE pixels at most.
 */
export async function findSubject(network: Network, picture: Rgb, marks?: Marks): Promise<Subject> {
  const flooded = floodEvenBorder(picture);
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const box = marks ? whole : (flooded?.framed ?? whole);
  const { alpha: squeezed, score } = await seeProduct(network, cutRgb(picture, box), marks);
  const alpha = makePlane(picture);
  pastePlane(alpha, resizePlane(squeezed, box), box);
  const grain = Math.max(1, Math.max(box.width, box.height) / squeezed.width);
  const { askAbove } = network.card;
  const isBelieved = score <= askAbove;
  let isSure = marks !== undefined || isBelieved;
  if (flooded && !flooded.framed) {
    const product = dropGround(picture, flooded, alpha, isBelieved);
    isSure ||= measureFaint(picture, { ...flooded, product }, alpha) <= askAbove;
    const added = dropUnwanted(product, marks).data;
    for (let i = 0; i < added.length; i += 1) if (added[i]) alpha.data[i] = 1;
  }
  return { alpha, grain, isSure: isSure && countOnes(threshold(alpha, 0.5)) > 0 };
}

/** Without the parts that a person dropped, and what lies outside the box. */
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

const LOOSER = 0.02; // of the longer side: the exact outline may lie a little outside of what the network sees

/** Around what is covered by half and more, loosely enough to be sent as marks; undefined where nothing is. */
export function boxOf(alpha: Plane): ShareBox | undefined {
  const box = findBox(threshold(alpha, 0.5), LOOSER * Math.max(alpha.width, alpha.height));
  return box && toShares(box, alpha);
}
