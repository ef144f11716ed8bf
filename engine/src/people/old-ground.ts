/** Bits of the old ground in a cut-out head: between curls, behind braids, along a brim. */
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { dilate, erode, threshold } from '../pixels/mask.ts';
import { mapBytes, mapFloats, smoothStep, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import type { Face } from './faces.ts';
import { markFace } from './skin.ts';

// face widths from the outlines: so deep in the person, so far from all that any network sees, samples are taken
const DEEP = 0.12;
const BESIDE = 0.02;
const STEP = 0.035; // face widths between samples
const REACH = 0.6; // face widths: samples farther away tell nothing
const AWAY = 24; // Lab units: a face width of distance counts like so much of another colour
const LIKER = { hardly: 4, surely: 12 }; // Lab units by which the ground's nearest sample is nearer than the person's

/** What the networks see, 0..1 per pixel: the person, and all that may be the person's. */
export type Seen = { person: Plane; things: readonly Plane[] };

/** The cut-out 0..1 without what looks like the ground near by and unlike the person near by, above the chin. */
export function dropOldGround(picture: Rgb, alpha: Plane, face: Face, seen: Seen): Plane {
  const chin = Math.round(face.box.top + face.box.height) * alpha.width;
  const oval = markFace(face, alpha).data;
  const sides = sortSides(alpha, face, seen);
  const compare = compareSides(toLabPlanes(picture), sides, alpha, face.box.width);
  const isOpen = (value: number, i: number) => value > 0 && i < chin && !oval[i] && sides[i] === OPEN;
  const keep = (i: number) => 1 - smoothStep(LIKER.hardly, LIKER.surely, compare(i));
  return { ...alpha, data: mapFloats(alpha.data, (value, i) => (isOpen(value, i) ? value * keep(i) : value)) };
}

const [OPEN, PERSON, GROUND] = [0, 1, 2];

function sortSides(alpha: Plane, { box }: Face, { person, things }: Seen): Uint8Array {
  const both = mapFloats(alpha.data, (value, i) => Math.min(value, person.data[i]!));
  const own = erode(threshold({ ...alpha, data: both }, 0.9), DEEP * box.width).data;
  const found = mapBytes(person.data, (value, i) => Number(value > 0.05 || things.some(({ data }) => data[i]! > 0.05)));
  const near = dilate({ ...alpha, data: found }, BESIDE * box.width).data;
  return mapBytes(near, (on, i) => (own[i] ? PERSON : on ? OPEN : GROUND));
}

/** Tells of a pixel by how many Lab units it is nearer to the ground's samples than to the person's. */
function compareSides({ l, a, b }: Lab, sides: Uint8Array, { width, height }: Size, unit: number) {
  const step = Math.max(2, Math.round(STEP * unit));
  const { across, down, away } = listAround(Math.floor((REACH * unit) / step), (AWAY * step) / unit);
  return (i: number): number => {
    const [column, row] = [Math.floor((i % width) / step), Math.floor(i / width / step)];
    let [person, ground] = [(AWAY * REACH) ** 2, (AWAY * REACH) ** 2];
    for (let n = 0; n < away.length && away[n]! < person; n += 1) {
      // a ground that is farther does not count
      const x = (column + across[n]!) * step;
      const y = (row + down[n]!) * step;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const k = y * width + x;
      if (sides[k] === OPEN) continue;
      const other = away[n]! + (l[i]! - l[k]!) ** 2 / 4 + (a[i]! - a[k]!) ** 2 + (b[i]! - b[k]!) ** 2;
      if (sides[k] === PERSON) person = Math.min(person, other);
      else ground = Math.min(ground, other);
    }
    return Math.sqrt(person) - Math.sqrt(ground);
  };
}

/** Steps to all samples within reach, the nearest first; `away` is the square of what the distance counts. */
function listAround(reach: number, each: number): { across: Int32Array; down: Int32Array; away: Float64Array } {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, n) => n - reach);
  const all = steps
    .flatMap((down) => steps.map((across) => ({ across, down, away: each ** 2 * (across ** 2 + down ** 2) })))
    .sort((one, other) => one.away - other.away);
  return {
    across: Int32Array.from(all, ({ across }) => across),
    down: Int32Array.from(all, ({ down }) => down),
    away: Float64Array.from(all, ({ away }) => away),
  };
}
