/** Frames the picture: the visible part of the plate, its size, and the product's position. */
import { findBox } from '../pixels/mask.ts';
import { scaleSize, type Plane, type Point, type Size } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';
import type { Brief } from '../words/brief.ts';
import type { Contact } from './contact.ts';
import { PLATE_SIZE, type Plate } from './plates.ts';
import { VISIBLE, type Product } from './product.ts';
import { changeLight, lookOf, type Freedom } from './light.ts';

/** Width and height of the finished picture. */
export type Frame = Size & {
  /** The visible part of the plate, in plate pixels. */
  crop: { x: number; y: number; width: number; height: number };
  /** Finished pixels per plate pixel. */
  scale: number;
  /** Scale factor of the upload's pixels. */
  productScale: number;
  /** The product's top left corner in finished pixels. */
  left: number;
  top: number;
  /** Factors of the scene's linear red, green and blue: a variation has another time of day. */
  daylight: [number, number, number];
};

export type Framing = {
  /** Mirrored already, if the scene is. */
  plate: Plate;
  /** 0..1 at the plate's mask size, mirrored like the plate: where products can stand. */
  ground: Plane;
  upload: Size;
  product: Product;
  contact: Contact;
  brief: Pick<Brief, 'size' | 'product'>;
  /** True if it hangs on the wall: it needs no ground below and has none behind it. */
  hangs?: boolean;
  /** Asks for a picture that clearly differs from the default one: another view of the plate in other light. */
  variation?: number | undefined;
  /** The aspect of light that a variation may change. */
  mayChange: Freedom;
  /** The user's scale factor. Below 1 the product keeps its pixels and the picture gets more. */
  scale?: number;
};

/** Pixels of the finished picture's long side. */
export const MAX_LONG_SIDE = 2048;

const MIN_LONG_SIDE = 1024; // px: shops offer no zoom below 1000
const MAX_ENLARGED = 2; // times the upload's pixels, to reach it
const ROOM = { side: 0.03, top: 0.03, bottom: 0.06 }; // of the frame: margins of the product and its shadow
const MIDDLE = 0.53; // of the frame's height: the product's centre, as far as HIGHEST_FOOT allows
const HIGHEST_FOOT = 0.66; // of the frame's height: keeps the floor behind a flat product visible
const VIEW = 0.92; // visible share of the plate: the rest allows moving it
const SMALL_VIEW = 0.7; // times VIEW for a small product: a closer view
const MIN_ABOVE = 0.9; // times VIEW for a top view: twigs and petals lie at its borders
const SPOTS = 24;
const ON_GROUND = 0.6;
const MIN_GROUND = 0.2; // least share of ground in a row of the plate, to count as ground
const WIDER = 1.12; // times the share of the height: a wide product fills a little more of its side

/** Share of the frame that a product fills along its fuller side, so that the set shows however close the photo is. */
function chooseShare({ brief, plate, hangs }: Framing): number {
  if (brief.size === 'near') return 0.8;
  if (brief.size === 'far') return 0.34;
  if (brief.product === 'small') return 0.42;
  if (plate.view === 'above' || hangs) return 0.7;
  return brief.product === 'large' ? 0.68 : 0.56;
}

/**
 * Frames a scene in the upload's shape. The product fills the share that the set prescribes. The plate is moved and
 * cropped until its ground lies under every contact point; if that is impossible, the product shrinks. A product that
 * the upload's border cuts off keeps its place and size.
 */
export function frameScene(framing: Framing): Frame {
  const { upload, product, variation, mayChange, plate, scale = 1 } = framing;
  const filled = Math.max(product.width / upload.width / WIDER, product.height / upload.height);
  const share = product.isCut ? 1 : chooseShare(framing) / filled;
  const isSized = product.isCut || framing.brief.size !== undefined;
  const spot = findPlace(framing, isSized ? share : share * (lookIn(framing)?.size ?? 1));
  const long = Math.max(upload.width, upload.height);
  const { width, height } = scaleSize(upload, chooseLong(long, share * Math.min(1, scale)) / long);
  return {
    width,
    height,
    crop: spot.crop,
    scale: width / spot.crop.width,
    productScale: (width / upload.width) * spot.share,
    left: Math.round(spot.left * width),
    top: Math.round(spot.top * height),
    daylight: variation === undefined || mayChange === 'shadows' ? [1, 1, 1] : changeLight(variation, mayChange, plate),
  };
}

/** The look of a variation. On white, products stay in the middle, as shops want them. */
function lookIn({ variation, mayChange }: Framing): ReturnType<typeof lookOf> | undefined {
  return variation === undefined || mayChange === 'shadows' ? undefined : lookOf(variation);
}

