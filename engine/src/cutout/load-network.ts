/** The network that a card names, run by onnxruntime on the processor. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { squeezeRgb } from '../pixels/decode.ts';
import { BadNetwork } from './bad-network.ts';
import { readCard } from './card.ts';
import { checkAlpha, openNetwork } from './network-file.ts';
import type { Network } from './network.ts';

const MOST_LOOK_MS = 8000; // of the clock, for one look: a network that needs more would end every worker by its limit

/** Loads the network beside the card at this path. One session serves a worker for its life. @throws BadNetwork */
export async function loadNetwork(cardPath: string, threads: number): Promise<Network> {
  const text = await readFile(cardPath, 'utf8').catch((error: unknown) => {
    throw new BadNetwork('the card of the network cannot be read', { cause: error });
  });
  const card = readCard(text);
  const { bytes, sha256 } = card;
  const file = { path: join(dirname(cardPath), card.file), bytes, sha256 };
  const { session, run } = await openNetwork(file, { threads, keepsMemory: true });
  checkShapes(session);
  return {
    card,
    squeeze: squeezeRgb,
    async infer(image, marks, { width, height }) {
      const started = performance.now();
      const data = await run({ image, marks }, 'alpha', { width, height });
      const took = performance.now() - started;
      if (took > MOST_LOOK_MS)
        throw new BadNetwork(`the network needs ${Math.round(took)} ms for ${width} x ${height} pixels`);
      checkAlpha(data);
      return { width, height, data };
    },
  };
}

function checkShapes(session: InferenceSession): void {
  for (const name of ['image', 'marks']) {
    const input = session.inputMetadata.find((candidate) => candidate.name === name);
    const isPlanes = input?.isTensor && input.type === 'float32' && input.shape.length === 4;
    if (!isPlanes || typeof input.shape[2] === 'number' || typeof input.shape[3] === 'number') {
      throw new BadNetwork(`the network's input "${name}" must be float32 [1,3,H,W] of any size`);
    }
  }
  if (session.inputNames.length !== 2) throw new BadNetwork('the network must have the inputs "image" and "marks"');
  if (!session.outputNames.includes('alpha')) throw new BadNetwork('the network has no output "alpha"');
}
