import type { Picture } from '../pixels/decode.ts';
import type { Glass } from './glass.ts';

export type Report = (percent: number, message: string) => Promise<void>;

/** Raised by a matter that cannot tell the product from its background. */
export class NotToldApart extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotToldApart';
  }
}

/** Finds the product: RGB in, alpha 0..1 out, same size. A trained network would be one more of these. */
export interface Matter {
  name: string;
  matte: (picture: Picture, report: Report) => Promise<Float32Array>;
  /** For pictures in which `matte` finds nothing: clear glass, or undefined. */
  findGlass?: (picture: Picture) => Promise<Glass | undefined>;
}
