import { readWorn } from '../people/worn.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

const SIDE = 352; // px: the network's larger look
const CLOTH = 0.5; // mean of what the network for clothes sees in the shape: of groceries and bottles at most .46
const TOP = 0.2; // of its height: where a person has a head, and at most .07 of cloth; a garment has .28 and more
const CLOTH_ON_TOP = 0.2;

/**
 * Whether a thing is a garment that nobody wears. It lies, or hangs: it has no foot to stand on.
 * @param given its cover, 0..1, of any size
 */
export async function isGarmentAlone(picture: Rgb, given: Plane): Promise<boolean> {
  const small = await shrinkRgb(picture, SIDE);
  const cover = resizePlane(given, small);
  const box = findBox(threshold(cover, 0.5), 0);
  if (!box) return false;
  const data = small.data.map((byte, n) => 255 - (255 - byte) * cover.data[Math.floor(n / 3)]!);
  const { upper, lower } = await readWorn({ ...small, data });
  const clothAbove = (row: number) => {
    let [cloth, all] = [0, 0];
    for (let i = 0; i < row * small.width; i += 1) {
      if (cover.data[i]! <= 0.5) continue;
      cloth += upper.data[i]! + lower.data[i]!;
      all += 1;
    }
    return cloth / Math.max(1, all);
  };
  return clothAbove(small.height) > CLOTH && clothAbove(Math.round(box.top + TOP * box.height)) > CLOTH_ON_TOP;
}
