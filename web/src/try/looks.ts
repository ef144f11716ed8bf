import { boxBlur, cutPlane, findBox, makePlane, resizePlane, type Box, type Plane, type Rgba } from './plane.ts';

/**
 * Where the product is, as the engine finds it (`engine/src/cutout/find.ts` and `looks.ts` there, the rules of its
 * card).
 */

type Look = { side: number; mirrored?: boolean };
/** What is read of the network's card, `cutout.json`. */
export type Card = { looks: readonly Look[]; measuredAt: number; refuseAbove: number };
/** Looks once at a square picture of three planes, values 0..1; gives the cover 0..1. */
export type Infer = (planes: Float32Array<ArrayBuffer>, side: number) => Promise<Float32Array<ArrayBuffer>>;
/** `alpha` has the picture's size; one pixel of the network covers `grain` of its pixels. */
export type Found = { alpha: Plane; grain: number; score: number };

const ENOUGH_AGREEMENT = 0.94; // of the first two looks
const ENOUGH_SOFTNESS = 0.08;
const SMALL_SHARE = 0.5; // of the picture: a product whose surroundings are smaller is looked at once more, from nearby
const CROP_MARGIN = 0.12; // of the longer side of the box around the product
const SAME_THING = 0.9; // overlap of the second look with the first
const SOFT = { above: 0.1, below: 0.9, reach: 2 }; // the card's words for softness, see the test

export async function findProduct(infer: Infer, card: Card, picture: Rgba): Promise<Found> {
  const { first, further } = chooseLooks(card.looks);
  const alphas: Plane[] = [];
  for (const look of first) alphas.push(await lookAt(infer, picture, look));
  let opinion = weighLooks(alphas, card.measuredAt);
  if (further !== undefined && (opinion.leastAgreement < ENOUGH_AGREEMENT || opinion.softness > ENOUGH_SOFTNESS)) {
    alphas.push(await lookAt(infer, picture, further));
    opinion = weighLooks(alphas, card.measuredAt);
  }
  const found = {
    alpha: resizePlane(opinion.alpha, picture),
    grain: Math.max(1, Math.max(picture.width, picture.height) / opinion.alpha.width),
    score: opinion.score,
  };
  return lookCloser(infer, picture, found, first[0]);
}

/**
 * The look of middle size and the largest mirrored one, which differ in both; for doubtful pictures the smallest
 * mirrored one.
 */
function chooseLooks(looks: readonly Look[]): { first: Look[]; further: Look | undefined } {
  const bySide = (mirrored: boolean) =>
    looks.filter((look) => (look.mirrored ?? false) === mirrored).toSorted((one, other) => one.side - other.side);
  const [plain, turned] = [bySide(false), bySide(true)];
  const first = [plain[Math.floor(plain.length / 2)], turned.at(-1)].filter((look) => look !== undefined);
  return { first, further: turned.find((look) => !first.includes(look)) };
}

async function lookAt(infer: Infer, picture: Rgba, { side, mirrored = false }: Look): Promise<Plane> {
  const planes = squeeze(picture, side);
  const data = await infer(mirrored ? mirror(planes, side) : planes, side);
  return { width: side, height: side, data: mirrored ? mirror(data, side) : data };
}

function mirror(planes: Float32Array<ArrayBuffer>, side: number): Float32Array<ArrayBuffer> {
  const out = planes.slice();
  for (let at = 0; at < out.length; at += side) out.subarray(at, at + side).reverse();
  return out;
}

/** The whole picture as red, green and blue planes of `side`², values 0..1; shrunk by the mean of the area. */
export function squeeze({ width, height, data }: Rgba, side: number): Float32Array<ArrayBuffer> {
  const [columns, rows] = [listShares(width, side), listShares(height, side)];
  const planes = new Float32Array(3 * side * side);
  for (let channel = 0; channel < 3; channel += 1) {
    const across = new Float32Array(side * height);
    for (let i = 0; i < across.length; i += 1) {
      const start = Math.floor(i / side) * width;
      across[i] = addUp(columns[i % side]!, (at) => data[(start + at) * 4 + channel]!);
    }
    for (let i = 0; i < side * side; i += 1) {
      const x = i % side;
      planes[channel * side * side + i] = addUp(rows[(i - x) / side]!, (at) => across[at * side + x]!) / 255;
    }
  }
  return planes;
}

type Share = { at: number; share: number };

function addUp(shares: readonly Share[], valueAt: (at: number) => number): number {
  let sum = 0;
  for (const { at, share } of shares) sum += share * valueAt(at);
  return sum;
}

/** For every place of `to`, which places of `from` it covers and by which share. */
function listShares(from: number, to: number): Share[][] {
  const scale = from / to;
  return Array.from({ length: to }, (_, place) => {
    if (scale <= 1) return spreadOver(place, scale, from);
    const [start, end] = [place * scale, (place + 1) * scale];
    const shares: Share[] = [];
    for (let at = Math.floor(start); at < Math.min(from, Math.ceil(end)); at += 1) {
      shares.push({ at, share: (Math.min(end, at + 1) - Math.max(start, at)) / scale });
    }
    return shares;
  });
}

