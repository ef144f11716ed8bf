/** Removes remains of the background from a cut-out head: between curls, behind braids, along a brim. */
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { dilate, erode, threshold } from '../pixels/mask.ts';
import { mapBytes, mapFloats, smoothStep, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import type { Face } from './faces.ts';
import { markFace } from './skin.ts';

// face widths from the outlines: samples are taken this deep in the person, and this far from every network's mask
const DEEP = 0.12;
const BESIDE = 0.02;
const STEP = 0.035; // face widths between samples
const REACH = 0.6; // face widths: farther samples are ignored
const AWAY = 24; // Lab units: weight of a face width of distance
const LIKER = { hardly: 4, surely: 12 }; // Lab units: how much closer the background's sample is

/** The networks' masks, 0..1: the person, and everything that may belong to the person. */
export type PersonMasks = { person: Plane; things: readonly Plane[] };

/** Removes pixels above the chin that look like nearby background and unlike the nearby person. Alpha 0..1. */
export function dropOldBackground(picture: Rgb, alpha: Plane, face: Face, masks: PersonMasks): Plane {
  const chin = Math.round(face.box.top + face.box.height) * alpha.width;
  const oval = markFace(face, alpha).data;
  const sides = sortSides(alpha, face, masks);
  const compare = compareSides(toLabPlanes(picture), sides, alpha, face.box.width);
  const isOpen = (value: number, i: number) => value > 0 && i < chin && !oval[i] && sides[i] === OPEN;
  const keep = (i: number) => 1 - smoothStep(LIKER.hardly, LIKER.surely, compare(i));
  return { ...alpha, data: mapFloats(alpha.data, (value, i) => (isOpen(value, i) ? value * keep(i) : value)) };
}

const [OPEN, PERSON, BACKGROUND] = [0, 1, 2];

function sortSides(alpha: Plane, { box }: Face, { person, things }: PersonMasks): Uint8Array {
  const both = mapFloats(alpha.data, (value, i) => Math.min(value, person.data[i]!));
  const own = erode(threshold({ ...alpha, data: both }, 0.9), DEEP * box.width).data;
  const found = mapBytes(person.data, (value, i) => Number(value > 0.05 || things.some(({ data }) => data[i]! > 0.05)));
  const near = dilate({ ...alpha, data: found }, BESIDE * box.width).data;
  return mapBytes(near, (on, i) => (own[i] ? PERSON : on ? OPEN : BACKGROUND));
}

/** Returns by how many Lab units a pixel is closer to background samples than to the person's. */
function compareSides({ l, a, b }: Lab, sides: Uint8Array, { width, height }: Size, unit: number) {
  const step = Math.max(2, Math.round(STEP * unit));
  const { across, down, away } = listAround(Math.floor((REACH * unit) / step), (AWAY * step) / unit);
  return (i: number): number => {
    const [column, row] = [Math.floor((i % width) / step), Math.floor(i / width / step)];
    let [person, background] = [(AWAY * REACH) ** 2, (AWAY * REACH) ** 2];
    for (let n = 0; n < away.length && away[n]! < person; n += 1) {
      // farther background does not count
      const x = (column + across[n]!) * step;
      const y = (row + down[n]!) * step;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const k = y * width + x;
      if (sides[k] === OPEN) continue;
      const other = away[n]! + (l[i]! - l[k]!) ** 2 / 4 + (a[i]! - a[k]!) ** 2 + (b[i]! - b[k]!) ** 2;
      if (sides[k] === PERSON) person = Math.min(person, other);
      else background = Math.min(background, other);
    }
    return Math.sqrt(person) - Math.sqrt(background);
  };
}

/** Offsets of all samples within reach, nearest first; `away`: the squared weight of the distance. */
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
