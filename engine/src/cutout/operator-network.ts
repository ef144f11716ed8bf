/**
 * The operator's network: an ONNX file with a card beside it. A card with `looks` is one of our own kind; each other
 * one says what goes in and what comes out: one square picture, one alpha.
 */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { once } from '../once.ts';
import { squeezeRgb } from '../pixels/decode.ts';
import { threshold } from '../pixels/mask.ts';
import type { Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { BadNetwork, parseCard } from './card.ts';
import { findProduct } from './find-product.ts';
import type { Matting, NetworkNews, Subject } from './matting.ts';
import { checkAlpha, openNetwork, readCardFile, readPlanes } from './network-file.ts';
import { makeOwnMatting, ownMatting } from './own-matting.ts';

const triple = z.tuple([z.number(), z.number(), z.number()]);
const cardSchema = z.object({
  file: z.string().regex(/^[\w.-]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Side in pixels of the square that goes in; per channel (red, green, blue of 0..1): (value - mean) / scale. */
  input: z.object({ side: z.int().min(64).max(2048), mean: triple, scale: triple }),
  /** Whether logits come out, and whether each picture's least is 0 and its most 1. */
  output: z.object({ sigmoid: z.boolean().default(false), stretch: z.boolean().default(false) }).prefault({}),
});

const FAINT = 0.2; // a picture whose most certain pixel is fainter than this shows no product to stretch towards

/**
 * Its answers, and our own network's wherever it cannot be used: with marks, which it does not read, and after a fault,
 * which is told once.
 */
export function makeOperatorMatting(card: string, threads: number, tell: (news: NetworkNews) => void): Matting {
  let isGivenUp = false;
  const load = once(() => openOperatorNetwork(card, threads));
  const look: Matting['look'] = async (picture, marks) => {
    if (marks || isGivenUp) return ownMatting.look(picture, marks);
    tell({ state: 'asked' });
    try {
      const lookWithIt = await load();
      const subject = await lookWithIt(picture);
      tell({ state: 'ready' });
      return subject;
    } catch (error) {
      isGivenUp = error instanceof BadNetwork; // anything else is not its own fault
      tell(error instanceof BadNetwork ? { state: 'failed', reason: error.message } : { state: 'ready' });
      return ownMatting.look(picture);
    }
  };
  return {
    look,
    find: (picture, report, marks) => findProduct(() => look(picture, marks), picture, report, marks),
  };
}

/** Opens the network that a card names and tries it once. @throws BadNetwork */
export async function openOperatorNetwork(cardPath: string, threads: number): Promise<Matting['look']> {
  const text = await readCardFile(cardPath);
  const isOurKind = text.includes('"looks"');
  const look = isOurKind
    ? makeOwnMatting(cardPath).look
    : await openForeign(parseCard(cardSchema, text), dirname(cardPath), threads);
  await look(GREYS);
  return look;
}

/** From dark to light, so that logits are noticed. */
const GREYS: Rgb = {
  width: 64,
  height: 64,
  data: Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => 4 * (Math.floor(i / 3) % 64)),
};

async function openForeign(
  { file, sha256, input, output }: z.infer<typeof cardSchema>,
  folder: string,
  threads: number,
): Promise<Matting['look']> {
  const { session, run } = await openNetwork({ path: join(folder, file), sha256 }, { threads, keepsMemory: false });
  const { side, mean, scale } = input;
  const [inputName, ...others] = session.inputNames;
  if (inputName === undefined || others.length > 0) throw new BadNetwork('the network must have exactly one input');
  const outputName = session.outputNames[0] ?? '';
  return async (picture): Promise<Subject> => {
    const size = { width: side, height: side };
    const planes = normalise(await squeezeRgb(picture, size), mean, scale);
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

function normalise({ data }: Rgb, mean: readonly number[], scale: readonly number[]): Float32Array {
  const pixels = data.length / 3;
  const out = new Float32Array(data.length);
  for (let c = 0; c < 3; c += 1) {
    for (let i = 0; i < pixels; i += 1) out[c * pixels + i] = (data[i * 3 + c]! / 255 - mean[c]!) / scale[c]!;
  }
  return out;
}

function stretch(alpha: Float32Array): Float32Array {
  const [least, most] = [alpha.reduce((a, b) => Math.min(a, b), 1), alpha.reduce((a, b) => Math.max(a, b), 0)];
  if (most < FAINT || most === least) return new Float32Array(alpha.length);
  return alpha.map((value) => (value - least) / (most - least));
}
