/**
 * The films' figures for the quality table: loop and moves, by true masks, drawn small (figures are shares or levels).
 */
import {
  buildSet,
  findParts,
  findShift,
  drawFrame,
  loopScript,
  measureFirstFrame,
  measureFreeEdge,
  measureSteps,
  writeScript,
  type Set,
} from './video.ts';
import type { Script } from '../src/video/director.ts';

export type FilmRow = {
  film: string;
  product: string;
  /** dB of the first drawn frame against the upload. */
  firstFrame: number;
  /** Mean step from frame to frame, in luma levels. */
  step: number;
  /** Largest step, and for a loop the step from the last frame to the first, as multiples of the mean. */
  largest: number;
  wrap: number | undefined;
  /** Nearest that the product comes to the frame's edge, as a share of the frame's side. */
  freeEdge: number;
  /**
   * Pixels that the foot slides on the floor, of 384; a patterned floor looks the same one thread farther and tells
   * nothing, nor does a body that turns, whose front goes round while its outline stands (`turn.test.ts`).
   */
  slip: number | undefined;
};

const SIDE = 384;
const PRODUCTS = ['mug', 'kettle', 'handbag', 'teddy'];
const PLAIN_FLOORS = ['mug', 'kettle'];
const TURN = 'rotate';
const MOVES = ['push in', 'orbit left', 'truck right', 'crane up', TURN, 'parallax', 'handheld'];

export async function measureFilms(): Promise<FilmRow[]> {
  const rows: FilmRow[] = [];
  for (const product of PRODUCTS) {
    const set = await buildSet(product, { width: SIDE, height: SIDE });
    rows.push(measureFilm(set, product, 'basic loop', loopScript(set, 96), true));
    for (const move of MOVES) rows.push(measureFilm(set, product, move, writeScript(set, move, 90), false));
  }
  return rows;
}

/** One film drawn by a script; a loop's last step is the one back to its first frame. */
export function measureFilm(set: Set, product: string, film: string, script: Script, isLoop: boolean): FilmRow {
  const steps = measureSteps(set, script, isLoop);
  const mean = steps.reduce((sum, value) => sum + value, 0) / steps.length;
  return {
    film,
    product,
    firstFrame: measureFirstFrame(set, script),
    step: mean,
    largest: Math.max(...steps) / mean,
    wrap: isLoop ? steps.at(-1)! / mean : undefined,
    freeEdge: measureFreeEdge(set, script, 10) / SIDE,
    slip: PLAIN_FLOORS.includes(product) && film !== TURN ? measureSlip(set, script) : undefined,
  };
}

function measureSlip(set: Set, script: Script): number {
  const { foot, floor } = findParts(set);
  const size = { width: SIDE, height: SIDE };
  const [first, later] = [drawFrame(set, script, 0), drawFrame(set, script, Math.floor(script.poses.length * 0.4))];
  const stands = findShift(first, later, foot, size, 16);
  const ground = findShift(first, later, floor, size, 16);
  return Math.hypot(stands.x - ground.x, stands.y - ground.y);
}

const MOST_SLIP = 2.5; // seen from another side a foot moves by two at its ends

/** What keeps a film from being sold, one sentence each. */
export function findFilmShortcomings(rows: FilmRow[]): string[] {
  return rows.flatMap((row) => {
    const name = `${row.product}, ${row.film}`;
    const faults: string[] = [];
    if (row.firstFrame < 40) faults.push(`${name}: the first frame is ${row.firstFrame.toFixed(1)} dB from the photo`);
    if (row.step < 0.02) faults.push(`${name}: nothing moves`);
    if (row.largest > 3) faults.push(`${name}: a step is ${row.largest.toFixed(1)} times the mean`);
    if (row.wrap !== undefined && row.wrap > 1.5) faults.push(`${name}: the loop jumps`);
    if (row.freeEdge <= 0) faults.push(`${name}: the product is cropped`);
    if (row.slip !== undefined && row.slip > MOST_SLIP)
      faults.push(`${name}: the foot slides by ${row.slip.toFixed(1)} px`);
    return faults;
  });
}
