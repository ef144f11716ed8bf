/** Faults of headshots and dress changes that can be measured in the picture alone, without the engine's own masks. */
import { findFaces, type Face } from '../src/people/faces.ts';
import { CHIN } from '../src/people/landmarks.ts';
import { paintSkin } from '../src/people/skin.ts';
import { measureUnlikeWall } from '../src/people/wall.ts';
import type { Rgb } from '../src/pixels/plane.ts';
import { toLab } from '../src/pixels/colour.ts';

type Lab = [number, number, number];

const MOST_HUE = 7; // Lab units of a and b together between the user's cheeks in the photo and in the headshot
const MOST_LIGHT = 15; // Lab lightness, likewise: other lamps may be brighter
const MOST_NECK_HUE = 9; // between the headshot's cheeks and its neck
const MOST_NECK_LIGHT = 20; // necks lie in the chin's shadow
const MOST_GHOST = 0.001; // of the picture, apart from the person and unlike the wall, beyond the portrait's own
const MOST_HALO = 1; // Lab units beyond the portrait's own, mean over the ring about the person

/** Names of what is wrong with a headshot; none when it can be sold. */
export async function findHeadshotFaults(result: Rgb, photo: Rgb, portrait: Rgb): Promise<string[]> {
  const [[face], [own], [before]] = [await findFaces(result), await findFaces(photo), await findFaces(portrait)];
  if (!face || !own || !before) return ['no face'];
  const faults: string[] = [];
  const [now, was] = [meanSkin(result, face), meanSkin(photo, own)];
  const hue = Math.hypot(now[1] - was[1], now[2] - was[2]);
  if (hue > MOST_HUE || Math.abs(now[0] - was[0]) > MOST_LIGHT) faults.push(`skin moved ${describe(now, was)}`);
  const neck = meanNeck(result, face);
  const step = Math.hypot(neck[1] - now[1], neck[2] - now[2]);
  if (step > MOST_NECK_HUE || Math.abs(neck[0] - now[0]) > MOST_NECK_LIGHT) {
    faults.push(`neck of another skin ${describe(neck, now)}`);
  }
  const old = measureSurroundings(portrait, before);
  const { ghost, halo } = measureSurroundings(result, face);
  if (ghost > old.ghost + MOST_GHOST) faults.push(`ghost ${(100 * ghost).toFixed(2)} %`);
  if (halo > old.halo + MOST_HALO) faults.push(`halo ${halo.toFixed(1)}`);
  return faults;
}

function describe(one: Lab, other: Lab): string {
  return one.map((value, n) => (value - other[n]!).toFixed(0)).join(' ');
}

function meanSkin(picture: Rgb, { points }: Face): Lab {
  const skin = paintSkin(points, picture).data;
  return meanLab(picture, (i) => skin[i] === 1);
}

/** A patch below the chin. */
function meanNeck(picture: Rgb, { points, box }: Face): Lab {
  const chin = points[CHIN]!;
  const [top, bottom] = [chin.y + 0.07 * box.height, chin.y + 0.15 * box.height];
  return meanLab(picture, (i) => {
    const y = Math.floor(i / picture.width);
    return y > top && y < bottom && Math.abs((i % picture.width) - chin.x) < 0.14 * box.width;
  });
}

function meanLab({ data: rgb, width, height }: Rgb, isIn: (i: number) => boolean): Lab {
  const sum: Lab = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < width * height; i += 1) {
    if (!isIn(i)) continue;
    for (const [c, value] of toLab(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!).entries()) sum[c]! += value;
    count += 1;
  }
  return sum.map((value) => value / Math.max(1, count)) as Lab;
}

const UNLIKE_WALL = 10; // Lab units: from here on a pixel is not the wall
const FLOATS = 6; // likewise, for what floats beside the person

/**
 * `ghost`: what is unlike the wall and apart from the person, as a share of the picture; `halo`: how unlike it the ring
 * about the person is, in Lab units. The person is what differs from the picture's left and right edges, the wall what
 * lies well away from it; only above the shoulders.
 */
