/** A network's file, run by onnxruntime on the processor. Nothing here trusts the file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { z } from 'zod';
import type { Size } from '../pixels/plane.ts';
import { BadNetwork, parseCard } from './card.ts';

/** What is known of a file beforehand: one with other bytes is not used. */
export type NetworkFile = {
  path: string;
  bytes?: number | undefined;
  /** Lower-case hex. */
  sha256?: string | undefined;
};

export type OpenNetwork = {
  session: InferenceSession;
  /** Gives all outputs, or the one that is named, for inputs of three planes of `size` each. @throws BadNetwork */
  run: (inputs: Readonly<Record<string, Float32Array>>, size: Size, output?: string) => Promise<Outputs>;
};
type Outputs = Awaited<ReturnType<InferenceSession['run']>>;

const TOLERANCE = 1e-3;

/** Of one worker: two fifths faster beside an idle processor, and a tenth slower where all are at work. */
export const USUAL_THREADS = 2;

export type NetworkOptions = {
  threads: number;
  /**
   * Whether memory is kept for the next run: an eighth faster, and for a small network less in all. A large one would
   * keep room for every size (IS-Net at 1024 pixels: 2.2 GB instead of 1.1).
   */
  keepsMemory: boolean;
};

/** The network beside a card of this shape, and what that says. @throws BadNetwork */
export async function openByCard<Card extends Omit<NetworkFile, 'path'> & { file: string }>(
  cardPath: string,
  shape: z.ZodType<Card>,
  options: NetworkOptions,
) {
  const text = await readFile(cardPath, 'utf8').catch((cause: unknown) => {
    throw new BadNetwork('the card of the network cannot be read', { cause });
  });
  const card = parseCard(shape, text);
  const { file, bytes, sha256 } = card;
  return { card, ...(await openNetwork({ path: join(dirname(cardPath), file), bytes, sha256 }, options)) };
}

/** @throws BadNetwork */
export async function openNetwork(file: NetworkFile, { threads, keepsMemory }: NetworkOptions): Promise<OpenNetwork> {
  await checkFile(file);
  // onnxruntime (1.29 and later) notes every network that it opens in the home folder and sends the list to its maker,
  // unless it finds this when it is loaded.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const { InferenceSession: Session, Tensor } = await import('onnxruntime-node');
  const session = await Session.create(file.path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // A thread that waits for work by spinning takes the processor from other workers: with onnxruntime's own duration
    // two jobs at once are half again as slow, without any spinning one alone is a sixth slower.
    extra: { session: { intra_op: { spin_duration_us: '50' } } },
    enableCpuMemArena: keepsMemory,
    enableMemPattern: false,
    logSeverityLevel: 4, // what is wrong comes as an exception
  }).catch((error: unknown) => {
    throw new BadNetwork(`the network does not load: ${messageOf(error)}`, { cause: error });
  });
  return {
    session,
    run: (inputs, { width, height }, output) => {
      const tensors = Object.entries(inputs).map(
        ([name, planes]) => [name, new Tensor('float32', planes, [1, 3, height, width])] as const,
      );
      const outputs = output === undefined ? session.outputNames : [output];
      return session.run(Object.fromEntries(tensors), outputs).catch((error: unknown) => {
        throw new BadNetwork(`the network does not run: ${messageOf(error)}`, { cause: error });
      });
    },
  };
}

const COUNTED = { 1: 'one float32 plane', 3: 'three float32 planes' };

/** An output that is so many planes of `size`. @throws BadNetwork */
export function readPlanes(
  output: Tensor | undefined,
  planes: keyof typeof COUNTED,
  { width, height }: Size,
): Float32Array {
  const { dims, data } = output ?? {};
  const isPlane = dims?.at(-1) === width && dims.at(-2) === height;
  if (data instanceof Float32Array && isPlane && data.length === planes * width * height) return data;
  throw new BadNetwork(`the output must be ${COUNTED[planes]} of ${width} x ${height}`);
}

/** @throws BadNetwork */
export function checkAlpha(alpha: Float32Array): void {
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! >= -TOLERANCE && alpha[i]! <= 1 + TOLERANCE) continue;
    throw new BadNetwork('the output leaves 0..1 (does its card miss a sigmoid, or that it is stretched?)');
  }
}

async function checkFile({ path, bytes, sha256 }: NetworkFile): Promise<void> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new BadNetwork('the file of the network cannot be read', { cause: error });
  });
  if (!facts.isFile() || facts.size === 0) throw new BadNetwork('it is empty, or no file');
  if (bytes !== undefined && facts.size !== bytes)
    throw new BadNetwork(`the network has not the ${bytes} bytes of its card`);
  if (sha256 === undefined) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new BadNetwork('the file is not the network that it should be (SHA-256)');
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
