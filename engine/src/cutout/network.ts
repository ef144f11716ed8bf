/** Our own cut-out network, or another of its kind, with its card. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Plane, Size } from '../pixels/plane.ts';
import type { Card } from './card.ts';
import { BadNetwork, checkCover, openNetwork } from './network-file.ts';

export type Network = {
  card: Card;
  /**
   * `image` and `marks`: three planes of `size`, values 0..1 (red, green, blue; box, keep, drop). Both sides are
   * multiples of 32. Gives the cover 0..1. @throws BadNetwork
   */
  infer: (image: Float32Array, marks: Float32Array, size: Size) => Promise<Plane>;
};

const MOST_LOOK_MS = 8000; // of the clock, for one look: a network that needs more would end every worker by its limit

/** Loads the network that a card names. One session serves a worker for its life. @throws BadNetwork */
export async function loadNetwork(card: Card, threads: number): Promise<Network> {
  const { session, run } = await openNetwork(card, { threads, keepsMemory: true });
  checkShapes(session);
  return {
    card,
    async infer(image, marks, { width, height }) {
      const started = performance.now();
      const data = await run({ image, marks }, 'alpha', { width, height });
      const took = performance.now() - started;
      if (took > MOST_LOOK_MS)
        throw new BadNetwork(`the network needs ${Math.round(took)} ms for ${width} x ${height} pixels`);
      checkCover(data);
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
