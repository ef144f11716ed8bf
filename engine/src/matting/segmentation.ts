import type { LabPlanes } from '../pixels/lab.ts';

/** What the segmentation found, with the evidence that the refusal looks at. */
export interface Segmentation {
  width: number;
  height: number;
  lab: LabPlanes;
  mask: Uint8Array;
  /** The outline-only guess that the colours then corrected. */
  guess: Uint8Array;
  foreign: Float32Array;
  /** Lab distance of every pixel from the colours of the picture's border, in any light. */
  unlikeBorder: Float32Array;
  isDistinct: boolean;
  /** The backdrop is one smooth surface. */
  isPlain: boolean;
  /** Why this must not be shown to a customer. */
  refusal?: string | undefined;
}
