/** The shadow that a product casts on its floor. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, mapFloats, scaleSize, type Plane, type Point, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import type { Contact } from './contact.ts';
import type { Floor } from './plates.ts';
import type { Caster } from './shadows.ts';

const LOWEST_LIGHT_DEG = 22; // a lower light would throw the shadow out of the frame
const SHRINK = 0.5; // shadows are soft enough for half the resolution
const MIN_ALPHA = 0.1; // least alpha that casts a shadow
const ROUND = 0.9; // depth of a slice relative to its width
const PALER = 0.4; // share of the shadow that is lost at its far end
const WIDER = 1.2; // relative growth of softness with height, for a lamp of softness 1

/**
 * The share of light that is blocked at each pixel. The body is modelled as horizontal slices, each rounded behind the
 * visible outline. Every column stands on the floor where the outline touches it, so a shadow starts under every foot,
 * also under one that stands further back. It is sharp at the foot and softens with the height of the slice.
 *
 * @param surface 0..1 over the whole picture: where a surface receives shadows
 */
export function makeCast(plate: Floor, caster: Caster, surface: Plane): Plane {
  const small = shrink(caster);
  const levels = [0, 1, 2].map(() => makePlane(scaleSize(surface, SHRINK)));
  drawLevels(levels, plate, small);
  const cast = resizePlane(sumLevels(levels, plate.light.softness, small.scale), surface);
  return { ...cast, data: mapFloats(cast.data, (share, i) => share * surface.data[i]!) };
}

/** Length of a shadow relative to the height of its caster. */
export function shadowLength(elevationDeg: number): number {
  return 1 / Math.tan((Math.max(elevationDeg, LOWEST_LIGHT_DEG) * Math.PI) / 180);
}

/** Sigmas of the blur of the three height levels up to the shadow's far end, in pixels of a plate. */
export function blursOf(softness: number): [number, number, number] {
  const sharp = 2 + 7 * softness;
  return [sharp, sharp * 2.2 + 3, sharp * 4.5 + 6];
}

type Small = Omit<Caster, 'contact'> & {
  /** The ground row of every column. */
  ground: Float32Array;
};

function shrink({ contact, ...caster }: Caster): Small {
  const size = scaleSize(caster.alpha, SHRINK);
  return {
    ...caster,
    alpha: resizePlane(caster.alpha, size),
    ground: findGroundRows(contact, caster.alpha, size),
    left: caster.left * SHRINK,
    top: caster.top * SHRINK,
    scale: caster.scale * SHRINK,
  };
}

/** Draws each slice into the two levels next to its height. */
function drawLevels(levels: Plane[], plate: Floor, small: Small) {
  const { alpha, ground, left, top } = small;
  const back = measureBack(plate, small);
  const azimuth = (plate.light.azimuthDeg * Math.PI) / 180;
  const reach = shadowLength(plate.light.elevationDeg);
  const [aside, away] = [-Math.sin(azimuth) * reach, Math.cos(azimuth) * reach];
  const highest = Math.max(...ground);
  for (let height = 0; height < highest; height += 1) {
    const slice = readSlice(alpha, ground, height);
    const far = Math.min(1, (height / highest) * (1 + WIDER * plate.light.softness));
    const shares = levels.map((_, n) => (1 - PALER * far) * Math.max(0, 1 - Math.abs(2 * far - n)));
    for (let x = 0; x < alpha.width; x += 1) {
      const [opacity, depth] = [slice.alpha[x]!, slice.depth[x]!];
      if (opacity < MIN_ALPHA) continue;
      const place = (up: number, behind: number) => ({
        x: left + x + 0.5 + aside * up + back.x * (away * up + behind),
        y: top + ground[x]! + back.y * (away * up + behind),
      });
      const [low, high] = [height, height + 1].map((up) => [place(up, 0), place(up, depth)] as const);
      const darks = shares.map((share) => opacity * share);
      drawBand(levels, low!, high!, darks);
    }
  }
}

/** Interpolated between two touching columns, constant beyond the outermost ones. */
function findGroundRows({ spots }: Contact, own: Size, { width, height }: Size): Float32Array {
  const rows = new Float32Array(width);
  let next = 0;
  for (let x = 0; x < width; x += 1) {
    const column = ((x + 0.5) * own.width) / width;
    while (next < spots.length && spots[next]!.x < column) next += 1;
    const [before, after] = [spots[next - 1] ?? spots[next], spots[next] ?? spots[next - 1]];
    const share = before && after && after.x > before.x ? (column - before.x) / (after.x - before.x) : 0;
    const row = before && after ? before.y + share * (after.y - before.y) : own.height;
    rows[x] = Math.round((row * height) / own.height);
  }
  return rows;
}

/**
 * The shift in the picture of a step on the floor away from the camera, relative to one to the right, at the middle of
 * the foot. A shadow is so short that the floor's perspective does not show in it.
 */
function measureBack({ floor }: Floor, { alpha, ground, left, top, scale, crop }: Small): Point {
  const [perMetre, skew, , , rise, , , tilt] = floor;
  const x = (left + alpha.width / 2) / scale + crop.x;
  const y = (top + ground[ground.length >> 1]!) / scale + crop.y;
  return { x: (skew - tilt * x) / perMetre, y: (rise - tilt * y) / perMetre };
}

/** Alpha of the pixels at this height above the ground, and the body's depth there in pixels. */
function readSlice({ data, width }: Plane, ground: Float32Array, height: number) {
  const alpha = ground.map((row, x) => (row > height ? data[(row - 1 - height) * width + x]! : 0));
  const depth = new Float32Array(width);
  for (let from = 0, x = 0; x <= width; x += 1) {
    if (x < width && alpha[x]! >= MIN_ALPHA) continue;
    for (let i = from; i < x; i += 1) depth[i] = ROUND * Math.sqrt((i + 0.5 - from) * (x - i - 0.5));
    from = x + 1;
  }
  return { alpha, depth };
}

type Edge = readonly [front: Point, back: Point];

/** Draws the band between two edges about a pixel apart into every level, where it is darker than what is there. */
function drawBand(levels: Plane[], [front, back]: Edge, [nextFront, nextBack]: Edge, darks: number[]): void {
  const { width, height } = levels[0]!;
  const lowest = Math.min(height - 1, Math.floor(front.y));
  for (let y = Math.max(0, Math.floor(back.y)); y <= lowest; y += 1) {
    const share = Math.min(1, (front.y - y) / Math.max(1, front.y - back.y));
    const [one, other] = [front.x + share * (back.x - front.x), nextFront.x + share * (nextBack.x - nextFront.x)];
    const first = Math.max(0, Math.floor(Math.min(one, other) - 0.5));
    const last = Math.min(width - 1, Math.floor(Math.max(one, other) + 0.5));
    for (let i = y * width + first; i <= y * width + last; i += 1) darken(levels, i, darks);
  }
}

function darken(levels: Plane[], i: number, darks: number[]): void {
  for (let n = 0; n < levels.length; n += 1) if (levels[n]!.data[i]! < darks[n]!) levels[n]!.data[i] = darks[n]!;
}

/** Sums the height levels, each blurred; higher ones are softer. */
function sumLevels(levels: Plane[], softness: number, scale: number): Plane {
  const [near, middle, far] = blursOf(softness).map((sigma, n) => softBlur(levels[n]!, sigma * scale).data);
  const data = mapFloats(near!, (share, i) => Math.min(1, share + middle![i]! + far![i]!));
  return { ...levels[0]!, data };
}
