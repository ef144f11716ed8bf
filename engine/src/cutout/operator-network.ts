/** The operator's network: an ONNX file whose card describes its input (one square picture) and output (alpha). */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { once } from '../once.ts';
import { squeezeRgb } from '../pixels/decode.ts';
import { threshold } from '../pixels/mask.ts';
import { resizePlane } from '../pixels/sample.ts';
import { BadNetwork, namedFile } from './card.ts';
import { makeMatting } from './find-product.ts';
import type { Matting } from './matting.ts';
import { checkAlpha, openByCard, readPlanes } from './network-file.ts';
import { cacheLast, ownMatting } from './own-matting.ts';
import { toPlanes } from './passes.ts';

const triple = z.tuple([z.number(), z.number(), z.number()]);
const cardSchema = z.object({
  ...namedFile,
  /** Side in pixels of the square input; each channel (red, green, blue, 0..1) becomes (value - mean) / scale. */
  input: z.object({ side: z.int().min(64).max(2048), mean: triple, scale: triple }),
  /** `sigmoid`: the output is logits. `stretch`: it is normalised per picture, minimum to 0 and maximum to 1. */
  output: z.object({ sigmoid: z.boolean().default(false), stretch: z.boolean().default(false) }).prefault({}),
});

const FAINT = 0.2; // of 1: a picture whose maximum is lower has no product, and is not stretched

/**
 * Makes a matting that loads the operator's network with its first picture. Pictures with marks, which only our own
 * network reads, go to that one, as do all once the card is gone. Faults of the network throw BadNetwork.
 */
export function makeOperatorMatting(card: string): Matting {
  const load = once(async () => cacheLast(await openOperatorNetwork(card)));
  return makeMatting(async (picture, marks) => {
    if (marks || !existsSync(card)) return ownMatting.detect(picture, marks);
    const detect = await load();
    return detect(picture);
  });
}

/** Opens the network that a card names; returns its detector. Both throw BadNetwork. */
async function openOperatorNetwork(cardPath: string): Promise<Matting['detect']> {
  const { card, session, run } = await openByCard(cardPath, cardSchema, { keepsMemory: false });
  const { input, output } = card;
  const { side } = input;
  const [inputName, ...others] = session.inputNames;
  if (inputName === undefined || others.length > 0) throw new BadNetwork('the network must have exactly one input');
  const outputName = session.outputNames[0] ?? '';
  return async (picture) => {
    const size = { width: side, height: side };
    const planes = toPlanes(await squeezeRgb(picture, size)).map((value, i) => {
      const channel = Math.floor(i / (side * side));
      return (value - input.mean[channel]!) / input.scale[channel]!;
    });
    const outputs = await run({ [inputName]: planes }, size, outputName);
    const raw = readPlanes(outputs[outputName], 1, size);
    const alpha = output.sigmoid ? raw.map((value) => 1 / (1 + Math.exp(-value))) : raw;
    if (!output.stretch) checkAlpha(alpha);
    const whole = resizePlane({ ...size, data: output.stretch ? stretch(alpha) : alpha }, picture);
    const modelScale = Math.max(1, Math.max(picture.width, picture.height) / side);
    const shown = threshold(whole, 0.5).data;
    return { alpha: whole, scale: modelScale, isSure: shown.includes(1) && shown.includes(0) };
  };
}

function stretch(alpha: Float32Array): Float32Array {
  const min = alpha.reduce((a, b) => Math.min(a, b));
  const max = alpha.reduce((a, b) => Math.max(a, b));
  if (!Number.isFinite(max - min)) throw new BadNetwork('the output has values that are no numbers');
  if (max < FAINT || max === min) return new Float32Array(alpha.length);
  return alpha.map((value) => (value - min) / (max - min));
}
