/** How well a garment sits: figures per person and garment, and what counts as not good enough. */
import sharp from 'sharp';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { readPicture } from '../src/pixels/decode.ts';
import type { Rgb, Size } from '../src/pixels/plane.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { toLab } from '../src/pixels/colour.ts';
import { run } from '../src/skills/try-on.ts';
import { readTruth, samplePath } from './people.ts';

export type TryOnRow = {
  name: string;
  /** Overlap of the Lab histograms of the garment and of what was put on the person, 0..1. */
  sameColours: number;
  /** Of the pixels of face, hair and hands, how many changed. */
  changedOnPerson: number;
  /** Of the pixels farther than a sleeve from the person, how many changed. */
  changedBeside: number;
  /** Of the person's chest, how much was changed. */
  dressed: number;
  /**
   * Rows from stripe to stripe, on the person over what the garment's size there asks for; only where there are
   * stripes.
   */
  stripes: number | undefined;
  cpuMs: number;
};

export async function measureTryOn(person: string, garment: string, folder: string): Promise<TryOnRow> {
  const pictures = { model_image: samplePath(`person-${person}`), garment_image: samplePath(`garment-${garment}`) };
  const before = process.cpuUsage();
  const result = await run({ input: {}, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} });
  const { user, system } = process.cpuUsage(before);
  const [file] = result['images'] as PictureFile[];
  if (!file) throw new Error('no picture came');
  const [old, now] = [await readPicture(pictures.model_image, 'model_image'), await readPicture(file.local_path, 'x')];
  const flat = await readPicture(pictures.garment_image, 'garment_image');
  const changed = markChanges(old, now);
  const figure = await readTruth(`person-${person}`, old);
  return {
    name: `${person} ${garment}`,
    sameColours: compareColours(flat, await readTruth(`garment-${garment}`, flat), now, changed),
    changedOnPerson: shareIn(changed, keepBox(figure, old, FACE)),
    changedBeside: shareIn(changed, markFarAway(figure, old)),
    dressed: shareIn(changed, keepBox(figure, old, CHEST)),
    stripes: garment === 'striped' ? measureStripes(flat, 0.5, now, 0.5) : undefined,
    cpuMs: (user + system) / 1000,
  };
}

type Part = {
  left: number;
  right: number;
  top: number;
  bottom: number;
};

/** Shares of the picture; the sample people stand alike. */
const FACE: Part = { left: 0.4, right: 0.6, top: 0.1, bottom: 0.29 };
const CHEST: Part = { left: 0.4, right: 0.6, top: 0.46, bottom: 0.7 };

function keepBox(mask: Float32Array, { width, height }: Size, box: Part): Float32Array {
  return mask.map((value, i) => {
    const x = (i % width) / width;
    const y = Math.floor(i / width) / height;
    return value > 0.9 && x > box.left && x < box.right && y > box.top && y < box.bottom ? 1 : 0;
  });
}

/** The wall above the shoulders and along the picture's sides. */
function markFarAway(figure: Float32Array, { width, height }: Size): Float32Array {
  return figure.map((value, i) => {
    const x = (i % width) / width;
    const y = Math.floor(i / width) / height;
    return value === 0 && (y < 0.28 || ((x < 0.1 || x > 0.9) && y < 0.6)) ? 1 : 0;
  });
}

function markChanges(one: Rgb, other: Rgb): Float32Array {
  return Float32Array.from({ length: one.width * one.height }, (_, i) =>
    [0, 1, 2].some((c) => one.data[i * 3 + c] !== other.data[i * 3 + c]) ? 1 : 0,
  );
}

function shareIn(changed: Float32Array, part: Float32Array): number {
  let inside = 0;
  let both = 0;
  for (let i = 0; i < part.length; i += 1) {
    inside += part[i]!;
    both += part[i]! * changed[i]!;
  }
  return both / Math.max(1, inside);
}

const BIN = 16; // Lab units: shading moves lightness by this much without changing the cloth

function compareColours(flat: Rgb, garment: Float32Array, worn: Rgb, changed: Float32Array): number {
  const [one, other] = [countColours(flat, garment), countColours(worn, changed)];
  let overlap = 0;
  for (const [bin, share] of one) overlap += Math.min(share, other.get(bin) ?? 0);
  return overlap;
}

/** Shares by hue and chroma in fine bins and by lightness in coarse ones. */
function countColours({ data: rgb }: Rgb, mask: Float32Array): Map<string, number> {
  const bins = new Map<string, number>();
  let count = 0;
  for (let i = 0; i < mask.length; i += 1) {
    if (mask[i]! < 0.9) continue;
    const [l, a, b] = toLab(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
    const bin = `${Math.floor(l / (2 * BIN))} ${Math.round(a / BIN)} ${Math.round(b / BIN)}`;
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
    count += 1;
  }
  for (const [bin, pixels] of bins) bins.set(bin, pixels / Math.max(1, count));
  return bins;
}

/** Stripe period in the column of the worn garment over the flat one's, each as a share of its own chest width. */
function measureStripes(flat: Rgb, flatColumn: number, worn: Rgb, wornColumn: number): number {
  return findPeriod(worn, wornColumn, 0.42, 0.66) / FLAT_TO_WORN / findPeriod(flat, flatColumn, 0.35, 0.75);
}

const FLAT_TO_WORN = 0.7; // chest of the sample people over chest of the striped top, in pixels, on the mean

/** Mean rows between beginnings of dark stripes. */
function findPeriod({ data: rgb, width, height }: Rgb, column: number, from: number, to: number): number {
  const x = Math.round(column * width);
  const starts: number[] = [];
  let wasDark = true;
  for (let y = Math.round(from * height); y < to * height; y += 1) {
    const [, , b] = toLab(rgb[(y * width + x) * 3]!, rgb[(y * width + x) * 3 + 1]!, rgb[(y * width + x) * 3 + 2]!);
    const isDark = b < -14;
    if (isDark && !wasDark) starts.push(y);
    wasDark = isDark;
  }
  return (starts.at(-1)! - starts[0]!) / Math.max(1, starts.length - 1);
}

export function findTryOnFaults(rows: TryOnRow[]): string[] {
  const faults: string[] = [];
  for (const row of rows) {
    if (row.sameColours < 0.75) faults.push(`${row.name}: colours overlap by ${row.sameColours.toFixed(2)} only`);
    if (row.changedOnPerson > 0) faults.push(`${row.name}: face or hair changed`);
    if (row.changedBeside > 0) faults.push(`${row.name}: the wall changed`);
    if (row.dressed < 0.85) faults.push(`${row.name}: only ${row.dressed.toFixed(2)} of the chest is dressed`);
    if (row.stripes !== undefined && Math.abs(row.stripes - 1) > 0.15) {
      faults.push(`${row.name}: stripes ${row.stripes.toFixed(2)} times as far apart`);
    }
  }
  return faults;
}

/** Two pictures side by side, as one file: for refusals of several people. */
export async function placeSideBySide(one: string, other: string, file: string): Promise<void> {
  const parts = await Promise.all(
    [one, other].map(async (path) => sharp(path).resize(480, 640, { fit: 'cover' }).toBuffer()),
  );
  await sharp({ create: { width: 960, height: 640, channels: 3, background: '#bbb' } })
    .composite(parts.map((input, n) => ({ input, left: 480 * n, top: 0 })))
    .jpeg({ quality: 90 })
    .toFile(file);
}
