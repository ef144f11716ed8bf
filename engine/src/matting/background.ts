// What the backdrop looks like, learnt from a ring along the border of the picture.
import type { LabPlanes } from '../pixels/lab.ts';

export interface Backdrop {
  /** Typical colours of the ring: L, a, b and the spread of each cluster. */
  clusters: Cluster[];
  /** Distance of every pixel from the smooth surface fitted to the ring. */
  residual: Float32Array;
  /** The ring lies on one smooth surface: a wall, a sweep. */
  isPlain: boolean;
  ring: Uint8Array;
  surface: LabPlanes;
}

export interface Cluster {
  colour: readonly [number, number, number];
  spread: number;
  share: number;
}

const RING_SHARE = 0.03;
const CLUSTERS = 8;
const PLAIN_P90 = 9;
const SAME_WALL = 7; // Lab units, in somewhat other light

/** Below row `chin`, if there is one, the ring is background only where it has the colours of the ring above. */
export function learnBackdrop(lab: LabPlanes, width: number, height: number, chin = height): Backdrop {
  const ring = markRing(width, height);
  if (chin < height) releaseClothes(ring, lab, Math.round(chin) * width);
  const places: number[] = [];
  for (let i = 0; i < ring.length; i += 1) if (ring[i]) places.push(i);
  const surface = {
    l: fitSurface(lab.l, places, width, height),
    a: fitSurface(lab.a, places, width, height),
    b: fitSurface(lab.b, places, width, height),
  };
  const residual = new Float32Array(ring.length);
  for (let i = 0; i < residual.length; i += 1) {
    residual[i] = Math.hypot(lab.l[i]! - surface.l[i]!, lab.a[i]! - surface.a[i]!, lab.b[i]! - surface.b[i]!);
  }
  const isPlain =
    quantile(
      places.map((i) => residual[i]!),
      0.9,
    ) < PLAIN_P90;
  return { clusters: clusterColours(lab, places, CLUSTERS), residual, isPlain, ring, surface };
}

export function quantile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function markRing(width: number, height: number): Uint8Array {
  const depth = Math.max(2, Math.round(RING_SHARE * Math.max(width, height)));
  const ring = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.min(x, y, width - 1 - x, height - 1 - y) < depth) ring[y * width + x] = 1;
    }
  }
  return ring;
}

function releaseClothes(ring: Uint8Array, lab: LabPlanes, from: number): void {
  const above: number[] = [];
  for (let i = 0; i < from; i += 1) if (ring[i]) above.push(i);
  const clusters = clusterColours(lab, above, CLUSTERS);
  for (let i = from; i < ring.length; i += 1) {
    if (ring[i] && distanceToClusters(lab, i, clusters) > SAME_WALL) ring[i] = 0;
  }
}

/** Robust quadratic in x and y: three rounds of least squares, each trusting far-off pixels less. */
function fitSurface(plane: Float32Array, places: number[], width: number, height: number): Float32Array {
  const terms = (i: number) => {
    const x = (i % width) / width - 0.5;
    const y = Math.floor(i / width) / height - 0.5;
    return [1, x, y, x * x, x * y, y * y];
  };
  let solution: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const matrix = Array.from({ length: 6 }, () => new Array<number>(7).fill(0));
    const addRow = (row: number, t: number[], weight: number, value: number) => {
      const line = matrix[row]!;
      for (let column = 0; column < 6; column += 1) line[column]! += weight * t[row]! * t[column]!;
      line[6]! += weight * t[row]! * value;
    };
    for (let n = 0; n < places.length; n += 3) {
      const i = places[n]!;
      const t = terms(i);
      const error = round === 0 ? 0 : plane[i]! - dot(solution, t);
      const weight = 1 / (1 + (error / 4) ** 2);
      for (let row = 0; row < 6; row += 1) addRow(row, t, weight, plane[i]!);
    }
    solution = solve(matrix);
  }
  const out = new Float32Array(plane.length);
  for (let i = 0; i < out.length; i += 1) out[i] = dot(solution, terms(i));
  return out;
}

