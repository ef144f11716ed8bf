/** A drawn empty scene: a grey wall, a darker floor below a line, and a plate that describes it. */
import { readBrief, type Brief } from '../src/words/brief.ts';
import type { Frame } from '../src/scenes/frame.ts';
import { getPlate, MASK_SIZE, PLATE_SIZE, type Matrix, type Plate, type PlatePictures } from '../src/scenes/plates.ts';
import type { Colour } from './draw.ts';

export const WALL: Colour = [128, 128, 128];
export const FLOOR: Colour = [90, 90, 90];
/** The plate's row at which the floor begins. */
export const LINE = 896;

type Painter = (x: number, y: number) => Colour;

const CELL = 8; // pixels of one colour: enough for tests, and a sixty-fourth of the work

/** Draws colours and masks (red: wall, green: surface, blue: ground) of the plate's sizes, in cells of 8 pixels. */
export function drawPictures(colourAt: Painter = (_, y) => (y < LINE ? WALL : FLOOR)): PlatePictures {
  return { rgb: fillCells(PLATE_SIZE, colourAt), mask: MASK };
}

function fillCells(size: number, valuesAt: Painter): Buffer {
  const bytes = Buffer.alloc(size * size * 3);
  const row = size * 3;
  for (let y = 0; y < size; y += CELL) {
    for (let x = 0; x < size; x += CELL) {
      bytes.fill(Uint8Array.from(valuesAt(x, y)), y * row + x * 3, y * row + (x + CELL) * 3);
    }
    for (let n = 1; n < CELL; n += 1) bytes.copyWithin((y + n) * row, y * row, (y + 1) * row);
  }
  return bytes;
}

const MASK = fillCells(MASK_SIZE, (_, y) => ((PLATE_SIZE / MASK_SIZE) * y < LINE ? [255, 0, 0] : [0, 255, 255]));

/** The drawn set's plate, at eye level, without a glossy floor. */
export function makePlate(changes: Partial<Plate> = {}): Plate {
  const studio = getPlate('studio-sweep');
  return {
    ...studio,
    id: 'drawn',
    words: new Set(),
    nameWords: [],
    shows: new Set(),
    seen: { wall: '#808080', surface: '#5a5a5a' },
    tint: { wall: true, surface: true },
    reflection: { strength: 0, blurPx: 0 },
    ...changes,
  };
}

/** The whole plate, 96 pixels wide and high, in its own light. */
export function makeFrame(changes: Partial<Frame> = {}): Frame {
  return {
    width: 96,
    height: 96,
    crop: { x: 0, y: 0, width: PLATE_SIZE, height: PLATE_SIZE },
    scale: 96 / PLATE_SIZE,
    productScale: 1,
    left: 0,
    top: 0,
    daylight: [1, 1, 1],
    ...changes,
  };
}

/** An empty brief. */
export const NO_WORDS: Brief = readBrief('');

/** Maps a point by a homography. */
export function project(m: Matrix, x: number, y: number) {
  const depth = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / depth, y: (m[3] * x + m[4] * y + m[5]) / depth };
}
