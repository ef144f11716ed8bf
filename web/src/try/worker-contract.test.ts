import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { canCutOut, DOWNLOAD_MB, RUNTIME_BYTES } from './worker-contract.ts';

test('reports no support without WebAssembly, workers or OffscreenCanvas', () => {
  const all = { WebAssembly, OffscreenCanvas: class {}, Worker: class {} } as unknown as Parameters<
    typeof canCutOut
  >[0];
  expect(canCutOut(all)).toBe(true);
  for (const name of ['WebAssembly', 'OffscreenCanvas', 'Worker'])
    expect(canCutOut({ ...all, [name]: undefined }), name).toBe(false);
});

test("states the runtime's true size, and a total download below 12 MB", () => {
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
  expect(RUNTIME_BYTES).toBe(statSync(runtime).size);
  expect(DOWNLOAD_MB).toBeLessThan(12);
});