function dot(a: number[], b: number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/** Gauss-Jordan on an augmented matrix. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    let best = pivot;
    for (let row = pivot; row < size; row += 1) {
      if (Math.abs(matrix[row]![pivot]!) > Math.abs(matrix[best]![pivot]!)) best = row;
    }
    [matrix[pivot], matrix[best]] = [matrix[best]!, matrix[pivot]!];
    const head = matrix[pivot]!;
    const scale = head[pivot]! || 1e-9;
    for (let column = pivot; column <= size; column += 1) head[column]! /= scale;
    for (const row of matrix) {
      if (row === head) continue;
      const factor = row[pivot]!;
      for (let column = pivot; column <= size; column += 1) row[column]! -= factor * head[column]!;
    }
  }
  return matrix.map((row) => row[size]!);
}

/** k-means from far-apart starts; no random numbers, so the same picture gives the same clusters. */
export function clusterColours(lab: LabPlanes, places: number[], count: number): Cluster[] {
  const step = Math.max(1, Math.floor(places.length / 4000));
  const sample = places.filter((_, n) => n % step === 0);
  const first = sample[0];
  if (first === undefined) return [];
  const colourAt = (i: number): [number, number, number] => [lab.l[i]!, lab.a[i]!, lab.b[i]!];
  const centres = [colourAt(first)];
  const nearest = new Float32Array(sample.length).fill(Infinity);
  while (centres.length < Math.min(count, sample.length)) {
    const latest = centres.at(-1)!;
    let far = 0;
    for (let n = 0; n < sample.length; n += 1) {
      nearest[n] = Math.min(nearest[n]!, distance(colourAt(sample[n]!), latest));
      if (nearest[n]! > nearest[far]!) far = n;
    }
    centres.push(colourAt(sample[far]!));
  }
  let clusters: Cluster[] = [];
  for (let round = 0; round < 8; round += 1) {
    clusters = regroup(sample.map(colourAt), centres);
    for (const [n, cluster] of clusters.entries()) centres[n] = [...cluster.colour];
  }
  return clusters.filter((cluster) => cluster.share > 0.01);
}

function regroup(colours: [number, number, number][], centres: [number, number, number][]): Cluster[] {
  const sums = centres.map(() => ({ l: 0, a: 0, b: 0, square: 0, count: 0 }));
  for (const colour of colours) {
    let best = 0;
    for (let n = 1; n < centres.length; n += 1) {
      if (distance(colour, centres[n]!) < distance(colour, centres[best]!)) best = n;
    }
    const sum = sums[best]!;
    sum.l += colour[0];
    sum.a += colour[1];
    sum.b += colour[2];
    sum.square += distance(colour, centres[best]!) ** 2;
    sum.count += 1;
  }
  return sums.map((sum, n) =>
    sum.count === 0
      ? { colour: centres[n]!, spread: 0, share: 0 }
      : {
          colour: [sum.l / sum.count, sum.a / sum.count, sum.b / sum.count],
          spread: Math.sqrt(sum.square / sum.count),
          share: sum.count / colours.length,
        },
  );
}

export function distance(one: readonly number[], other: readonly number[]): number {
  const d0 = one[0]! - other[0]!;
  const d1 = one[1]! - other[1]!;
  const d2 = one[2]! - other[2]!;
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2); // many times as fast as Math.hypot, and nothing here overflows
}

export function distanceToClusters(lab: LabPlanes, i: number, clusters: Cluster[]): number {
  let best = Infinity;
  for (const { colour, spread } of clusters) {
    const dl = lab.l[i]! - colour[0];
    const da = lab.a[i]! - colour[1];
    const db = lab.b[i]! - colour[2];
    const d = Math.sqrt(dl * dl + da * da + db * db);
    best = Math.min(best, Math.max(0, d - 0.7 * spread));
  }
  return best;
}
