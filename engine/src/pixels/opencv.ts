import { createRequire } from 'node:module';
import type cvModule from '@techstark/opencv-js';

export type OpenCv = typeof cvModule;

let loaded: OpenCv | undefined;

/**
 * Waits for the WASM runtime. The module object has a `then` of its own that resolves with itself: whoever awaits it, or a module
 * namespace made of it, waits for ever. So it is required, not imported, and loses its `then` before anyone sees it.
 */
export async function loadOpenCv(): Promise<void> {
  if (loaded) return;
  const runtime = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv & { then?: unknown };
  delete runtime.then;
  if (!('Mat' in runtime)) {
    await new Promise<void>((resolve) => {
      (runtime as OpenCv).onRuntimeInitialized = resolve;
    });
  }
  loaded = runtime;
}

export function openCv(): OpenCv {
  if (!loaded) throw new Error('OpenCV is not loaded yet');
  return loaded;
}
