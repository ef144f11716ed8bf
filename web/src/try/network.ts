import * as ort from 'onnxruntime-web/wasm';
import runtimeUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import cardText from 'engine-assets/cutout/cutout.json?raw';
import networkUrl from 'engine-assets/cutout/cutout.onnx?url';
import { readCard } from '../../../engine/src/cutout/card.ts';
import type { Network } from '../../../engine/src/cutout/passes.ts';
import { resizeRgb } from './canvas.ts';
import { NETWORK_MB, RUNTIME_BYTES, RUNTIME_MB } from './worker-contract.ts';

const card = readCard(cardText);

/** Downloads with the first photo: decompressed size in bytes, and share of the compressed total. */
const DOWNLOADS = [
  { url: runtimeUrl, bytes: RUNTIME_BYTES, weight: RUNTIME_MB / (RUNTIME_MB + NETWORK_MB) },
  { url: networkUrl, bytes: card.bytes, weight: NETWORK_MB / (RUNTIME_MB + NETWORK_MB) },
];

/** Fetches network and runtime; reports progress 0..1. @throws NotFetched */
export async function loadNetwork(onProgress: (share: number) => void): Promise<Network> {
  const shares = DOWNLOADS.map(() => 0);
  const [runtime, network] = await Promise.all(
    DOWNLOADS.map(({ url, bytes, weight }, at) =>
      fetchWhole(url, (received) => {
        shares[at] = weight * Math.min(1, received / bytes);
        onProgress(shares.reduce((sum, share) => sum + share, 0));
      }),
    ),
  );
  if (runtime === undefined || network === undefined) throw new NotFetched();
  ort.env.wasm.wasmBinary = runtime;
  // More threads need cross-origin isolation; the inference passes take half a second with one.
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(network, { executionProviders: ['wasm'], logSeverityLevel: 4 });
  return {
    card,
    squeeze: async (picture, size) => resizeRgb(picture, size),
    async infer(image, marks, { width, height }) {
      const toTensor = (planes: Float32Array) => new ort.Tensor('float32', planes, [1, 3, height, width]);
      const { alpha } = await session.run({ image: toTensor(image), marks: toTensor(marks) });
      if (!(alpha?.data instanceof Float32Array)) throw new Error('the network gave no cover');
      return { width, height, data: alpha.data };
    },
  };
}

export class NotFetched extends Error {}

/** Fetches a file of the build; reports the bytes received. @throws NotFetched */
export async function fetchWhole(
  url: string,
  onProgress?: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url);
    if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      received += value.byteLength;
      onProgress?.(received);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    throw new NotFetched(`${url} could not be fetched`, { cause: error });
  }
}
