/** Rotates a garment's picture so that its symmetry axis is vertical, because phones are held at an angle. */
import { makeMask, mapBytes, type Mask, type Point, type Rgb } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';

export type Upright = {
  picture: Rgb;
  /** 1 on the garment. */
  mask: Mask;
  /** Column of the symmetry axis. */
  middle: number;
  /** 0..1: overlap of the shape with its mirror image. */
  mirrored: number;
  /** Maps a point of `picture` to the original picture. */
  toOriginal: (place: Point) => Point;
};

const MAX_TURN_DEG = 16;
const STEP_DEG = 2;
const REACH = 0.12; // of the width: how far the axis may be from the centroid
const TURN_COST = 0.003; // of overlap per degree: prevents nearly round shapes from turning without need
const GRID = 72; // cells along the long side

/** Rotates a garment upright. @param mask of the picture's size */
export function turnUpright(picture: Rgb, mask: Mask): Upright {
  const { angleDeg, off, overlap } = findAxis(mask);
  const angle = (angleDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const centre = findCentre(mask);
  const toOriginal = ({ x, y }: Point) => ({
    x: centre.x + (x - centre.x) * cos - (y - centre.y) * sin,
    y: centre.y + (x - centre.x) * sin + (y - centre.y) * cos,
  });
  const middle = centre.x + off;
  if (angleDeg === 0) return { picture, mask, middle, mirrored: overlap, toOriginal };
  const { width, height } = picture;
  const turned = makeMask(mask);
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i += 1) {
    const { x, y } = toOriginal({ x: i % width, y: Math.floor(i / width) });
    for (let c = 0; c < 3; c += 1) data[3 * i + c] = Math.round(readPoint(picture, x, y, 3, c));
    const isInside = x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
    turned.data[i] = isInside && readPoint(mask, x, y) > 0.5 ? 1 : 0;
  }
  return { picture: { width, height, data }, mask: turned, middle, mirrored: overlap, toOriginal };
}

/** The centroid. */
export function findCentre({ data, width }: Mask): Point {
  let [x, y, count] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 1) {
    if (!data[i]) continue;
    x += i % width;
    y += Math.floor(i / width);
    count += 1;
  }
  return { x: x / Math.max(1, count), y: y / Math.max(1, count) };
}

/** The rotation, and the shift of the axis in pixels, with the best overlap of shape and mirror image. */
function findAxis(mask: Mask): { angleDeg: number; off: number; overlap: number } {
  const { width, height } = mask;
  const scale = Math.max(1, Math.max(width, height) / GRID);
  const size = { width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
  const data = mapBytes(new Uint8Array(size.width * size.height), (_, i) => {
    const [x, y] = [Math.floor((i % size.width) * scale), Math.floor(Math.floor(i / size.width) * scale)];
    return mask.data[y * width + x]!;
  });
  const small = { ...size, data };
  const centre = findCentre(small);
  const points = [...data.keys()]
    .filter((i) => data[i])
    .map((i) => ({ x: i % size.width, y: Math.floor(i / size.width) }));
  let best = { angleDeg: 0, off: 0, overlap: 0, score: -Infinity };
  for (let angleDeg = -MAX_TURN_DEG; angleDeg <= MAX_TURN_DEG; angleDeg += STEP_DEG) {
    for (let off = -REACH * size.width; off <= REACH * size.width; off += 1) {
      const overlap = measureMirror(small, points, centre, (angleDeg * Math.PI) / 180, off);
      const score = overlap - TURN_COST * Math.abs(angleDeg);
      if (score > best.score) best = { angleDeg, off: off * scale, overlap, score };
    }
  }
  return best;
}

/** The share of points whose mirror image about the axis, rotated by `angle` about the centre, is set. */
function measureMirror(
  { data, width, height }: Mask,
  points: Point[],
  centre: Point,
  angle: number,
  off: number,
): number {
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  let both = 0;
  for (const { x, y } of points) {
    const away = (x - centre.x) * across + (y - centre.y) * down - off;
    const px = Math.round(x - 2 * away * across);
    const py = Math.round(y - 2 * away * down);
    if (px >= 0 && py >= 0 && px < width && py < height) both += data[py * width + px]!;
  }
  return both / Math.max(1, points.length);
}
