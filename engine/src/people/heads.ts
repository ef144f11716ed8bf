/** Detects heads by BlazeFace, decoded as in its paper and MediaPipe's graph. */
import type { Rgb } from '../pixels/plane.ts';
import { runNetwork, wholePicture, type View } from './networks.ts';

/** A square around a head, rotated so that the face is upright in it; `score` 0..1. */
export type Head = { view: View; score: number };

const SIDE = 256; // pixels: unit of its output
const GRIDS = [
  { stride: 16, each: 2 },
  { stride: 32, each: 6 },
];
const VALUES = 16; // per anchor: centre and size of a box, six landmarks
const [NOSE, MOUTH] = [4 + 2 * 2, 4 + 2 * 3];
const MIN_SCORE = 0.5;
const MAX_OVERLAP = 0.1; // intersection over union of two boxes
const MAX_HEADS = 8;
const LOOSER = 1.4; // the mesh network needs more than the detector's box from brows to chin
const LEVEL = 0.2; // radians: a less tilted head is not rotated

/** The heads of the picture by confidence, without duplicates. */
export async function findHeads(picture: Rgb): Promise<Head[]> {
  const { read, toPicture } = await runNetwork('blazeface', picture, wholePicture(picture));
  const values = read('boxes');
  const found = [...read('scores')]
    .map((logit, n) => ({ n, score: 1 / (1 + Math.exp(-logit)) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, other) => other.score - one.score)
    .map(({ n, score }) => ({ score, ...readBox(values.subarray(n * VALUES, (n + 1) * VALUES), ANCHORS[n]!) }));
  const kept: typeof found = [];
  for (const box of found) if (kept.every((surer) => overlap(surer, box) <= MAX_OVERLAP)) kept.push(box);
  const scale = Math.max(picture.width, picture.height) / SIDE;
  return kept.slice(0, MAX_HEADS).map(({ x, y, width, height, turn, score }) => ({
    view: { centre: toPicture(x / SIDE, y / SIDE), side: LOOSER * scale * Math.max(width, height), turn },
    score,
  }));
}

const ANCHORS = GRIDS.flatMap(({ stride, each }) => {
  const cells = SIDE / stride;
  const at = (cell: number) => stride * (cell + 0.5);
  return Array.from({ length: cells * cells * each }, (_, n) => {
    const cell = Math.floor(n / each);
    return { x: at(cell % cells), y: at(Math.floor(cell / cells)) };
  });
});

type HeadBox = { x: number; y: number; width: number; height: number; turn: number };

function readBox(values: Float32Array, anchor: { x: number; y: number }): HeadBox {
  const [x = 0, y = 0, width = 0, height = 0] = values;
  // upright, the nose is straight above the mouth
  const lean = Math.atan2(values[NOSE]! - values[MOUTH]!, values[MOUTH + 1]! - values[NOSE + 1]!);
  return { x: x + anchor.x, y: y + anchor.y, width, height, turn: Math.abs(lean) > LEVEL ? lean : 0 };
}

function overlap(one: HeadBox, other: HeadBox): number {
  const shared = (a: number, aLength: number, b: number, bLength: number) =>
    Math.max(0, Math.min(a + aLength / 2, b + bLength / 2) - Math.max(a - aLength / 2, b - bLength / 2));
  const both = shared(one.x, one.width, other.x, other.width) * shared(one.y, one.height, other.y, other.height);
  return both / (one.width * one.height + other.width * other.height - both);
}
