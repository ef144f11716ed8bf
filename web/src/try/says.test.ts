import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { IMAGE_MAX_BYTES } from '@plinth/contract/limits';
import { canCutOut, refuseFile } from './says.ts';
import { FETCHED_MB, RUNTIME_BYTES } from './weights.ts';

test.each([
  ['image/gif', 10, 'Please select an image file (JPEG, PNG, or WebP)'],
  ['', 10, 'Please select an image file (JPEG, PNG, or WebP)'],
  ['image/jpeg', IMAGE_MAX_BYTES + 1, 'Image file size must be less than 12MB'],
  ['image/jpeg', 0, 'Failed to read image file. Please try again.'],
  ['image/jpeg', IMAGE_MAX_BYTES, null],
  ['image/webp', 1, null],
])('a file of type "%s" with %i bytes is answered: %s', (type, size, sentence) => {
  expect(refuseFile({ type, size })).toBe(sentence);
});

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
