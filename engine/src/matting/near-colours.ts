// How unlike the colours close by a pixel is. Over a whole picture product and background may share every colour, within a
// hand's breadth they do not.
import { boxBlur } from '../pixels/planes.ts';
import type { LabPlanes } from '../pixels/lab.ts';
import { clusterColours, type Cluster } from './background.ts';

const CELL = 32; // px
const REACH = 2; // cells
const CLUSTERS = 10;
const LEAST_PIXELS = 12;
const PER_PIXEL = 0.1; // Lab units that a colour loses with each pixel it is further away
const UNKNOWN = 40; // Lab units, where nothing is known close by
const CHROMA_WEIGHT = 1.5;

interface NearColour extends Cluster {
  x: number;
  y: number;
}

/** Lab distance (0..40) of the pixels asked `where` from the nearest colour that the known ones have around them. */
export function measureUnlikeNear(
  lab: LabPlanes,
  known: Uint8Array,
  where: Uint8Array,
  width: number,
  height: number,
): Float32Array {
  const columns = Math.ceil(width / CELL);
  const cells = learnCells(lab, known, width, height);
  const around = cells.map((_, cell) =>
    cells.filter((_other, n) => Math.max(...apart(cell, n, columns)) <= REACH).flat(),
  );
  const out = new Float32Array(known.length);
  for (let i = 0; i < out.length; i += 1) {
    if (!where[i]) continue;
    const x = i % width;
    const y = (i - x) / width;
    out[i] = distanceToNear(lab, i, x, y, around[Math.floor(y / CELL) * columns + Math.floor(x / CELL)]!);
  }
  return boxBlur(out, width, height, 1);
}

/** How many columns and rows two cells lie apart. */
function apart(one: number, other: number, columns: number): [number, number] {
  const rows = Math.floor(one / columns) - Math.floor(other / columns);
  return [Math.abs((one % columns) - (other % columns)), Math.abs(rows)];
}

function learnCells(lab: LabPlanes, known: Uint8Array, width: number, height: number): NearColour[][] {
  const columns = Math.ceil(width / CELL);
  const places = Array.from({ length: columns * Math.ceil(height / CELL) }, (): number[] => []);
  for (let i = 0; i < known.length; i += 1) {
    if (known[i]) places[Math.floor(Math.floor(i / width) / CELL) * columns + Math.floor((i % width) / CELL)]!.push(i);
  }
  return places.map((pixels, cell) => {
    if (pixels.length < LEAST_PIXELS) return [];
    const x = ((cell % columns) + 0.5) * CELL;
    const y = (Math.floor(cell / columns) + 0.5) * CELL;
    return clusterColours(lab, pixels, CLUSTERS).map((cluster) => ({ ...cluster, x, y }));
  });
}

function distanceToNear(lab: LabPlanes, i: number, x: number, y: number, colours: NearColour[]): number {
  let least = UNKNOWN;
  for (const { colour, spread, x: cx, y: cy } of colours) {
    const [dx, dy] = [x - cx, y - cy];
    const far = PER_PIXEL * Math.max(0, Math.sqrt(dx * dx + dy * dy) - 0.7 * CELL);
    if (far >= least) continue;
    const dl = lab.l[i]! - colour[0];
    const da = CHROMA_WEIGHT * (lab.a[i]! - colour[1]);
    const db = CHROMA_WEIGHT * (lab.b[i]! - colour[2]);
    const unlike = Math.max(0, Math.sqrt(dl * dl + da * da + db * db) - 0.7 * spread);
    least = Math.min(least, unlike + far);
  }
  return least;
}
