/** A network that the operator brought: one square picture in, one plane out. */
import type { InferenceSession } from 'onnxruntime-node';
import { BadNetwork } from './bad-network.ts';
import { checkCover, openNetwork, USUAL_THREADS } from './network-file.ts';
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

/** Loads a network and, unless that has been done, tries it out on greys. @throws BadNetwork */
export async function loadNetwork(settings: NetworkSettings, threads = USUAL_THREADS): Promise<OperatorNetwork> {
  const { session, run } = await openNetwork(settings, { threads, keepsMemory: false });
  const side = findSide(session, settings);
  const input = session.inputNames[0] ?? '';
  const size = { width: side, height: side };
  const output = session.outputNames[0] ?? ''; // of several outputs the first is the finest in all presets
  const infer = async (rgb: Uint8Array) => {
    const plane = await run({ [input]: normalise(rgb, settings.mean, settings.deviation) }, output, size);
    return settings.hasSigmoid ? plane.map((value) => 1 / (1 + Math.exp(-value))) : plane;
  };
  if (!settings.isTried) await tryGreys(infer, side);
  return { side, infer };
}

function findSide(session: InferenceSession, settings: NetworkSettings): number {
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

async function tryGreys(infer: OperatorNetwork['infer'], side: number): Promise<void> {
  const rgb = new Uint8Array(side * side * 3);
  for (let i = 0; i < rgb.length; i += 1) {
    rgb[i] = Math.floor(((Math.floor(i / 3) % side) * GREYS) / side) * (255 / (GREYS - 1));
  }
  checkCover(await infer(rgb));
}
