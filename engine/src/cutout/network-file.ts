/** Runs a network's file with onnxruntime on the CPU. The file is not trusted. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { z } from 'zod';
import type { Size } from '../pixels/plane.ts';
import { BadNetwork, parseCard } from './card.ts';

/** A network's file and what its card states of it; a file that differs is rejected. */
export type NetworkFile = {
  path: string;
  bytes?: number | undefined;
  /** Lower-case hex. */
  sha256?: string | undefined;
};

export type OpenNetwork = {
  session: InferenceSession;
  /** Runs inference on inputs of three planes of `size`. Returns all outputs, or the named one. @throws BadNetwork */
  run: (inputs: Readonly<Record<string, Float32Array>>, size: Size, output?: string) => Promise<Outputs>;
};
type Outputs = Awaited<ReturnType<InferenceSession['run']>>;

const TOLERANCE = 1e-3;

/** Threads per worker: 40 % faster than one thread on an idle machine, 10 % slower when all workers are busy. */
export const DEFAULT_THREADS = 2;

let threads = DEFAULT_THREADS;

/** Sets the number of inference threads of all networks. Process-wide; call before the first picture. */
export function setNetworkThreads(count: number): void {
  threads = count;
}

export type NetworkOptions = {
  /**
   * Keeps the memory arena between runs, the default: 12 % faster, and less memory in total for a small network. A
   * large one would hold memory for every input size (IS-Net at 1024 px: 2.2 GB instead of 1.1).
   */
  keepsMemory?: boolean;
};

/** Opens the network that a card names; returns both. @throws BadNetwork */
export async function openByCard<Card extends Omit<NetworkFile, 'path'> & { file: string }>(
  cardPath: string,
  shape: z.ZodType<Card>,
  options: NetworkOptions = {},
) {
  const text = await readFile(cardPath, 'utf8').catch((cause: unknown) => {
    throw new BadNetwork('the card of the network cannot be read', { cause });
  });
  const card = parseCard(shape, text);
  const { file, bytes, sha256 } = card;
  return { card, ...(await openNetwork({ path: join(dirname(cardPath), file), bytes, sha256 }, options)) };
}

/** Checks and loads a network's file. @throws BadNetwork */
export async function openNetwork(
  file: NetworkFile,
  { keepsMemory = true }: NetworkOptions = {},
): Promise<OpenNetwork> {
  await checkFile(file);
  // onnxruntime (1.29 and later) logs every opened network in the home folder and reports the list to its vendor,
  // unless this is set before it loads.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const { InferenceSession: Session, Tensor } = await import('onnxruntime-node');
  const session = await Session.create(file.path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Spinning threads take the CPU from other workers: with onnxruntime's default duration two concurrent jobs are
    // 50 % slower; without any spinning a single job is 17 % slower.
    extra: { session: { intra_op: { spin_duration_us: '50' } } },
    enableCpuMemArena: keepsMemory,
    enableMemPattern: false,
    logSeverityLevel: 4, // errors are thrown anyway
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

const PLANE_COUNTS = { 1: 'one float32 plane', 3: 'three float32 planes' };

/** Returns an output's data after checking its shape. @throws BadNetwork */
export function readPlanes(
  output: Tensor | undefined,
  planes: keyof typeof PLANE_COUNTS,
  { width, height }: Size,
): Float32Array {
  const { dims, data } = output ?? {};
  const isPlane = dims?.at(-1) === width && dims.at(-2) === height;
  if (data instanceof Float32Array && isPlane && data.length === planes * width * height) return data;
  throw new BadNetwork(`the output must be ${PLANE_COUNTS[planes]} of ${width} x ${height}`);
}

/** Checks that an output lies within 0..1. @throws BadNetwork */
export function checkAlpha(alpha: Float32Array): void {
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! >= -TOLERANCE && alpha[i]! <= 1 + TOLERANCE) continue;
    throw new BadNetwork('the output leaves 0..1 (does its card miss a sigmoid, or that it is stretched?)');
  }
}

async function checkFile({ path, bytes, sha256 }: NetworkFile): Promise<void> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new BadNetwork('the file of the network cannot be read', { cause: error });
  });
  if (!stats.isFile() || stats.size === 0) throw new BadNetwork('it is empty, or no file');
  if (bytes !== undefined && stats.size !== bytes)
    throw new BadNetwork(`the network has not the ${bytes} bytes of its card`);
  if (sha256 === undefined) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new BadNetwork('the file is not the network that it should be (SHA-256)');
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
