/**
 * The operator's network: an ONNX file with a card beside it, which says what goes in and what comes out: one square
 * picture, one alpha.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { once } from '../once.ts';
import { squeezeRgb } from '../pixels/decode.ts';
import { threshold } from '../pixels/mask.ts';
import type { Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { BadNetwork, namedFile } from './card.ts';
import { makeMatting } from './find-product.ts';
import type { Matting, Subject } from './matting.ts';
import { checkAlpha, openByCard, readPlanes } from './network-file.ts';
import { ownMatting } from './own-matting.ts';
import { toPlanes } from './passes.ts';

const triple = z.tuple([z.number(), z.number(), z.number()]);
const cardSchema = z.object({
  ...namedFile,
  /** Side in pixels of the square that goes in; per channel (red, green, blue of 0..1): (value - mean) / scale. */
  input: z.object({ side: z.int().min(64).max(2048), mean: triple, scale: triple }),
  /** Whether logits come out, and whether each picture's least is 0 and its most 1. */
  output: z.object({ sigmoid: z.boolean().default(false), stretch: z.boolean().default(false) }).prefault({}),
});

const FAINT = 0.2; // a picture whose most certain pixel is fainter than this shows no product to stretch towards

/**
 * Its answers, from the first picture on; our own network's with marks, which no other one reads, and where the card is
 * gone. A fault of the network is raised as BadNetwork.
 */
export function makeOperatorMatting(card: string, threads: number): Matting {
  const load = once(() => openOperatorNetwork(card, threads));
  return makeMatting(async (picture, marks) => {
    if (marks || !existsSync(card)) return ownMatting.look(picture, marks);
    const look = await load();
    return look(picture);
  });
}

/** Opens the network that a card names. @throws BadNetwork, as does whoever looks with it */
async function openOperatorNetwork(cardPath: string, threads: number): Promise<(picture: Rgb) => Promise<Subject>> {
  const { card, session, run } = await openByCard(cardPath, cardSchema, { threads, keepsMemory: false });
  const { input, output } = card;
  const { side, mean, scale } = input;
  const [inputName, ...others] = session.inputNames;
  if (inputName === undefined || others.length > 0) throw new BadNetwork('the network must have exactly one input');
  const outputName = session.outputNames[0] ?? '';
  return async (picture) => {
    const size = { width: side, height: side };
    const planes = toPlanes(await squeezeRgb(picture, size)).map((value, i) => {
      const channel = Math.floor(i / (side * side));
      return (value - mean[channel]!) / scale[channel]!;
    });
    const outputs = await run({ [inputName]: planes }, size, outputName);
    const raw = readPlanes(outputs[outputName], 1, size);
    const alpha = output.sigmoid ? raw.map((value) => 1 / (1 + Math.exp(-value))) : raw;
    if (!output.stretch) checkAlpha(alpha);
    const whole = resizePlane({ ...size, data: output.stretch ? stretch(alpha) : alpha }, picture);
    const grain = Math.max(1, Math.max(picture.width, picture.height) / side);
    const shown = threshold(whole, 0.5).data;
    return { alpha: whole, grain, isSure: shown.includes(1) && shown.includes(0) };
  };
}

function stretch(alpha: Float32Array): Float32Array {
  const [least, most] = [alpha.reduce((a, b) => Math.min(a, b), 1), alpha.reduce((a, b) => Math.max(a, b), 0)];
  if (most < FAINT || most === least) return new Float32Array(alpha.length);
  return alpha.map((value) => (value - least) / (most - least));
}
