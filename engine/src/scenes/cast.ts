/** The shadow that a product casts on the floor it stands on. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, mapFloats, scaleSize, type Plane, type Point, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import type { Contact } from './contact.ts';
import type { Floor, Matrix } from './plates.ts';
import type { Standing } from './shadows.ts';

const LOWEST_LIGHT_DEG = 22; // below it the shadow would leave the frame
const SHRINK = 0.5; // a shadow is soft
const RIM = 3; // px of the plate: so soft a surface ends
const COVERED = 0.1; // least cover of what casts a shadow
const ROUND = 0.9; // depth of a slice, of its width
const PALER = 0.4; // of the shadow is lost at its far end
const WIDER = 1.2; // times as far from the foot, by a lamp of softness 1

/** Where a column of the body stands on the floor, in metres; there one of its pixels is so many metres. */
type Column = Point & { metres: number };

/**
 * Share of the light that is missing. The body is a pile of slices, each round behind the outline that is seen; each
 * column of it stands on the floor where the outline touches it, and its height throws its shadow from there. So a
 * shadow begins under every foot, also where one stands further back. It is sharp at the foot and dissolves with the
 * height of what casts it.
 *
 * @param surface 0..1 over the whole picture: where there is something to receive a shadow
 */
export function makeCast(plate: Floor, standing: Standing, surface: Plane): Plane {
  const small = shrink(standing);
  const levels = [0, 1, 2].map(() => makePlane(scaleSize(surface, SHRINK)));
  drawLevels(levels, plate, small);
  const cast = resizePlane(join(levels, plate.light.softness, small.scale), surface);
  const receives = softBlur(surface, RIM * standing.scale).data;
  return { ...cast, data: mapFloats(cast.data, (share, i) => share * receives[i]!) };
}

/** Length of a shadow, of the height of what casts it. */
export function reachOf(elevationDeg: number): number {
  return 1 / Math.tan((Math.max(elevationDeg, LOWEST_LIGHT_DEG) * Math.PI) / 180);
}

/** Sigma at the far end of a shadow, in pixels of a plate. */
export function farthestBlur(softness: number): number {
  return blursOf(softness)[2];
}

/** Sigmas of the three levels of height, in pixels of a plate. */
function blursOf(softness: number): [number, number, number] {
  const sharp = 2 + 7 * softness;
  return [sharp, sharp * 2.2 + 3, sharp * 4.5 + 6];
}

type Small = Omit<Standing, 'contact'> & Pick<Contact, 'feet'>;

function shrink({ alpha, contact, left, top, scale, toPicture }: Standing): Small {
  const size = scaleSize(alpha, SHRINK);
  const [sx, sy] = [size.width / alpha.width, size.height / alpha.height];
  const feet = contact.feet.map(({ x, y }) => ({ x: x * sx, y: y * sy }));
  return {
    alpha: resizePlane(alpha, size),
    feet,
    left: left * SHRINK,
    top: top * SHRINK,
    scale: scale * SHRINK,
    toPicture: multiply([SHRINK, 0, 0, 0, SHRINK, 0, 0, 0, 1], toPicture),
  };
}

/** Each slice into the levels between which its height lies. */
function drawLevels(levels: Plane[], { floor, light }: Floor, { alpha, feet, left, top, toPicture }: Small) {
  const toShown = multiply(toPicture, floor);
  const ground = levelGround(feet, alpha);
  const columns = placeColumns({ left, top }, ground, toShown);
  const azimuth = (light.azimuthDeg * Math.PI) / 180;
  const reach = reachOf(light.elevationDeg);
  const thrown = { x: -Math.sin(azimuth) * reach, y: Math.cos(azimuth) * reach };
  const highest = Math.max(...ground);
  for (let height = 0; height < highest; height += 1) {
    const slice = readSlice(alpha, ground, height);
    const far = Math.min(1, (height / highest) * (1 + WIDER * light.softness));
    const shares = levels.map((_, n) => (1 - PALER * far) * Math.max(0, 1 - Math.abs(2 * far - n)));
    for (const [x, { metres, ...foot }] of columns.entries()) {
      const [cover, depth] = [slice.cover[x]!, slice.depth[x]!];
      if (cover < COVERED) continue;
      const place = (up: number, behind: number) => {
        const rise = up * metres;
        return project(toShown, foot.x + thrown.x * rise, foot.y + thrown.y * rise + behind * metres);
      };
      const [low, high] = [height, height + 1].map((up) => [place(up, 0), place(up, depth)] as const);
      const darks = shares.map((share) => cover * share);
      drawBand(levels, low!, high!, darks);
    }
  }
}

/** The row of every column on which what is above it stands: between two feet in between, beyond the last as that. */
function levelGround(feet: Point[], { width, height }: Size): Float32Array {
  const rows = new Float32Array(width);
  let next = 0;
  for (let x = 0; x < width; x += 1) {
    while (next < feet.length && feet[next]!.x < x + 0.5) next += 1;
    const [before, after] = [feet[next - 1] ?? feet[next], feet[next] ?? feet[next - 1]];
    const share = before && after && after.x > before.x ? (x + 0.5 - before.x) / (after.x - before.x) : 0;
    rows[x] = before && after ? before.y + share * (after.y - before.y) : height;
  }
  return rows;
}

function placeColumns(
  { left, top }: Pick<Standing, 'left' | 'top'>,
  ground: Float32Array,
  toPicture: Floor['floor'],
): Column[] {
  const toFloor = invertMatrix(toPicture);
  return Array.from(ground, (row, x) => {
    const foot = project(toFloor, left + x + 0.5, top + row);
    const beside = project(toFloor, left + x + 1.5, top + row);
    return { ...foot, metres: beside.x - foot.x };
  });
}

/** Cover of the pixels so high above the ground, and how deep the body is there, in pixels. */
function readSlice({ data, width }: Plane, ground: Float32Array, height: number) {
  const cover = ground.map((row, x) => (row >= height + 1 ? data[(Math.round(row) - 1 - height) * width + x]! : 0));
  const depth = new Float32Array(width);
  for (let from = 0, x = 0; x <= width; x += 1) {
    if (x < width && cover[x]! >= COVERED) continue;
    for (let i = from; i < x; i += 1) depth[i] = ROUND * Math.sqrt((i + 0.5 - from) * (x - i - 0.5));
    from = x + 1;
  }
  return { cover, depth };
}

type Edge = readonly [front: Point, back: Point];

/**
 * What lies between two edges that are hardly a pixel apart, in every level where it is darker than what is there.
 * Behind the camera front and back change places, and nothing lies between them.
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

/** Three levels of height, the higher the softer. */
function join(levels: Plane[], softness: number, scale: number): Plane {
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

/** A point through a homography. */
export function project(m: Matrix, x: number, y: number): Point {
  const depth = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / depth, y: (m[3] * x + m[4] * y + m[5]) / depth };
}
