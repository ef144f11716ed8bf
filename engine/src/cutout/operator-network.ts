/** A network file that the operator brought, run by onnxruntime on the processor. Nothing here trusts the file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type * as Runtime from 'onnxruntime-node';
import { BadNetwork } from './bad-network.ts';
import type { NetworkSettings, Triple } from './network-settings.ts';

export type OperatorNetwork = {
  /** Side of the square picture that goes in and of the plane that comes out, in pixels. */
  side: number;
  /** 8-bit sRGB, `side` x `side`, three bytes a pixel, to one number 0..1 a pixel. */
  infer: (rgb: Uint8Array) => Promise<Float32Array>;
};

const USUAL_SIDE = 1024;
const MOST_SIDE = 2048;
const GREYS = 64;
const TOLERANCE = 1e-3;

/** Loads a network and, unless that has been done, tries it out on greys. @throws BadNetwork */
export async function loadNetwork(settings: NetworkSettings, threads = 1): Promise<OperatorNetwork> {
  await checkFile(settings);
  const { InferenceSession: Session, Tensor } = await import('onnxruntime-node');
  const session = await Session.create(settings.path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false, // IS-Net at 1024 pixels: 1.1 GB at its height instead of 2.2, and given back afterwards
    enableMemPattern: false,
    logSeverityLevel: 4, // what is wrong comes as an exception
  }).catch((error: unknown) => {
    throw new BadNetwork(`the network does not load: ${messageOf(error)}`, { cause: error });
  });
  const side = findSide(session, settings);
  const input = session.inputNames[0] ?? '';
  const output = session.outputNames[0] ?? ''; // of several outputs the first is the finest in all presets
  const infer = async (rgb: Uint8Array) => {
    const tensor = new Tensor('float32', normalise(rgb, settings.mean, settings.deviation), [1, 3, side, side]);
    const results = await session.run({ [input]: tensor }, [output]);
    const plane = takePlane(results[output], side);
    return settings.hasSigmoid ? plane.map((value) => 1 / (1 + Math.exp(-value))) : plane;
  };
  if (!settings.isTried) await tryGreys(infer, side);
  return { side, infer };
}

async function checkFile({ path, sha256 }: NetworkSettings): Promise<void> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new BadNetwork('the file cannot be read', { cause: error });
  });
  if (!facts.isFile() || facts.size === 0) throw new BadNetwork('the file is empty or no file');
  if (sha256 === undefined) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new BadNetwork('the file is not the one that was installed (SHA-256)');
}

function findSide(session: Runtime.InferenceSession, settings: NetworkSettings): number {
  const [input, ...others] = session.inputMetadata;
  if (!input || others.length > 0) throw new BadNetwork('the network must have exactly one input');
  if (!input.isTensor || input.type !== 'float32' || input.shape.length !== 4) {
    throw new BadNetwork('the input must be a four-dimensional float32 tensor');
  }
  const [count, channels, height, width] = input.shape;
  const isFixed = (size: number | string | undefined): size is number => typeof size === 'number' && size > 0;
  if ((isFixed(count) && count !== 1) || (isFixed(channels) && channels !== 3)) {
    throw new BadNetwork('the input must be one picture of three channels (NCHW)');
  }
  const own = isFixed(height) ? height : undefined;
  if (isFixed(height) !== isFixed(width) || (isFixed(width) && width !== own)) {
    throw new BadNetwork('the input must be square');
  }
  if (own !== undefined && own > MOST_SIDE) throw new BadNetwork(`the input is larger than ${MOST_SIDE} pixels`);
  if (own !== undefined && settings.side !== undefined && own !== settings.side) {
    throw new BadNetwork(`the network takes pictures of ${own} pixels, not ${settings.side} (another preset or size?)`);
  }
  return own ?? settings.side ?? USUAL_SIDE;
}

/** Bytes with the channels of a pixel side by side, to planes one after the other (NCHW). */
function normalise(rgb: Uint8Array, mean: Triple, deviation: Triple): Float32Array {
  const pixels = rgb.length / 3;
  const out = new Float32Array(rgb.length);
  for (let c = 0; c < 3; c += 1) {
    const scale = 1 / (255 * deviation[c]!);
    const offset = mean[c]! / deviation[c]!;
    for (let i = 0; i < pixels; i += 1) out[c * pixels + i] = rgb[i * 3 + c]! * scale - offset;
  }
  return out;
}

function takePlane(value: unknown, side: number): Float32Array {
  const { dims, data } = (value ?? {}) as { dims?: readonly number[]; data?: unknown };
  const isPlane = dims?.at(-1) === side && dims.at(-2) === side && dims.slice(0, -2).every((size) => size === 1);
  if (!(data instanceof Float32Array) || !isPlane || data.length !== side * side) {
    throw new BadNetwork(`the output must be one float32 plane of ${side} x ${side}`);
  }
  return data;
}

async function tryGreys(infer: OperatorNetwork['infer'], side: number): Promise<void> {
  const rgb = new Uint8Array(side * side * 3);
  for (let i = 0; i < rgb.length; i += 1) {
    rgb[i] = Math.floor(((Math.floor(i / 3) % side) * GREYS) / side) * (255 / (GREYS - 1));
  }
  const plane = await infer(rgb).catch((error: unknown) => {
    if (error instanceof BadNetwork) throw error;
    throw new BadNetwork(`the network does not run: ${messageOf(error)}`, { cause: error });
  });
  if (!plane.every((value) => value >= -TOLERANCE && value <= 1 + TOLERANCE)) {
    throw new BadNetwork('the output leaves 0..1 (another preset, or with a sigmoid?)');
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
