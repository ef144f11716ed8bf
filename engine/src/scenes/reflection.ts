import { softBlur } from '../pixels/blur.ts';
import { makePlane, type Plane, type Size } from '../pixels/plane.ts';
import type { Standing } from './shadows.ts';

/** Linear light, premultiplied by the cover, one plane a channel. */
export type Mirrored = { rgb: Plane[]; cover: Plane };

/** `rgb`: linear light, interleaved, of the cover's size. */
type Placed = Pick<Standing, 'alpha' | 'contact' | 'left' | 'top'> & { rgb: Float32Array };

const REACH = 0.45; // of the product's height
const FEATHER = 0.01; // of its height: so far up the edge of the foot itself may be soft
const BARE = 0.05; // cover of a gap
const TOUCHING = 0.3; // weight of a spot that is mirrored

/**
 * The product upside down below its foot, every column from where it touches up to its first gap, fading with depth:
 * what is above a strap that lies on the floor stands further back. @param room pixels below the product
 */
export function mirrorProduct(product: Placed, picture: Size, blurPx: number, room = Infinity): Mirrored {
  const rgb = [0, 1, 2].map(() => makePlane(picture));
  const cover = makePlane(picture);
  const { alpha } = product;
  const deepest = Math.min(REACH * alpha.height, room - 3 * blurPx);
  for (const spot of product.contact.spots) {
    const x = Math.floor(spot.x);
    const column = product.left + x;
    if (spot.weight < TOUCHING || column < 0 || column >= picture.width) continue;
    const bottom = Math.min(alpha.height - 1, Math.round(spot.y) - 1);
    for (let row = 0; row < Math.min(bottom, deepest); row += 1) {
      const y = product.top + bottom + row;
      if (y < 0 || y >= picture.height) continue;
      const from = (bottom - row) * alpha.width + x;
      if (row > FEATHER * alpha.height && alpha.data[from]! < BARE) break;
      const to = y * picture.width + column;
      const weight = alpha.data[from]! * (1 - row / deepest) ** 1.6 * spot.weight;
      cover.data[to] = weight;
      for (let c = 0; c < 3; c += 1) rgb[c]!.data[to] = product.rgb[from * 3 + c]! * weight;
    }
  }
  return { rgb: rgb.map((plane) => softBlur(plane, blurPx)), cover: softBlur(cover, blurPx) };
}
