import type { StagePose } from './pose.ts';

/** One frame as the encoder takes it: I420 in `bytes`, BT.709 limited range, the planes as views of it. */
export type Canvas = ReturnType<typeof makeCanvas>;

export function makeCanvas(width: number, height: number) {
  const pixels = width * height;
  const bytes = new Uint8Array(pixels * 1.5);
  return {
    width,
    height,
    bytes,
    y: new Uint8ClampedArray(bytes.buffer, 0, pixels),
    u: new Uint8ClampedArray(bytes.buffer, pixels, pixels / 4),
    v: new Uint8ClampedArray(bytes.buffer, pixels * 1.25, pixels / 4),
    /** How much of each pixel the product covers, 0..1, so that light can tell it from the rest. */
    cover: new Float32Array(pixels),
  };
}

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
