import { softBlur } from '../pixels/blur.ts';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { makeRowReader, type RowReader } from '../pixels/sample.ts';
import { BACKDROP_DEPTH } from './depth.ts';
import type { Stage } from './stage.ts';

/**
 * The backdrop as it is at one moment: with as much of the photo's own rim around the product as may show, sharp or out
 * of focus.
 */
export type Lens = {
  /**
   * Takes the photo's own pixels around the product out of the picture by as many pixels of `parallax` as it has moved
   * against the backdrop. Where floor and foot move as one they stay: with them goes the line of shadow that the
   * product stands on. `lift` pixels above the floor nothing does.
   */
  parallax: (parallax: number, lift: number) => void;
  /** Planes y, u, v with this much blur, 0..1; rows at the product's distance stay sharp. */
  focus: (blur: number) => [RowReader, RowReader, RowReader];
};

const FULL_FILL_AT = 2; // pixels apart: from here on nothing of the photo's own rim stays behind the product
const SOFT = 0.004; // of the frame's long side, sigma
const SOFTEST = 0.011;

/** For one stage and all its frames: backdrops that were blurred once are kept. */
export function makeLens(stage: Stage): Lens {
  const { backdrop, depths, product } = stage;
  const planes = [backdrop.y, backdrop.u, backdrop.v];
  const sharp = planes.map((plane) => makeRowReader(plane));
  let blurred: { levels: Plane[]; mixed: RowReader }[] | undefined;
  return { parallax, focus };

  function parallax(shift: number, lift: number): void {
    for (const { plane, at, rest, filled } of product?.rings ?? []) {
      const { data: values, width } = backdrop[plane];
      const step = backdrop.y.width / width;
      for (let n = 0; n < at.length; n += 1) {
        const i = at[n]!;
        const depth = depths[Math.floor(i / width) * step]!;
        const apart = (shift * Math.abs(1 - depth)) / (1 - BACKDROP_DEPTH) + lift;
        const share = apart >= FULL_FILL_AT ? 0 : 1 - apart / FULL_FILL_AT;
        values[i] = filled[n]! + share * (rest[n]! - filled[n]!);
      }
    }
  }

  function focus(blur: number): [RowReader, RowReader, RowReader] {
    if (blur > 0) {
      blurred ??= planes.map((plane) => ({
        levels: [plane, ...soften(plane)],
        mixed: makeRowReader(makePlane(plane)),
      }));
      for (const { levels, mixed } of blurred) mixByDepth(mixed.plane, levels, depths, blur);
    }
    const [y, u, v] = blur > 0 && blurred ? blurred.map(({ mixed }) => mixed) : sharp;
    return [y!, u!, v!];
  }

  function soften(plane: Plane): Plane[] {
    const long = Math.max(stage.frame.width, stage.frame.height);
    return [SOFT, SOFTEST].map((sigma) => softBlur(plane, (sigma * long * plane.width) / backdrop.y.width));
  }
}

/** @param levels the plane sharp, soft and softest */
function mixByDepth(
  { data, width, height }: Plane,
  levels: readonly Plane[],
  depths: Float64Array,
  blur: number,
): void {
  const step = depths.length / height;
  for (let row = 0; row < height; row += 1) {
    const away = Math.abs(1 - depths[Math.min(depths.length - 1, Math.floor((row + 0.5) * step))]!);
    const amount = 2 * blur * Math.min(1, away / (1 - BACKDROP_DEPTH));
    const level = amount < 1 ? 0 : 1;
    const [from, to] = [levels[level]!.data, levels[level + 1]!.data];
    for (let i = row * width; i < (row + 1) * width; i += 1) {
      data[i] = from[i]! + (amount - level) * (to[i]! - from[i]!);
    }
  }
}
