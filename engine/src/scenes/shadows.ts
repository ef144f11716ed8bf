// The light that the product takes away: its cast shadow along the plate's light, and the dark line under its foot.
import { softBlur } from '../pixels/planes.ts';
import type { Foot } from './foot.ts';
import { invertMatrix, multiply, sampleAt } from './geometry.ts';
import type { Matrix, Plate } from './plates.ts';

/** The product as it stands in the picture that shadows are made in (a small copy of the frame). */
export interface Standing {
  alpha: Float32Array;
  width: number;
  height: number;
  foot: Foot;
  /** Pixels of this picture per pixel of the plate. */
  scale: number;
  /** Plate pixels to pixels of this picture. */
  toPicture: Matrix;
}

export interface Canvas {
  width: number;
  height: number;
  /** 0..1: where there is surface to receive a shadow. */
  surface: Float32Array;
}

const LOWEST_LIGHT_DEG = 22; // below it the shadow would leave the frame

/** Share of the light that is missing at each pixel, cast and contact apart because their strengths differ. */
export function makeShadows(
  plate: Plate,
  standing: Standing,
  canvas: Canvas,
): { cast: Float32Array; contact: Float32Array } {
  return { cast: makeCast(plate, standing, canvas), contact: makeContact(plate, standing, canvas) };
}

function makeCast(plate: Plate, standing: Standing, { width, height, surface }: Canvas): Float32Array {
  const toProduct = invertMatrix(layOnFloor(plate, standing));
  const body = standing.alpha.slice();
  body.fill(0, Math.min(standing.height, Math.round(standing.foot.bottom)) * standing.width);
  const shade = new Float32Array(width * height);
  const rise = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [a, b, c, d, e, f, g, h, k] = toProduct;
      const depth = g * x + h * y + k;
      const u = (a * x + b * y + c) / depth;
      const v = (d * x + e * y + f) / depth;
      const i = y * width + x;
      rise[i] = Math.min(1, Math.max(0, 1 - v / standing.foot.bottom));
      shade[i] = sampleAt(body, standing.width, standing.height, u, v);
    }
  }
  return soften(shade, rise, plate, standing.scale, { width, height, surface });
}

/** A shadow is sharp at the foot and dissolves with the height of what casts it. */
function soften(shade: Float32Array, rise: Float32Array, plate: Plate, scale: number, canvas: Canvas): Float32Array {
  const { softness } = plate.light;
  const { width, height } = canvas;
  const sharp = 2 + 7 * softness;
  const blurred = [sharp, sharp * 2.2 + 3, sharp * 4.5 + 6].map((sigma) =>
    softBlur(shade, width, height, sigma * scale),
  );
  const receives = softBlur(canvas.surface, width, height, 3 * scale);
  return shade.map((_, i) => {
    const t = Math.min(1, rise[i]! * (1 + 1.2 * softness));
    const from = t < 0.5 ? 0 : 1;
    const mix = t * 2 - from;
    return (blurred[from]![i]! * (1 - mix) + blurred[from + 1]![i]! * mix) * (1 - 0.4 * t) * receives[i]!;
  });
}

/** The silhouette, turned towards the light, laid on the ground plane: product pixels to picture pixels. */
function layOnFloor(plate: Plate, { foot, scale, toPicture }: Standing): Matrix {
  const azimuth = (plate.light.azimuthDeg * Math.PI) / 180;
  const elevation = (Math.max(plate.light.elevationDeg, LOWEST_LIGHT_DEG) * Math.PI) / 180;
  const perMetre = plate.pxPerMetre * scale;
  const wide = (Math.abs(Math.cos(azimuth)) + 0.75 * Math.abs(Math.sin(azimuth))) / perMetre;
  const beside = (foot.middle - foot.anchor) / perMetre; // metres from the stand point to the foot
  const toMetres: Matrix = [wide, 0, beside - foot.middle * wide, 0, -1 / perMetre, foot.bottom / perMetre, 0, 0, 1];
  const reach = 1 / Math.tan(elevation);
  const lay: Matrix = [
    Math.cos(azimuth),
    -reach * Math.sin(azimuth),
    0,
    Math.sin(azimuth),
    reach * Math.cos(azimuth),
    0,
    0,
    0,
    1,
  ];
  return multiply(toPicture, multiply(plate.floor, multiply(lay, toMetres)));
}

function makeContact(plate: Plate, { foot, scale, toPicture }: Standing, { width, height }: Canvas): Float32Array {
  const azimuth = (plate.light.azimuthDeg * Math.PI) / 180;
  const x = toPicture[0] * plate.stand.x + toPicture[2] + foot.middle - foot.anchor;
  const y = toPicture[4] * plate.stand.y + toPicture[5];
  const depth = footDepth(plate, foot.width);
  const below = 3 * scale + 0.007 * foot.bottom; // what can be seen of it lies in front of the product
  const near = { x, y: y + below, rx: foot.width * 0.52, ry: Math.max(depth, 3 * scale) + below };
  const wide = {
    x: x - Math.sin(azimuth) * foot.width * 0.06,
    y: y + 2 * below,
    rx: foot.width * 0.6,
    ry: depth * 1.3 + 2 * below,
  };
  const line = softBlur(drawEllipse(near, width, height), width, height, 4 * scale);
  const pool = softBlur(drawEllipse(wide, width, height), width, height, 22 * scale);
  return line.map((value, i) => Math.min(1, 0.78 * value + 0.62 * pool[i]!));
}

/** Half the height at which a round foot of this width is seen. */
export function footDepth(plate: Plate, footWidth: number): number {
  const view = (plate.camera.pitchDeg * Math.PI) / 180 + Math.atan((plate.stand.y - 768) / plate.camera.focalPx);
  return (footWidth / 2) * Math.sin(view) * 0.9;
}

interface Ellipse {
  x: number;
  y: number;
  rx: number;
  ry: number;
}

function drawEllipse({ x, y, rx, ry }: Ellipse, width: number, height: number): Float32Array {
  const out = new Float32Array(width * height);
  const top = Math.max(0, Math.floor(y - ry - 1));
  const bottom = Math.min(height - 1, Math.ceil(y + ry + 1));
  for (let row = top; row <= bottom; row += 1) {
    for (
      let column = Math.max(0, Math.floor(x - rx - 1));
      column <= Math.min(width - 1, Math.ceil(x + rx + 1));
      column += 1
    ) {
      const distance = Math.hypot((column - x) / rx, (row - y) / ry);
      out[row * width + column] = Math.min(1, Math.max(0, (1 - distance) * Math.min(rx, ry) + 0.5));
    }
  }
  return out;
}