function measureSurroundings(picture: Rgb, { points, box }: Face): { ghost: number; halo: number } {
  const { data: rgb, width } = picture;
  const rows = Math.round(points[CHIN]!.y + 0.1 * box.height);
  const edges = new Float32Array(rows * width);
  for (let y = 0; y < rows; y += 1) {
    const [left, right] = [meanRow(picture, y, 0), meanRow(picture, y, width - EDGE)];
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const own = toLab(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!);
      const step = own.map((value, c) => value - left[c]! * (1 - x / width) - (right[c]! * x) / width);
      edges[y * width + x] = Math.hypot(step[0]!, step[1]!, step[2]!);
    }
  }
  const head: number[] = []; // pale skin may look like the wall: the hair leads on from there
  for (let y = Math.max(0, Math.round(box.top - 0.3 * box.height)); y < rows; y += 1) {
    for (let x = Math.round(box.left); x < box.left + box.width; x += 1) head.push(y * width + x);
  }
  const away = distanceTo(growFrom(edges, width, head), width, Math.round(0.05 * width));
  const upper = { data: rgb.subarray(0, rows * width * 3), width, height: rows };
  const wall = { width, height: rows, data: Uint8Array.from(away, (value) => (value > 0.035 * width ? 1 : 0)) };
  const unlike = measureUnlikeWall(upper, wall).data;
  let [ghost, halo, ring] = [0, 0, 0];
  for (let i = 0; i < unlike.length; i += 1) {
    if (away[i]! > 0.008 * width && unlike[i]! > FLOATS) ghost += 1;
    if (away[i]! <= 0.008 * width || away[i]! > 0.02 * width) continue;
    halo += unlike[i]!;
    ring += 1;
  }
  return { ghost: ghost / (width * picture.height), halo: halo / Math.max(1, ring) };
}

const EDGE = 12; // pixels at each side that show the wall

function meanRow({ data: rgb, width }: Rgb, y: number, from: number): Lab {
  const sum: Lab = [0, 0, 0];
  for (let x = from; x < from + EDGE; x += 1) {
    const at = (y * width + x) * 3;
    for (const [c, value] of toLab(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!).entries()) sum[c]! += value / EDGE;
  }
  return sum;
}

function growFrom(unlike: Float32Array, width: number, starts: readonly number[]): Uint8Array {
  const out = new Uint8Array(unlike.length);
  const stack = starts.filter((start) => unlike[start]! >= UNLIKE_WALL);
  for (const start of starts) out[start] = 1;
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    for (const next of [i - 1, i + 1, i - width, i + width]) {
      if (next < 0 || next >= out.length || out[next] || unlike[next]! < UNLIKE_WALL) continue;
      out[next] = 1;
      stack.push(next);
    }
  }
  return out;
}

/** City-block distance in pixels to the nearest one; `most` + 1 beyond `most`. */
function distanceTo(mask: Uint8Array, width: number, most: number): Uint16Array {
  const out = Uint16Array.from(mask, (value) => (value ? 0 : most + 1));
  const relax = (i: number, near: number) => {
    if (near >= 0 && near < out.length) out[i] = Math.min(out[i]!, out[near]! + 1);
  };
  for (let i = 0; i < out.length; i += 1) [i - 1, i - width].forEach((near) => relax(i, near));
  for (let i = out.length - 1; i >= 0; i -= 1) [i + 1, i + width].forEach((near) => relax(i, near));
  return out;
}

/** What is known of a dress change: the old clothes, the person, the garment laid flat, all with true masks 0..1. */
export type DressTruth = {
  old: Rgb;
  oldTop: Float32Array;
  figure: Float32Array;
  flat: Rgb;
  garment: Float32Array;
  isStriped: boolean;
  /** A jacket: what is worn below is seen in its opening. */
  isWornOpen: boolean;
};

const MOST_FOREIGN = 0.08; // of the old clothes' place: colours that the garment does not have
const MOST_OLD = 0.03; // of the old clothes' place: as it was
const MOST_BESIDE = 0.003; // of the wall beyond the reach of sleeves
const MOST_STAIRS = 0.03; // of a stripe's columns: steps of three rows and more
const MOST_SEAM = 14; // Lab units across one column, mean over the shoulder's rows

