/** Renders the plate for a frame: cropped, mirrored, resized and recoloured, in linear light. */
import sharp from 'sharp';
import { makeSampler, sample } from '../pixels/sample.ts';
import { scaleSize, smoothStep, type Plane, type Size } from '../pixels/plane.ts';
import { type Brief } from '../words/brief.ts';
import { findMood } from './light.ts';
import { byteToLight, hexToBytes, toLight } from '../pixels/colour.ts';
import type { Frame } from './frame.ts';
import { MASK_SIZE, PLATE_SIZE, readShare, type Plate, type PlatePictures } from './plates.ts';

const MIDDLE = 0.6; // linear light around which contrast is raised

export type Backdrop = {
  /** Linear light, interleaved RGB, of the finished size. */
  light: Float32Array;
  /** 0..1, at the mask's resolution. */
  wall: Plane;
  surface: Plane;
  /** The part of the surface on which the product stands. */
  ground: Plane;
};

/** The part of the plate inside the frame, at the picture's size and in the brief's colours. */
export async function showPlate(plate: Plate, pictures: PlatePictures, frame: Frame, brief: Brief): Promise<Backdrop> {
  const size = scaleSize(frame.crop, MASK_SIZE / PLATE_SIZE);
  const masks = await cropPicture(pictures.mask, MASK_SIZE, frame, size);
  const backdrop: Backdrop = {
    light: toLight(await cropPicture(pictures.rgb, PLATE_SIZE, frame, frame)),
    wall: readShare({ ...size, data: masks }, 0),
    surface: readShare({ ...size, data: masks }, 1),
    ground: readShare({ ...size, data: masks }, 2),
  };
  recolour(backdrop, plate, brief, frame);
  return backdrop;
}

async function cropPicture(bytes: Buffer, side: number, frame: Frame, to: Size): Promise<Buffer> {
  const { crop } = frame;
  const share = side / PLATE_SIZE;
  const width = Math.min(side, Math.round(crop.width * share));
  const height = Math.min(side, Math.round(crop.height * share));
  const left = Math.min(side - width, Math.floor(crop.x * share));
  const top = Math.min(side - height, Math.floor(crop.y * share));
  const raw = { raw: { width: side, height: side, channels: 3 as const } };
  const cut = sharp(bytes, raw).extract({ left, top, width, height });
  return cut.resize(to.width, to.height, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
}

/** Shifts a part's typical colour to the requested one in linear light, which preserves shading. */
function recolour(backdrop: Backdrop, plate: Plate, brief: Brief, frame: Frame): void {
  const isOwn = brief.terms.some(({ name, paints }) => paints === 'wall' && plate.nameWords.includes(name));
  const wall =
    brief.wall && !isOwn && plate.tint.wall && plate.seen.wall ? ratioOf(brief.wall, plate.seen.wall) : undefined;
  const ownSurface = plate.seen.surface ?? plate.seen.wall;
  const surface = brief.surface && plate.tint.surface && ownSurface ? ratioOf(brief.surface, ownSurface) : undefined;
  const mood = findMood(brief, plate.words);
  const factors = mood.tint.map((part, c) => part * mood.exposure * frame.daylight[c]!);
  const standX = (plate.stand.x - frame.crop.x) * frame.scale;
  const lightY = (plate.stand.y - frame.crop.y) * frame.scale - 0.22 * frame.height; // roughly the product's centre
  const sampler = makeSampler(backdrop.wall, frame);
  const { light } = backdrop;
  if (!wall && !surface && mood.pool === 0 && factors.every((factor) => factor === 1)) return;
  const dimAt = (x: number, y: number) => {
    const across = (x - standX) / (0.6 * frame.width);
    const down = (y - lightY) / (0.6 * frame.height);
    const away = Math.sqrt(across * across + down * down); // many times as fast as Math.hypot
    return 1 - mood.pool * smoothStep(0.3, 1.1, away);
  };
  for (let i = 0; i * 3 < light.length; i += 1) {
    const x = i % frame.width;
    if (wall ?? surface) sampler.moveTo(x, (i - x) / frame.width);
    const onWall = wall ? sample(sampler, backdrop.wall.data) : 0;
    const onSurface = surface ? sample(sampler, backdrop.surface.data) * (1 - onWall) : 0;
    const dimmed = mood.pool === 0 ? 1 : dimAt(x, (i - x) / frame.width);
    for (let c = 0; c < 3; c += 1) {
      let value = light[i * 3 + c]!;
      if (wall) value += (shoulder(value * wall[c]!) - value) * onWall;
      if (surface) value += (shoulder(value * surface[c]!) - value) * onSurface;
      const factor = factors[c]! * dimmed;
      light[i * 3 + c] = factor === 1 ? value : shoulder(raiseContrast(value, mood.pool) * factor);
    }
  }
}

function ratioOf(requested: string, original: string): number[] {
  const from = hexToBytes(original);
  return hexToBytes(requested).map((byte, c) => {
    const ratio = byteToLight(byte) / Math.max(0.02, byteToLight(from[c]!));
    return Math.min(6, Math.max(0.03, ratio));
  });
}

/** Raises contrast around a middle grey, as in a room with a single lamp. */
function raiseContrast(value: number, pool: number): number {
  return pool === 0 ? value : MIDDLE * (value / MIDDLE) ** (1 + 0.45 * pool);
}

function shoulder(value: number): number {
  return value <= 0.8 ? value : value / (1 + (value - 0.8) * 0.8);
}
