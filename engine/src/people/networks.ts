/**
 * The networks for faces and bodies: Google's BlazeFace, FaceMesh and MoveNet (`assets/people`). Each is loaded at its
 * first use and kept by the process.
 */
import { fileURLToPath } from 'node:url';
import { BadNetwork } from '../cutout/card.ts';
import { openNetwork, type OpenNetwork } from '../cutout/network-file.ts';
import { once } from '../once.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Point, Rgb } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';

/** Side in pixels of each network's square input; RGB 0..1. */
const NETWORKS = {
  blazeface: { side: 256, bytes: 548_806, sha256: 'b4fbadbea8a616de2b559bc845e3baceff4052ef2363d1786eb9b6abe9df1e34' },
  facemesh: { side: 192, bytes: 1_216_788, sha256: '757b71b3a4cf552a7771aa4a5112f6e4979c7974184ff68b204516490f042881' },
  movenet: { side: 192, bytes: 4_668_429, sha256: 'b0dd16d652baec19cbe59193cdf7c4f974a58046da7d4fa93882782f7c6b8f1c' },
};
type Name = keyof typeof NETWORKS;

/** A square of the picture in pixels, rotated clockwise; it may extend beyond the edges. */
export type View = { centre: Point; side: number; turn: number };

export const wholePicture = ({ width, height }: Rgb): View => ({
  centre: { x: width / 2, y: height / 2 },
  side: Math.max(width, height),
  turn: 0,
});

/**
 * Runs a network on this view of the picture. Returns its outputs by name, and a map from positions in the view (0..1
 * from left and top) to pixels of the picture. @throws BadNetwork
 */
export async function runNetwork(name: Name, picture: Rgb, view: View) {
  const { side } = NETWORKS[name];
  const { run } = await openers[name]();
  const results = await run({ image: await readView(picture, view, side) }, { width: side, height: side });
  const read = (output: string): Float32Array => {
    const data = results[output]?.data;
    if (data instanceof Float32Array) return data;
    throw new BadNetwork(`${name} has no output "${output}"`);
  };
  return { read, toPicture: (x: number, y: number) => fromView(view, x, y) };
}

const openers = { blazeface: openOnce('blazeface'), facemesh: openOnce('facemesh'), movenet: openOnce('movenet') };

function openOnce(name: Name): () => Promise<OpenNetwork> {
  const path = fileURLToPath(new URL(`../../assets/people/${name}.onnx`, import.meta.url));
  return once(() => openNetwork({ path, ...NETWORKS[name] }));
}

function fromView({ centre, side, turn }: View, x: number, y: number): Point {
  const [across, down] = [side * (x - 0.5), side * (y - 0.5)];
  return {
    x: centre.x + across * Math.cos(turn) - down * Math.sin(turn),
    y: centre.y + across * Math.sin(turn) + down * Math.cos(turn),
  };
}

const GREY = 0.5; // value beyond the picture
const SOURCE_SIDE = 1024; // pixels of the picture's long side before bilinear sampling, as in the networks' examples

/** Three planes of size x size, 0..1. */
async function readView(picture: Rgb, view: View, size: number): Promise<Float32Array> {
  const small = await shrinkRgb(picture, SOURCE_SIDE);
  const scale = Math.max(small.width, small.height) / Math.max(picture.width, picture.height);
  const planes = new Float32Array(3 * size * size).fill(GREY);
  for (let i = 0; i < size * size; i += 1) {
    const at = fromView(view, ((i % size) + 0.5) / size, (Math.floor(i / size) + 0.5) / size);
    if (at.x < 0 || at.y < 0 || at.x >= picture.width || at.y >= picture.height) continue;
    for (let c = 0; c < 3; c += 1) {
      planes[c * size * size + i] = readPoint(small, at.x * scale - 0.5, at.y * scale - 0.5, 3, c) / 255;
    }
  }
  return planes;
}
