/** How good headshots and try-ons are: figures per picture, and what counts as not good enough. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { findJoints } from '../src/people/bodies.ts';
import { findFaces } from '../src/people/faces.ts';
import type { Point, Rgb, Size } from '../src/pixels/plane.ts';
import { swapFace, type Person, type SwappedFace } from '../src/people/face-swap.ts';
import { findFigure, readPose } from '../src/people/figure.ts';
import { OVAL } from '../src/people/landmarks.ts';
import { lookForFaces } from '../src/people/networks.ts';
import { fillPolygon } from '../src/pixels/shapes.ts';
import { pick } from '../src/people/skin.ts';
import { pasteCrop } from '../src/people/crops.ts';
import { readPicture } from '../src/pixels/decode.ts';
import { toLab } from '../src/pixels/colour.ts';

const SAMPLES = fileURLToPath(new URL('../../web/public/samples/', import.meta.url));
const PORTRAITS = fileURLToPath(new URL('../../server/headshot-models/', import.meta.url));
const MASKS = fileURLToPath(new URL('./pictures/people/', import.meta.url));

export const PEOPLE = ['li', 'nora', 'tom'];
export const GARMENTS = ['dress', 'jacket', 'striped', 'tshirt'];
export const samplePath = (name: string) => `${SAMPLES}${name}.jpg`;
export const portraitPath = (number: number) => `${PORTRAITS}studio-${number}.jpg`;

export async function readPerson(path: string): Promise<Person> {
  const picture = await readPicture(path, 'face_image_0');
  const [face] = await findFaces(picture);
  if (!face) throw new Error(`no face in ${path}`);
  return { picture, face };
}

/** The truth about a sample, 0..1 per pixel of the asked-for size. */
export async function readTruth(name: string, { width, height }: Size): Promise<Float32Array> {
  const bytes = await sharp(`${MASKS}${name}.mask.png`)
    .resize(width, height, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  return Float32Array.from(bytes, (value) => value / 255);
}

/** Intersection over union at one half. */
export function measureIou(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let both = 0;
  let either = 0;
  for (let i = 0; i < one.length; i += 1) {
    const a = one[i]! > 0.5;
    const b = other[i]! > 0.5;
    if (a && b) both += 1;
    if (a || b) either += 1;
  }
  return both / Math.max(1, either);
}

export async function measureFigure(person: string): Promise<number> {
  const { picture, face } = await readPerson(samplePath(`person-${person}`));
  const pose = readPose(face, await findJoints(picture));
  if (!pose) throw new Error(`no pose for ${person}`);
  return measureIou((await findFigure(picture, pose)).data, await readTruth(`person-${person}`, picture));
}

export type SwapRow = {
  name: string;
  /** Mean distance of the result's outline from the portrait's, share of the face's width. */
  outlineError: number;
  /** Gradient in the seam, result over portrait. */
  seamRatio: number;
  /** Mean Lab difference of the two sides of the seam, less what the portrait itself has there. */
  skinStep: number;
  /** Of the pixels that should not change, how many did. */
  changedOutside: number;
  likenessToUser: number;
  likenessToPortrait: number;
};

export async function measureSwap(name: string, portrait: Person, user: Person): Promise<SwapRow> {
  const swapped = await swapFace(portrait, user);
  const whole = pasteCrop(portrait.picture, swapped.crop, swapped.rgb);
  const { points, box } = portrait.face;
  const [found] = await findFaces(whole);
  if (!found) throw new Error(`no face in the result of ${name}`);
  const own = await describe({ picture: whole, face: found });
  const users = await describe(user);
  const portraits = await describe(portrait);
  return {
    name,
    outlineError: meanDistance(pick(found.points, OVAL), pick(points, OVAL)) / box.width,
    ...measureSeam(swapped, { ...swapped.crop.picture, data: swapped.rgb }),
    changedOutside: countChanged(swapped),
    likenessToUser: compareFaces(own, users),
    likenessToPortrait: compareFaces(own, portraits),
  };
}

/**
 * The network's description of the face alone: hair, clothes and skin tone are meant to be the portrait's and would
 * speak for it, so what lies outside the outline is grey and the light inside is levelled.
 */
async function describe({ picture, face }: Person): Promise<readonly number[]> {
  const { width, height } = picture;
  const inside = fillPolygon(pick(face.points, OVAL), picture).data;
  const light = Float32Array.from(
    inside,
    (_, i) => 0.3 * picture.data[i * 3]! + 0.59 * picture.data[i * 3 + 1]! + 0.11 * picture.data[i * 3 + 2]!,
  );
  const values = light.filter((_, i) => inside[i]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const rgb = new Uint8Array(picture.data.length).fill(128);
  for (let i = 0; i < inside.length; i += 1) {
    if (inside[i]) rgb.fill(Math.min(255, Math.max(0, 150 + (36 * (light[i]! - mean)) / spread)), i * 3, i * 3 + 3);
  }
  const { result } = await lookForFaces({ data: rgb, width, height }, true);
  const numbers = result.face[0]?.embedding;
  if (!numbers) throw new Error('the face could not be described');
  return numbers;
}

/** Cosine of two descriptions: 1 for the same face. */
export function compareFaces(one: readonly number[], other: readonly number[]): number {
  let dot = 0;
  let a = 0;
  let b = 0;
  for (const [n, value] of one.entries()) {
    dot += value * other[n]!;
    a += value * value;
    b += other[n]! * other[n]!;
  }
  return dot / Math.sqrt(a * b);
}

function meanDistance(one: Point[], other: Point[]): number {
  return one.reduce((sum, { x, y }, n) => sum + Math.hypot(x - other[n]!.x, y - other[n]!.y), 0) / one.length;
}

// Lab units, the just noticeable difference (Mahy et al. 1994): ratios of smaller steps say nothing
const JUST_SEEN = 2.3;
const ACROSS = 3; // pixels on either side of the seam
const OTHER_EDGE = 8; // Lab units: a step of the portrait's own, hair or brow, which the seam may well end

function measureSeam({ cover, crop }: SwappedFace, result: Rgb): Pick<SwapRow, 'seamRatio' | 'skinStep'> {
  const { width } = result;
  let before = 0;
  let after = 0;
  let step = 0;
  let count = 0;
  for (let i = ACROSS * width; i < cover.data.length - ACROSS * width; i += 1) {
    if (cover.data[i]! < 0.3 || cover.data[i]! > 0.7) continue;
    for (const side of [ACROSS, ACROSS * width]) {
      const old = labStep(crop.picture, i - side, i + side);
      if (old > OTHER_EDGE) continue;
      const now = labStep(result, i - side, i + side);
      before += old;
      after += now;
      step += Math.max(0, now - old);
      count += 1;
    }
  }
  return { seamRatio: (after + count * JUST_SEEN) / (before + count * JUST_SEEN), skinStep: step / Math.max(1, count) };
}

function labStep({ data: rgb }: Rgb, one: number, other: number): number {
  const a = toLab(rgb[one * 3]!, rgb[one * 3 + 1]!, rgb[one * 3 + 2]!);
  const b = toLab(rgb[other * 3]!, rgb[other * 3 + 1]!, rgb[other * 3 + 2]!);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function countChanged({ cover, crop, rgb }: SwappedFace): number {
  let changed = 0;
  for (let n = 0; n < rgb.length; n += 1) {
    const i = Math.floor(n / 3);
    if (cover.data[i]! <= 0 && rgb[n] !== crop.picture.data[n]) changed += 1;
  }
  return changed;
}

export function findSwapFaults(rows: SwapRow[]): string[] {
  const faults: string[] = [];
  for (const row of rows) {
    if (row.outlineError > 0.02)
      faults.push(`${row.name}: the outline is off by ${(100 * row.outlineError).toFixed(1)} %`);
    if (row.seamRatio < 0.8 || row.seamRatio > 1.25) faults.push(`${row.name}: seam ratio ${row.seamRatio.toFixed(2)}`);
    if (row.skinStep > 3) faults.push(`${row.name}: skin step ${row.skinStep.toFixed(1)}`);
    if (row.changedOutside > 0) faults.push(`${row.name}: ${row.changedOutside} bytes changed outside`);
  }
  const alike = rows.filter((row) => row.likenessToUser > row.likenessToPortrait).length;
  if (alike < 0.8 * rows.length) faults.push(`only ${alike} of ${rows.length} look more like the user`);
  return faults;
}
