/** A cut-out network with its card, run by onnxruntime on the processor. Nothing here trusts the file. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type * as Runtime from 'onnxruntime-node';
import type { Plane } from '../pixels/plane.ts';
import { BadNetwork } from './bad-network.ts';
import type { Card } from './card.ts';

export type Network = {
  card: Card;
  /**
   * `image` and `marks`: three planes of `side`², values 0..1 (red, green, blue; box, keep, drop).
   * Gives the cover 0..1. @throws BadNetwork
   */
  infer: (image: Float32Array, marks: Float32Array, side: number) => Promise<Plane>;
};

const TOLERANCE = 1e-3;
const MOST_LOOK_MS = 8000; // of the clock, for one look: a network that needs more would end every worker by its limit

/** Loads the network that a card names. One session serves a worker for its life. @throws BadNetwork */
export async function loadNetwork(card: Card, threads: number): Promise<Network> {
  const bytes = await readChecked(card);
  const { InferenceSession: Session, Tensor } = await import('onnxruntime-node');
  const session = await Session.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false, // looks differ in size: an arena would keep room for all of them
    enableMemPattern: false,
    logSeverityLevel: 4, // what is wrong comes as an exception
  }).catch((error: unknown) => {
    throw new BadNetwork(`the network does not load: ${messageOf(error)}`, { cause: error });
  });
  checkShapes(session);
  return {
    card,
    async infer(image, marks, side) {
      const started = performance.now();
      const dims = [1, 3, side, side];
      const inputs = { image: new Tensor('float32', image, dims), marks: new Tensor('float32', marks, dims) };
      const results = await session.run(inputs, ['alpha']).catch((error: unknown) => {
        throw new BadNetwork(`the network does not run: ${messageOf(error)}`, { cause: error });
      });
      const took = performance.now() - started;
      if (took > MOST_LOOK_MS) throw new BadNetwork(`the network needs ${Math.round(took)} ms for ${side} pixels`);
      return takePlane(results['alpha'], side);
    },
  };
}

async function readChecked({ path, bytes, sha256 }: Card): Promise<Buffer> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new BadNetwork('the network cannot be read', { cause: error });
  });
  if (!facts.isFile() || facts.size !== bytes)
    throw new BadNetwork(`the network has not the ${bytes} bytes of its card`);
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('hex');
  if (hash !== sha256) throw new BadNetwork('the network is not the one of its card (SHA-256)');
  return content;
}

function checkShapes(session: Runtime.InferenceSession): void {
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

function takePlane(value: Runtime.Tensor | undefined, side: number): Plane {
  const data = value?.data;
  const isPlane = value?.dims.at(-1) === side && value.dims.at(-2) === side;
  if (!(data instanceof Float32Array) || !isPlane || data.length !== side * side) {
    throw new BadNetwork(`the output must be one float32 plane of ${side} x ${side}`);
  }
  if (!data.every((cover) => cover >= -TOLERANCE && cover <= 1 + TOLERANCE)) {
    throw new BadNetwork('the output leaves 0..1');
  }
  return { width: side, height: side, data };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
