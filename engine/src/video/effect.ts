import type { Canvas } from './canvas.ts';
import type { StagePose } from './pose.ts';

/** One frame's place in the video. */
export type Moment = {
  pose: StagePose;
  /** 0 at the first, 1 at the last frame. */
  t: number;
  seconds: number;
};

/** Something that lives in the picture besides the camera. Frame 0 must stay the photo: everything fades in. */
export type Effect = {
  /** Drawn over the backdrop, behind the product. */
  behind?: (canvas: Canvas, moment: Moment) => void;
  /** Drawn over everything. */
  front?: (canvas: Canvas, moment: Moment) => void;
};