export function findDressFaults(worn: Rgb, truth: DressTruth): string[] {
  const faults: string[] = [];
  const palette = readPalette(truth.flat, truth.garment);
  let [place, foreign, same, beside, wall] = [0, 0, 0, 0, 0];
  const { width } = worn;
  const far = distanceTo(
    Uint8Array.from(truth.figure, (value) => (value > 0.02 ? 1 : 0)),
    width,
    40,
  );
  for (let i = 0; i < truth.oldTop.length; i += 1) {
    const isChanged = [0, 1, 2].some((c) => Math.abs(worn.data[i * 3 + c]! - truth.old.data[i * 3 + c]!) > 2);
    if (far[i]! > 30) {
      wall += 1;
      if (isChanged) beside += 1;
    }
    if (truth.oldTop[i]! < 0.95) continue;
    place += 1;
    if (!isChanged) same += 1;
    else if (!isIn(palette, worn, i)) foreign += 1;
  }
  if (foreign > MOST_FOREIGN * place) faults.push(`foreign colours ${((100 * foreign) / place).toFixed(0)} %`);
  if (!truth.isWornOpen && same > MOST_OLD * place) faults.push(`old clothes ${((100 * same) / place).toFixed(0)} %`);
  if (beside > MOST_BESIDE * wall) faults.push(`wall changed ${((100 * beside) / wall).toFixed(1)} %`);
  const seam = measureSeam(worn, truth.oldTop);
  if (seam > MOST_SEAM) faults.push(`shoulder seam ${seam.toFixed(0)}`);
  if (truth.isStriped) {
    const stairs = measureStairs(worn, truth.oldTop);
    if (stairs > MOST_STAIRS) faults.push(`stairs ${(100 * stairs).toFixed(0)} %`);
  }
  return faults;
}

const BIN = 10; // Lab units of hue

function readPalette(flat: Rgb, garment: Float32Array): Set<string> {
  const bins = new Map<string, number>();
  let count = 0;
  for (let i = 0; i < garment.length; i += 1) {
    if (garment[i]! < 0.95) continue;
    const [, a, b] = toLab(flat.data[i * 3]!, flat.data[i * 3 + 1]!, flat.data[i * 3 + 2]!);
    const bin = `${Math.round(a / BIN)} ${Math.round(b / BIN)}`;
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
    count += 1;
  }
  return new Set([...bins].filter(([, pixels]) => pixels > 0.0005 * count).map(([bin]) => bin));
}

/** Within one bin of a colour of the garment. */
function isIn(palette: Set<string>, { data: rgb }: Rgb, i: number): boolean {
  const [, a, b] = toLab(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
  const near = [-1, 0, 1];
  return near.some((m) => near.some((n) => palette.has(`${Math.round(a / BIN) + m} ${Math.round(b / BIN) + n}`)));
}

/** The strongest upright line between neck and armhole: Lab steps across one column, mean over the shoulder's rows. */
function measureSeam(worn: Rgb, top: Float32Array): number {
  const { width } = worn;
  const first = Math.floor(top.findIndex((value) => value > 0.9) / width);
  const rows = { from: first + 30, to: first + 130 };
  let most = 0;
  for (let x = 2; x < width - 2; x += 1) {
    let [sum, count] = [0, 0];
    for (let y = rows.from; y < rows.to; y += 1) {
      const i = y * width + x;
      if (top[i - 2]! < 0.99 || top[i + 2]! < 0.99) continue;
      sum += stepOf(worn, i - 1, i + 1);
      count += 1;
    }
    if (count > 60) most = Math.max(most, sum / count);
  }
  return most;
}

function stepOf({ data: rgb }: Rgb, one: number, other: number): number {
  const a = toLab(rgb[one * 3]!, rgb[one * 3 + 1]!, rgb[one * 3 + 2]!);
  const b = toLab(rgb[other * 3]!, rgb[other * 3 + 1]!, rgb[other * 3 + 2]!);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Of the columns along the upper edges of dark stripes, the share where the edge jumps by three rows and more. */
function measureStairs(worn: Rgb, top: Float32Array): number {
  const { width, height, data: rgb } = worn;
  const isDark = (i: number) => toLab(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!)[2] < -14;
  let last: number[] = [];
  let [jumps, steps] = [0, 0];
  for (let x = 0; x < width; x += 1) {
    const edges: number[] = [];
    for (let y = 1; y < height; y += 1) {
      const i = y * width + x;
      if (top[i]! > 0.99 && isDark(i) && !isDark(i - width)) edges.push(y);
    }
    for (const edge of edges) {
      const away = Math.min(...last.map((y) => Math.abs(y - edge)));
      if (!Number.isFinite(away) || away > 9) continue;
      steps += 1;
      if (away >= 3) jumps += 1;
    }
    last = edges;
  }
  return jumps / Math.max(1, steps);
}
