import { boxBlur, makePlane, type Plane } from './plane.ts';

/** Takes away what is no part of the product: crumbs beside it, other things that reach in, lines that run out. */

const CRUMB = 0.02; // of the largest piece
const NEIGHBOUR = 0.2; // of the largest piece, which stands free: what the picture cuts off beside it is another thing
const THIN = 3; // of the network's pixels: half the width of what is no more than a line
const SEEN = 0.05; // cover

export function tidy(alpha: Plane, grain: number): Plane {
  return keepPieces(cutLines(alpha, Math.max(2, Math.round(THIN * grain))));
}

/** A line out of the picture does not belong to a product that stands free in it: a joint of the table, a cable. */
function cutLines(alpha: Plane, radius: number): Plane {
  const seen = mark(alpha, (cover) => cover > SEEN);
  const core = mark(boxBlur(seen, radius), (share) => share > 1 - 1e-6);
  const thick = listPieces(boxBlur(core, radius), (share) => share > 1e-6);
  if (findLargest(thick)?.touchesBorder !== false) return alpha;
  const thin = { ...seen, data: seen.data.slice() };
  for (const { pixels, touchesBorder } of thick) if (!touchesBorder) for (const i of pixels) thin.data[i] = 0;
  const data = alpha.data.slice();
  for (const { pixels, touchesBorder } of listPieces(thin, (is) => is > 0)) {
    if (touchesBorder) for (const i of pixels) data[i] = 0;
  }
  return { ...alpha, data };
}

/** Without pieces that are small beside the largest. */
function keepPieces(alpha: Plane): Plane {
  const pieces = listPieces(alpha, (cover) => cover > SEEN);
  const largest = findLargest(pieces);
  const out = makePlane(alpha);
  if (largest === undefined) return out;
  for (const { pixels, touchesBorder } of pieces) {
    const isNeighbour = touchesBorder && !largest.touchesBorder;
    if (pixels.length < (isNeighbour ? NEIGHBOUR : CRUMB) * largest.pixels.length) continue;
    for (const i of pixels) out.data[i] = alpha.data[i]!;
  }
  return out;
}

function mark(plane: Plane, test: (value: number) => boolean): Plane {
  return { ...plane, data: plane.data.map((value) => (test(value) ? 1 : 0)) };
}

type Piece = { pixels: number[]; touchesBorder: boolean };

function findLargest(pieces: readonly Piece[]): Piece | undefined {
  return pieces.toSorted((one, other) => other.pixels.length - one.pixels.length)[0];
}

/** What hangs together along rows and columns. */
function listPieces({ width, height, data }: Plane, belongs: (value: number) => boolean): Piece[] {
  const isTaken = new Uint8Array(data.length);
  const pieces: Piece[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (isTaken[start] === 1 || !belongs(data[start]!)) continue;
    const piece: Piece = { pixels: [], touchesBorder: false };
    const offer = (i: number) => {
      if (isTaken[i] === 1 || !belongs(data[i]!)) return;
      isTaken[i] = 1;
      piece.pixels.push(i);
    };
    offer(start);
    for (let next = 0; next < piece.pixels.length; next += 1) {
      const i = piece.pixels[next]!;
      const x = i % width;
      if (x === 0 || x === width - 1 || i < width || i >= (height - 1) * width) piece.touchesBorder = true;
      if (x > 0) offer(i - 1);
      if (x < width - 1) offer(i + 1);
      if (i >= width) offer(i - width);
      if (i + width < data.length) offer(i + width);
    }
    pieces.push(piece);
  }
  return pieces;
}
