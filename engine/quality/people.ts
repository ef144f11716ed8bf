/** Paths of pictures of people and garments, and checks of results. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSkinTest } from '../src/dress/cloth.ts';
import { findFaces } from '../src/people/faces.ts';
import { markFace } from '../src/people/skin.ts';
import { readWorn } from '../src/people/worn.ts';
import { toLabPlanes } from '../src/pixels/colour.ts';
import { readPicture } from '../src/pixels/decode.ts';
import { countOnes, dilate, erode, invert, keepWhere, threshold } from '../src/pixels/mask.ts';
import type { Mask, Rgb } from '../src/pixels/plane.ts';

const SAMPLES = fileURLToPath(new URL('../../web/public/samples/', import.meta.url));
const PORTRAITS = fileURLToPath(new URL('../../server/headshot-models/', import.meta.url));
const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));

export const samplePath = (name: string) => `${SAMPLES}${name}.jpg`;
export const portraitPath = (number: number) => `${PORTRAITS}studio-${number}.jpg`;
/** The path of `person-<number>`, a real person, or of `garment-<number>`, the product photo of that number. */
export const realPath = (name: string) =>
  `${PICTURES}${name.startsWith('garment') ? `real/${name.replace('garment', 'thing')}` : `people/${name}`}.jpg`;

/** Lists every real person of the index, with the uses of the photo. */
export function listRealPeople() {
  const [, ...rows] = readFileSync(`${PICTURES}people/index.tsv`, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [file = '', uses = ''] = row.split('\t');
    const name = basename(file, '.jpg');
    return {
      name,
      uses: uses.split(' '),
      half: Number(name.slice(-2)) % 2 === 0 ? ('tune' as const) : ('judge' as const),
    };
  });
}

const MAX_LEFT = 0.02; // share of the old clothes that may be unchanged
const SAME = 4; // of 255, in each colour
const MIN_OVERLAP = 0.5; // overlap of the colours with the garment's

/** Finds faults of a dress change: changed face or surroundings, remains of old clothes, wrong colours. */
export async function findDressFaults(made: string, person: string, garment: string): Promise<string[]> {
  const [result, photo, flat] = await Promise.all([made, person, garment].map((path) => readPicture(path)));
  if (!result || !photo || !flat) throw new Error('three pictures are needed');
  const faults: string[] = [];
  const isSame = (i: number) =>
    [0, 1, 2].every((c) => Math.abs(result.data[3 * i + c]! - photo.data[3 * i + c]!) <= SAME);
  const worn = await readWorn(photo);
  const [face] = await findFaces(photo);
  if (face) {
    // skin only: an old collar may cover the oval's edge
    const oval = keepWhere(markFace(face, photo), makeSkinTest(photo, { face }));
    if (countOnes(keepWhere(oval, (i) => !isSame(i))) > 0.01 * countOnes(oval)) faults.push('the face changed');
  }
  const away = erode(invert(threshold(worn.person, 0.1)), 0.06 * photo.width);
  if (countOnes(keepWhere(away, (i) => !isSame(i))) > 0.02 * countOnes(away)) faults.push('the surroundings changed');
  const cloth = erode(threshold(worn.upper, 0.9), 0.012 * photo.width);
  const isWornOpen = garment.endsWith('jacket.jpg');
  const old = isWornOpen ? keepSides(cloth) : cloth;
  const left = countOnes(keepWhere(old, isSame)) / Math.max(1, countOnes(old));
  // old clothes of the garment's own colours cannot be distinguished
  if (left > MAX_LEFT && compareColours(flat, photo, old) <= MIN_OVERLAP)
    faults.push(`${Math.round(100 * left)} % of the old clothes left`);
  const like = compareColours(
    flat,
    result,
    keepWhere(old, (i) => !isSame(i)),
  );
  if (like < MIN_OVERLAP) faults.push(`colours overlap by ${like.toFixed(2)} only`);
  return faults;
}

/** Removes the middle third, where an open jacket shows the old clothes. */
function keepSides(cloth: Mask): Mask {
  const columns = [...cloth.data.keys()].filter((i) => cloth.data[i]).map((i) => i % cloth.width);
  const [from, to] = columns.reduce(([min, max], x) => [Math.min(min, x), Math.max(max, x)], [cloth.width, 0]);
  return keepWhere(cloth, (i) => Math.abs((i % cloth.width) - (from + to) / 2) > (to - from) / 6);
}

const BIN = 14; // Lab units; light is binned three times as coarsely, because folds change it

/** Share of the marked pixels, 0..1, whose colour also occurs in the flat picture, within one bin. */
function compareColours(flat: Rgb, worn: Rgb, mask: Mask): number {
  const key = (l: number, a: number, b: number) =>
    `${Math.round(l / (3 * BIN))} ${Math.round(a / BIN)} ${Math.round(b / BIN)}`;
  const known = new Set<string>();
  const own = toLabPlanes(flat);
  for (let i = 0; i < own.l.length; i += 7) {
    for (const step of [-0.7, 0, 0.7]) known.add(key(own.l[i]! + 3 * step * BIN, own.a[i]!, own.b[i]!));
  }
  const { l, a, b } = toLabPlanes(worn);
  const isKnown = (i: number) => known.has(key(l[i]!, a[i]!, b[i]!));
  return countOnes(keepWhere(mask, isKnown)) / Math.max(1, countOnes(mask));
}

/** Finds faults of a headshot: not exactly one face, a low or small head, remains on the wall. */
export async function findHeadshotFaults(made: string): Promise<string[]> {
  const picture = await readPicture(made);
  const faults: string[] = [];
  const [face, ...others] = await findFaces(picture);
  if (!face || others.length > 0) return ['not one face'];
  if (face.box.top + face.box.height > 0.8 * picture.height) faults.push('the head stands low');
  if (face.box.height < 0.2 * picture.height) faults.push('the head is small');
  const { person } = await readWorn(picture);
  const away = keepWhere(
    invert(dilate(threshold(person, 0.2), 0.25 * face.box.width)),
    (i) => i < (face.box.top + face.box.height) * picture.width,
  );
  const { l, a, b } = toLabPlanes(picture);
  const sorted = [l, a, b].map((plane) => plane.filter((_, i) => away.data[i]).toSorted());
  const [light, red, yellow] = sorted.map((values) => values[values.length >> 1] ?? 0) as [number, number, number];
  const odd = keepWhere(away, (i) => Math.hypot((l[i]! - light) / 2, a[i]! - red, b[i]! - yellow) > 12);
  if (countOnes(odd) > 0.01 * countOnes(away)) faults.push('something of the old picture beside the head');
  return faults;
}
