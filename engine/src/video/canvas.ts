import type { StagePose } from './pose.ts';

/** One frame in the encoder's format: I420 in `bytes`, BT.709 limited range; the planes are views of it. */
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
    /** The product's alpha per pixel, 0..1, by which light distinguishes it from the rest. */
    alpha: new Float32Array(pixels),
  };
}

/** A frame's position in the video. */
export type Moment = {
  pose: StagePose;
  /** 0 at the first, 1 at the last frame. */
  t: number;
  seconds: number;
};

/** An effect besides the camera's. Effects fade in, because frame 0 must equal the photo. */
export type Effect = {
  /** Drawn over the backdrop, behind the product. */
  behind?: (canvas: Canvas, moment: Moment) => void;
  /** Drawn over everything. */
  front?: (canvas: Canvas, moment: Moment) => void;
};