/**
 * Pixels of the long side: as the product's resolution allows and at most the upload's, but at least 1024 unless the
 * product would be enlarged more than twice.
 */
function chooseLong(long: number, share: number): number {
  const own = long / share;
  const max = Math.min(MAX_LONG_SIDE, Math.max(MIN_LONG_SIDE, long));
  return Math.min(max, Math.max(own, Math.min(MIN_LONG_SIDE, MAX_ENLARGED * own)));
}

/** The user's placement: position in shares of the frame, scale factor, rotation in degrees clockwise. */
export type Placement = { [Part in 'x' | 'y' | 'scale' | 'rotate']?: number | undefined };

/** Moves the turned product so that the centre of its foot is at the requested position, else where it was. */
export function placeProduct(frame: Frame, upright: Contact, turned: Contact, { x, y, scale = 1 }: Placement): Frame {
  const foot = {
    x: x === undefined ? frame.left + middleOf(upright) * frame.productScale : x * frame.width,
    y: y === undefined ? frame.top + upright.ground * frame.productScale : y * frame.height,
  };
  const productScale = frame.productScale * scale;
  const left = Math.round(foot.x - middleOf(turned) * productScale);
  return { ...frame, productScale, left, top: Math.round(foot.y - turned.ground * productScale) };
}

/**
 * How a product stands in its picture: the equivalent placement, its size relative to that in its photo (both as shares
 * of their frames), and its bounding box: left, top, right, bottom as shares of the frame, outside 0..1 if cut off.
 */
export type FinalPlacement = Record<keyof Placement, number> & { size: number; box: [number, number, number, number] };

/** `product` and `contact`: of the turned product, in the upload's pixels. `upload`: the photo's size. */
export function describePlacement(
  frame: Frame,
  contact: Contact,
  product: Product,
  upload: Size,
  { scale = 1, rotate = 0 }: Placement,
): FinalPlacement {
  const { width, height, productScale } = frame;
  const visible = findBox({ ...product, data: product.alpha }, 0, VISIBLE) ?? { ...product, left: 0, top: 0 };
  const [left, top] = [frame.left + visible.left * productScale, frame.top + visible.top * productScale];
  const [right, bottom] = [left + visible.width * productScale, top + visible.height * productScale];
  const share = (pixels: number, side: number) => Number((pixels / side).toFixed(4));
  // whole pixels may lay a foot that the photo cuts off below the frame
  const place = (pixels: number, side: number) => Math.min(1, Math.max(0, share(pixels, side)));
  return {
    x: place(frame.left + middleOf(contact) * productScale, width),
    y: place(frame.top + contact.ground * productScale, height),
    scale,
    rotate,
    size: share(productScale * upload.width, width),
    box: [share(left, width), share(top, height), share(right, width), share(bottom, height)],
  };
}

const middleOf = ({ left, right }: Contact) => (left + right) / 2;

/** A candidate arrangement of product and plate; positions are shares of the frame. */
type Place = { crop: Frame['crop']; share: number; left: number; top: number };

const SHARES = [1, 0.94, 0.88, 0.8, 0.72, 0.64, 0.56, 0.48];
const ROWS = [0, -30, 30, -60, 60, -90, 90, -120, 120, -160, 160, 200, 240]; // plate pixels from its stand point
const ASIDES = [1, 0.5, 0]; // of the wanted shift: a narrow podium allows less
const VIEWS = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58];
const WALL_VIEWS = [...VIEWS, 0.52, 0.46, 0.4]; // a hanging product has only the blurred wall behind it
const COST = { share: 3, row: 1 / 260, view: 1.6, column: 1 / 300, misplaced: 40 };

/** The arrangement of least cost. Deviating from the photo or from the plate's best view has a cost each. */
function findPlace(framing: Framing, share: number): Place {
  const { isCut } = framing.product;
  const view = chooseView(framing);
  const spots = isCut || framing.hangs || framing.plate.view === 'above' ? [] : sampleSpots(framing.contact);
  const line = framing.hangs ? findGroundLine(framing.ground) : framing.plate.stand.y;
  const places = (isCut ? [1] : SHARES).flatMap((less) => {
    const layout = layoutProduct(framing, share * less);
    return listCrops(framing, layout, { ...view, line }).map((crop) => {
      const misplaced = framing.hangs
        ? shareBeforeGround(framing, line, layout, crop)
        : shareBesideGround(framing, spots, layout, crop);
      const cost = COST.share * (1 - less) + crop.cost + COST.misplaced * misplaced;
      return { ...layout, crop, share: share * less, cost };
    });
  });
  return places.reduce((best, place) => (place.cost < best.cost ? place : best));
}

