/** Whether a shape that lies there is something to wear. */
import { countOnes, findBox } from '../pixels/mask.ts';
import type { Mask, Rgb } from '../pixels/plane.ts';
import { readGarment, type Garment } from './garment.ts';

// Measured on four flat lays and nine other products (mug, bag, bear, bottle ...), with room on the garments' side. All
// in chest widths.
// flat lays .45 to .53, straps .87, products up to .33; bottles and headphones are told by the rest
const NECK_WIDTH = { least: 0.25, most: 0.95 };
// squares of it: flat lays .07 to .24, mugs and bags below .02, a bottle's neck 1.2
const OPENING_AREA = { least: 0.03, most: 0.7 };
const OPENING_DEPTH = 0.12; // flat lays .22 to .92, rims of cups .08
const NECK_DIP = 0.06; // how far a neckline without a visible back lies below the shoulders
const LENGTH = 4.5; // the longest dresses stay below 4
const CLOSED_NECK = 0.15; // a roll neck or a hood, where two sleeves and the mirror have to speak
const HEM_WIDTH = 0.5; // chest widths; hems of four flat lays laid upside down .59 to 1.02, a drawn roll neck .43
const MIRRORED = 0.93; // share of the shape that its mirror picture covers: flat lays .99, a bear .91

/**
 * Tops, jackets and dresses have a neckline, or where it is closed two sleeves on a shape that is its own mirror
 * picture. Mugs, bags and toys may be read as a body with sleeves too, but show neither.
 */
export function looksWearable(garment: Garment): boolean {
  const { chest, top, bottom, sleeves } = garment;
  if ((bottom - top) / chest > LENGTH) return false;
  const hasSleeves = sleeves[0] !== undefined && sleeves[1] !== undefined;
  return hasNeck(garment) || (hasSleeves && measureNeck(garment) >= CLOSED_NECK && measureMirror(garment) >= MIRRORED);
}

const ARMHOLE = 0.4; // chest widths from the shoulders down to the armpits: flat lays .48 and more

/**
 * The sleeves part from the body higher than an armhole is deep; or the upper edge is as wide as a hem, and the neck
 * with the inside of the back is found at the other end.
 */
export function liesUpsideDown(garment: Garment): boolean {
  const { sleeves, top, chest } = garment;
  if (sleeves.every((sleeve) => sleeve !== undefined && sleeve.pit.y - top < ARMHOLE * chest)) return true;
  if (hasNeck(garment) || measureNeck(garment) < HEM_WIDTH) return false;
  const turned = readGarment(turnOver(garment.picture), {
    ...garment.mask,
    data: Float32Array.from(garment.mask.data).reverse(),
  });
  return turned !== undefined && hasNeck(turned) && hasOpening(turned);
}

function turnOver({ data, width, height }: Rgb): Rgb {
  const last = width * height - 1;
  return { data: data.map((_, i) => data[3 * (last - Math.floor(i / 3)) + (i % 3)]!), width, height };
}

function measureNeck({ neck, chest }: Garment): number {
  return (neck[1].x - neck[0].x) / chest;
}

function hasNeck(garment: Garment): boolean {
  const width = measureNeck(garment);
  return width >= NECK_WIDTH.least && width <= NECK_WIDTH.most && (hasOpening(garment) || hasDip(garment));
}

function hasOpening({ opening, chest }: Garment): boolean {
  const box = findBox(opening, 0);
  if (!box) return false;
  const rows = box.height - 1;
  const area = countOnes(opening) / chest ** 2;
  return (
    area >= OPENING_AREA.least &&
    area <= OPENING_AREA.most &&
    rows / chest >= OPENING_DEPTH &&
    narrowsDown(opening, box.top, rows)
  );
}

/** Necklines are bowls; the back of a hem is a band. */
function narrowsDown({ data: opening, width }: Mask, top: number, rows: number): boolean {
  const at = (share: number) => {
    const row = (top + Math.round(share * rows)) * width;
    return opening.subarray(row, row + width).filter(Boolean).length;
  };
  return at(0.75) < BOWL * Math.max(at(0.25), at(0.4));
}

const BOWL = 0.85; // of the width near its top

/** The middle of the neck begins lower than its two ends. */
function hasDip({ mask, chest, neck: [one, other], bottom }: Garment): boolean {
  const x = Math.round((one.x + other.x) / 2);
  let y = 0;
  while (y < bottom && !mask.data[y * mask.width + x]) y += 1;
  return y - (one.y + other.y) / 2 >= NECK_DIP * chest;
}

const MIRROR_REACH = 0.06; // of the picture's width: how far the axis may lie from the middle

/** Overlap of the shape with its mirror picture (intersection over union), about the best upright axis. */
function measureMirror(garment: Garment): number {
  const reach = MIRROR_REACH * garment.mask.width;
  let best = 0;
  for (let off = -reach; off <= reach; off += 1) best = Math.max(best, measureOverlap(garment, garment.middle + off));
  return best;
}

function measureOverlap({ mask: { data, width }, top, bottom }: Garment, axis: number): number {
  let [both, either] = [0, 0];
  const read = (x: number, y: number) => (x >= 0 && x < width ? data[y * width + x] : 0);
  for (let i = top * width; i <= bottom * width; i += 2) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [here, there] = [read(x, y), read(Math.round(2 * axis - x), y)];
    if (here && there) both += 1;
    if (here || there) either += 1;
  }
  return both / Math.max(1, either);
}
