// For backgrounds so busy that outlines say nothing, such as bricks and gravel: colours alone, asked twice.
import type { Picture } from '../pixels/decode.ts';
import type { LabPlanes } from '../pixels/lab.ts';
import { distanceToClusters, type Backdrop } from './background.ts';
import { grabCut, SEED } from './grabcut.ts';
import { dropNeighbours } from './pieces.ts';
import { close, fillPinholes, open, overlap } from './regions.ts';

const STRANGE = 6; // Lab units from every colour of the ring
const ALIKE = 0.82; // overlap of the two answers: 0.84-1 where they were right, less where product and background share colours
const ROUNDS = 5;
const ELLIPSE = { wide: 0.36, high: 0.4 }; // half axes, of the picture's sides

/**
 * Once from the pixels whose colour the border does not have, once from an ellipse in the middle, where products are; nothing
 * when the two starts do not end at the same product.
 */
export function cutByColours(picture: Picture, lab: LabPlanes, backdrop: Backdrop): Uint8Array | undefined {
  const { width, height } = picture;
  const byColour = settle((i) => distanceToClusters(lab, i, backdrop.clusters) > STRANGE);
  const byPlace = settle((i) => {
    const x = ((i % width) / width - 0.5) / ELLIPSE.wide;
    const y = (Math.floor(i / width) / height - 0.5) / ELLIPSE.high;
    return x * x + y * y < 1;
  });
  return overlap(byColour, byPlace) < ALIKE ? undefined : byColour;

  function settle(isProduct: (i: number) => boolean): Uint8Array {
    const seeds = backdrop.ring.map((isRing, i) => {
      if (isRing) return SEED.background;
      return isProduct(i) ? SEED.probablyForeground : SEED.probablyBackground;
    });
    const smooth = open(close(grabCut(picture, seeds, ROUNDS), width, height, 2), width, height, 2);
    return fillPinholes(dropNeighbours(smooth, width, height), width, height);
  }
}