function spreadOver(place: number, scale: number, from: number): Share[] {
  const exact = Math.min(from - 1, Math.max(0, (place + 0.5) * scale - 0.5));
  const at = Math.floor(exact);
  return [
    { at, share: 1 - (exact - at) },
    { at: Math.min(from - 1, at + 1), share: exact - at },
  ];
}

export type Opinion = { alpha: Plane; score: number; leastAgreement: number; softness: number };

/** Compares looks of one picture at `side`² and picks the one with the highest agreement - 2 × softness. */
export function weighLooks(alphas: readonly Plane[], side: number): Opinion {
  const brought = alphas.map((alpha) => resizePlane(alpha, { width: side, height: side }));
  const median = takeMedian(brought);
  const agreements = brought.map((alpha) => overlap(alpha, median));
  const values = brought.map((alpha, at) => agreements[at]! - 2 * measureSoftness(alpha));
  const softness = measureSoftness(median);
  const meanAgreement = agreements.reduce((sum, agreement) => sum + agreement, 0) / agreements.length;
  return {
    alpha: alphas[values.indexOf(Math.max(...values))]!,
    softness,
    leastAgreement: Math.min(...agreements),
    score: softness + 1 - meanAgreement,
  };
}

function takeMedian(planes: readonly Plane[]): Plane {
  const out = makePlane(planes[0]!);
  const middle = (planes.length - 1) / 2;
  for (let i = 0; i < out.data.length; i += 1) {
    const values = planes.map(({ data }) => data[i]!).sort((one, other) => one - other);
    out.data[i] = (values[Math.floor(middle)]! + values[Math.ceil(middle)]!) / 2;
  }
  return out;
}

/** Intersection over union of what is covered by half and more; two that show nothing agree. */
function overlap(one: Plane, other: Plane): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < one.data.length; i += 1) {
    const [inOne, inOther] = [one.data[i]! >= 0.5, other.data[i]! >= 0.5];
    if (inOne && inOther) both += 1;
    if (inOne || inOther) either += 1;
  }
  return either === 0 ? 1 : both / either;
}

/** Soft pixels that have only soft ones around them, as a share of what is covered at all; 1 where nothing is. */
export function measureSoftness(alpha: Plane): number {
  const { above, below, reach } = SOFT;
  const { width, height, data } = alpha;
  const isHard = data.map((cover) => (cover > above && cover < below ? 0 : 1));
  const near = boxBlur({ width, height, data: isHard }, reach).data;
  let [soft, covered] = [0, 0];
  for (let i = 0; i < data.length; i += 1) {
    const x = i % width;
    const y = (i - x) / width;
    const isInside = x >= reach && y >= reach && x < width - reach && y < height - reach;
    if (isInside && near[i]! < 1e-6) soft += 1;
    if (data[i]! > above) covered += 1;
  }
  return covered === 0 ? 1 : soft / covered;
}

/** Small things again, from nearby: the mean of both looks, where they see the same thing. */
async function lookCloser(infer: Infer, picture: Rgba, found: Found, look: Look | undefined): Promise<Found> {
  const box = findBox(found.alpha, 0.5);
  if (box === undefined || look === undefined) return found;
  const around = cropAround(box, picture);
  if (around.width * around.height > SMALL_SHARE * picture.width * picture.height) return found;
  const again = resizePlane(await lookAt(infer, cropRgba(picture, around), look), around);
  const before = cutPlane(found.alpha, around);
  if (overlap(again, before) < SAME_THING) return found;
  const alpha = makePlane(picture);
  for (let i = 0; i < again.data.length; i += 1) {
    const x = i % around.width;
    const at = (around.top + (i - x) / around.width) * picture.width + around.left + x;
    alpha.data[at] = (again.data[i]! + before.data[i]!) / 2;
  }
  return { ...found, alpha, grain: Math.max(1, Math.max(around.width, around.height) / look.side) };
}

function cropAround({ left, top, width, height }: Box, picture: Rgba): Box {
  const margin = CROP_MARGIN * Math.max(width, height);
  const from = { left: Math.max(0, Math.floor(left - margin)), top: Math.max(0, Math.floor(top - margin)) };
  return {
    ...from,
    width: Math.min(picture.width, Math.ceil(left + width + margin)) - from.left,
    height: Math.min(picture.height, Math.ceil(top + height + margin)) - from.top,
  };
}

function cropRgba({ width: rowLength, data }: Rgba, { left, top, width, height }: Box): Rgba {
  const out = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const from = ((top + y) * rowLength + left) * 4;
    out.set(data.subarray(from, from + width * 4), y * width * 4);
  }
  return { width, height, data: out };
}
