import { countOnes } from './regions.ts';
import type { Segmentation } from './segment.ts';

const MIN_SHARE = 0.004;
const MAX_SHARE = 0.92;

/** Why this cut-out must not be shown to a customer, or undefined when it may. */
export function findRefusal({ mask }: Segmentation): string | undefined {
  const share = countOnes(mask) / mask.length;
  if (share < MIN_SHARE) return 'nothing found';
  if (share > MAX_SHARE) return 'everything found';
  return undefined;
}
