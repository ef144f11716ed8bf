/** The shadow that a product casts on its floor. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, mapFloats, scaleSize, type Plane, type Point } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import type { Contact } from './contact.ts';
import type { Floor, Matrix } from './plates.ts';
import type { Caster } from './shadows.ts';

const LOWEST_LIGHT_DEG = 22; // a lower light would throw the shadow out of the frame
const SHRINK = 0.5; // shadows are soft enough for half the resolution
const MIN_ALPHA = 0.1; // least alpha that casts a shadow
const ROUND = 0.9; // depth of a slice relative to its width
const PALER = 0.4; // share of the shadow that is lost at its far end
const WIDER = 1.2; // relative growth of softness with height, for a lamp of softness 1

/** A column's position on the floor in metres; `metres`: the size of one of its pixels there. */
type Column = Point & { metres: number };

/**
 * The share of light that is blocked at each pixel. The body is modelled as horizontal slices, each rounded behind the
 * visible outline, on the body's ground row. It is sharp at the foot and softens with the height of the slice.
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

type Small = Omit<Caster, 'contact'> & Pick<Contact, 'ground'>;

function shrink({ alpha, contact, left, top, scale, toPicture }: Caster): Small {
  const size = scaleSize(alpha, SHRINK);
  return {
    alpha: resizePlane(alpha, size),
    ground: Math.round((contact.ground * size.height) / alpha.height),
    left: left * SHRINK,
    top: top * SHRINK,
    scale: scale * SHRINK,
    toPicture: multiply([SHRINK, 0, 0, 0, SHRINK, 0, 0, 0, 1], toPicture),
  };
}

/** Draws each slice into the two levels next to its height. */
function drawLevels(levels: Plane[], { floor, light }: Floor, { alpha, ground, left, top, toPicture }: Small) {
  const toShown = multiply(toPicture, floor);
  const columns = placeColumns({ x: left, y: top + ground }, alpha.width, toShown);
  const azimuth = (light.azimuthDeg * Math.PI) / 180;
  const reach = shadowLength(light.elevationDeg);
  const thrown = { x: -Math.sin(azimuth) * reach, y: Math.cos(azimuth) * reach };
  for (let height = 0; height < ground; height += 1) {
    const slice = readSlice(alpha, ground - 1 - height);
    const far = Math.min(1, (height / ground) * (1 + WIDER * light.softness));
    const shares = levels.map((_, n) => (1 - PALER * far) * Math.max(0, 1 - Math.abs(2 * far - n)));
    for (const [x, { metres, ...foot }] of columns.entries()) {
      const [opacity, depth] = [slice.alpha[x]!, slice.depth[x]!];
      if (opacity < MIN_ALPHA) continue;
      const place = (up: number, behind: number) => {
        const rise = up * metres;
        return project(toShown, foot.x + thrown.x * rise, foot.y + thrown.y * rise + behind * metres);
      };
      const [low, high] = [height, height + 1].map((up) => [place(up, 0), place(up, depth)] as const);
      const darks = shares.map((share) => opacity * share);
      drawBand(levels, low!, high!, darks);
    }
  }
}

/** `start`: the left end of the ground row in the picture. */
function placeColumns(start: Point, length: number, toPicture: Matrix): Column[] {
  const toFloor = invertMatrix(toPicture);
  return Array.from({ length }, (_, x) => {
    const foot = project(toFloor, start.x + x + 0.5, start.y);
    const beside = project(toFloor, start.x + x + 1.5, start.y);
    return { ...foot, metres: beside.x - foot.x };
  });
}

/** Alpha of the pixels in a row, and the body's depth there in pixels. */
function readSlice({ data, width }: Plane, row: number) {
  const alpha = data.subarray(row * width, (row + 1) * width);
  const depth = new Float32Array(width);
  for (let from = 0, x = 0; x <= width; x += 1) {
    if (x < width && alpha[x]! >= MIN_ALPHA) continue;
    for (let i = from; i < x; i += 1) depth[i] = ROUND * Math.sqrt((i + 0.5 - from) * (x - i - 0.5));
    from = x + 1;
  }
  return { alpha, depth };
}

type Edge = readonly [front: Point, back: Point];

/**
 * Draws the band between two edges about a pixel apart into every level, where it is darker than what is there. Behind
 * the camera front and back are swapped and nothing is drawn.
 */
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

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((_, n) => {
    const [row, column] = [n - (n % 3), n % 3];
    return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
  }) as Matrix;
}

export function invertMatrix(m: Matrix): Matrix {
  const at = (row: number, column: number) => m[3 * (row % 3) + (column % 3)]!;
  const adjoint = m.map((_, n) => {
    const [column, row] = [Math.floor(n / 3), n % 3];
    return at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1);
  });
  const det = m[0] * adjoint[0]! + m[1] * adjoint[3]! + m[2] * adjoint[6]! || 1e-12;
  return adjoint.map((value) => value / det) as Matrix;
}

/** Maps a point by a homography. */
export function project(m: Matrix, x: number, y: number): Point {
  const depth = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / depth, y: (m[3] * x + m[4] * y + m[5]) / depth };
}
