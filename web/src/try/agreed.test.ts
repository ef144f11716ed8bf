import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { canCutOut, FETCHED_MB, RUNTIME_BYTES } from './agreed.ts';

test('a browser without WebAssembly, workers or a canvas for them cannot cut out', () => {
  const all = { WebAssembly, OffscreenCanvas: class {}, Worker: class {} } as unknown as Parameters<
    typeof canCutOut
  >[0];
  expect(canCutOut(all)).toBe(true);
  for (const name of ['WebAssembly', 'OffscreenCanvas', 'Worker'])
    expect(canCutOut({ ...all, [name]: undefined }), name).toBe(false);
});

test('the progress counts the bytes that the runtime has, and all of it stays under 12 MB', () => {
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
  expect(RUNTIME_BYTES).toBe(statSync(runtime).size);
  expect(FETCHED_MB).toBeLessThan(12);
});
