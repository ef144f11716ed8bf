/**
 * The face and body networks of the Human package (MIT), loaded when the first picture of a person comes and kept by
 * the process. By its sources they are Google's BlazeFace, FaceMesh and MoveNet, published under Apache-2.0.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as TensorFlow from '@tensorflow/tfjs-core';
import type { Config, Human, Result } from '@vladmandic/human';
import sharp from 'sharp';
import type { Point, Rgb } from '../pixels/plane.ts';

const require = createRequire(import.meta.url);
// The package's exports name neither its WASM build nor its models: both are found beside the file that they do name.
const BUILD = dirname(require.resolve('@vladmandic/human'));
const MODELS = `${pathToFileURL(join(BUILD, '..', 'models')).href}/`;
const WASM = `${dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))}/dist/`;

const OFF = { enabled: false };
const CONFIG: Partial<Config> = {
  backend: 'wasm',
  wasmPath: WASM,
  modelBasePath: MODELS,
  debug: false,
  cacheModels: false,
  cacheSensitivity: 0, // every picture is looked at anew: a result must not depend on the one before
  filter: OFF,
  gesture: OFF,
  hand: OFF,
  object: OFF,
  segmentation: OFF,
};
const FACE: Partial<Config['face']> = {
  enabled: true,
  detector: { rotation: true, maxDetected: 8, minConfidence: 0.4, skipFrames: 0, skipTime: 0 },
  mesh: { enabled: true },
  iris: OFF,
  emotion: OFF,
  description: OFF,
};

let human: Human | undefined;

/** What the networks found, with the way back to the picture's own pixels. */
export type Look = {
  result: Result;
  toPicture: (x: number, y: number) => Point;
};

const LOOK_SIDE = 1024; // the networks see 192-256 px of it; beyond this only memory grows
const GREY = { r: 128, g: 128, b: 128 };

/** Runs the face networks. */
export function lookForFaces(picture: Rgb): Promise<Look> {
  return look(picture, { face: FACE, body: OFF });
}

/** Runs the body network, which sees the most prominent person only. */
export function lookForBody(picture: Rgb): Promise<Look> {
  return look(picture, { face: OFF, body: { enabled: true, maxDetected: 1, minConfidence: 0.2, skipFrames: 0 } });
}

async function look(picture: Rgb, wanted: Partial<Config>): Promise<Look> {
  const { side, rgb, toPicture } = await makeSquare(picture);
  const network = loadHuman();
  const tensorFlow = require('@tensorflow/tfjs-core') as typeof TensorFlow;
  const result = await withModelFiles(async () => {
    await network.init();
    const input = tensorFlow.tensor4d(rgb, [1, side, side, 3], 'int32');
    try {
      return await network.detect(input, wanted);
    } finally {
      input.dispose();
    }
  });
  if (result.error) throw new Error(`the people networks failed: ${result.error}`);
  return { result, toPicture };
}

function loadHuman(): Human {
  const build = require(join(BUILD, 'human.node-wasm.js')) as { Human: new (config: Partial<Config>) => Human };
  human ??= new build.Human(CONFIG);
  return human;
}

/** The detectors squeeze their input to a square; framing it first in grey keeps faces of wide pictures in shape. */
async function makeSquare(picture: Rgb) {
  const { width, height, data } = picture;
  const long = Math.max(width, height);
  const side = Math.min(LOOK_SIDE, long);
  const square = sharp(data, { raw: { width, height, channels: 3 } }).resize(side, side, {
    fit: 'contain',
    background: GREY,
  });
  const rgb = await square.removeAlpha().raw().toBuffer();
  const scale = long / side;
  const frame = (length: number) => Math.floor((side - Math.round(length / scale)) / 2);
  const [left, top] = [frame(width), frame(height)];
  const toPicture: Look['toPicture'] = (x, y) => ({ x: (x - left) * scale, y: (y - top) * scale });
  return { side, rgb, toPicture };
}

/** Node's fetch knows no files. While the networks load, addresses of their own models are read from the package. */
async function withModelFiles<T>(work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.startsWith(MODELS)) return fetch(input, init);
    const type = address.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    return new Response(await readFile(fileURLToPath(address)), { headers: { 'content-type': type } });
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}