/** A view of the plate: its visible share, the shift aside, and the row of the foot, in plate pixels. */
type View = { zoom: number; aside: number; line: number };

function chooseView({ brief, plate, variation }: Framing): Omit<View, 'line'> {
  const isSmall = brief.product === 'small';
  const zoom = isSmall ? SMALL_VIEW * VIEW : VIEW;
  if (variation === undefined) return { zoom, aside: 0 };
  const { near, far, aside } = lookOf(variation);
  if (plate.view === 'above') return { zoom: zoom * Math.max(near, MIN_ABOVE), aside: 0 };
  return { zoom: zoom * (isSmall ? far : near), aside: aside * PLATE_SIZE };
}

/** Crops of the plate that put the foot (in top views their own centre) near the requested line. */
function listCrops({ plate, upload, contact, hangs }: Framing, { left, top, perPixel }: Layout, wanted: View) {
  const fit = Math.min(PLATE_SIZE / upload.width, PLATE_SIZE / upload.height);
  const isAbove = plate.view === 'above';
  const heldX = isAbove ? 0.5 : left + middleOf(contact) * perPixel.x;
  const heldY = isAbove ? 0.5 : top + contact.ground * perPixel.y;
  const column = plate.stand.x + wanted.aside;
  const columns = wanted.aside === 0 ? [column] : ASIDES.map((share) => plate.stand.x + share * wanted.aside);
  const views = (hangs ? WALL_VIEWS : VIEWS).flatMap((zoom) => columns.map((held) => ({ zoom, held })));
  return views.flatMap(({ zoom, held }) =>
    ROWS.map((row) => {
      const [width, height] = [upload.width * fit * zoom, upload.height * fit * zoom];
      const x = clamp(held - heldX * width, 0, PLATE_SIZE - width);
      const y = clamp(wanted.line + row - heldY * height, 0, PLATE_SIZE - height);
      const aside = COST.column * Math.abs(x + heldX * width - column);
      const above = COST.row * Math.abs(y + heldY * height - wanted.line);
      return { x, y, width, height, cost: COST.view * Math.abs(zoom - wanted.zoom) + aside + above };
    }),
  );
}

type Layout = { left: number; top: number; perPixel: Point };

/** Places the product at a size: standing a little below the centre, in a variation beside it, else in the centre. */
function layoutProduct(framing: Framing, share: number): Layout {
  const { upload, product, contact, plate, hangs } = framing;
  const perPixel = { x: share / upload.width, y: share / upload.height };
  if (product.isCut) return { left: product.left / upload.width, top: product.top / upload.height, perPixel };
  const isFree = hangs || plate.view === 'above';
  const high = product.height * perPixel.y;
  const middle = isFree ? product.width / 2 : middleOf(contact);
  const centre = (isFree ? undefined : lookIn(framing)?.centre) ?? 0.5;
  const left = centre - middle * perPixel.x;
  const foot = Math.max(HIGHEST_FOOT, MIDDLE + high / 2);
  const top = isFree ? 0.5 - high / 2 : foot - contact.ground * perPixel.y;
  return {
    left: clamp(left, ROOM.side, 1 - ROOM.side - product.width * perPixel.x),
    top: clamp(top, ROOM.top, 1 - ROOM.bottom - product.height * perPixel.y),
    perPixel,
  };
}

function sampleSpots({ spots }: Contact): Point[] {
  const every = Math.max(1, Math.floor(spots.length / SPOTS));
  return spots.filter((_, n) => n % every === 0);
}

function shareBesideGround(
  { ground }: Framing,
  spots: Point[],
  { left, top, perPixel }: Layout,
  crop: Frame['crop'],
): number {
  const toMask = ground.width / PLATE_SIZE;
  const beside = spots.filter(({ x, y }) => {
    const px = crop.x + (left + x * perPixel.x) * crop.width;
    const py = crop.y + (top + y * perPixel.y) * crop.height;
    return readPoint(ground, px * toMask, py * toMask) < ON_GROUND;
  });
  return beside.length / Math.max(1, spots.length);
}

/** Share of the product's height with the plate's ground behind it. */
function shareBeforeGround({ product }: Framing, line: number, { top, perPixel }: Layout, crop: Frame['crop']): number {
  const high = product.height * perPixel.y * crop.height;
  const below = crop.y + top * crop.height + high - line;
  return clamp(below / high, 0, 1);
}

/** The plate's first row of ground, in plate pixels. */
function findGroundLine({ data, width, height }: Plane): number {
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width, (y + 1) * width);
    if (row.filter((share) => share >= ON_GROUND).length >= MIN_GROUND * width) return (y / height) * PLATE_SIZE;
  }
  return PLATE_SIZE;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}
