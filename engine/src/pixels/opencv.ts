import cvModule from '@techstark/opencv-js';

export type OpenCv = typeof cvModule;

let loaded: OpenCv | undefined;

/** Waits for the WASM runtime. The module object has a `then` of its own and must never be awaited or resolved with. */
export async function loadOpenCv(): Promise<void> {
  if (loaded) return;
  const runtime = cvModule as OpenCv & { then?: unknown };
  if (!('Mat' in runtime)) {
    await new Promise<void>((resolve) => {
      (runtime as OpenCv).onRuntimeInitialized = resolve;
    });
  }
  delete runtime.then;
  loaded = runtime;
}

export function openCv(): OpenCv {
  if (!loaded) throw new Error('OpenCV is not loaded yet');
  return loaded;
}
