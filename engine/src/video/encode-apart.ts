import { Worker } from 'node:worker_threads';
import type { Coding } from './encoder.ts';
import type { FromEncoder, ToEncoder } from './encoding-thread.ts';

/** An encoder in a thread of its own: a frame is coded while the next ones are drawn. */
export type Encoding = {
  /** Takes a copy of an I420 frame; waits while too many are on their way. */
  add: (frame: Uint8Array) => Promise<void>;
  /** What the file held after each frame that is coded by now, in bytes. */
  sizes: number[];
  /** The whole file, index first. */
  finish: () => Promise<Uint8Array>;
  /** Ends the thread, finished or not; must be called. */
  stop: () => Promise<void>;
};

/** Frames on their way at most: when `add` takes one, the one this many before it is coded. */
const FRAMES_AHEAD = 6;

export function startEncoding(coding: Coding): Encoding {
  const thread = new Worker(new URL('encoding-thread.ts', import.meta.url), { workerData: coding });
  const free = Array.from({ length: FRAMES_AHEAD }, () => new Uint8Array(coding.width * coding.height * 1.5));
  const sizes: number[] = [];
  const file = Promise.withResolvers<Uint8Array>();
  let wake = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    file.reject(failure);
    wake.resolve();
  };
  file.promise.catch(() => {}); // whoever waits for the file hears of it; until then `add` tells
  thread.on('error', (error) => fail(new Error('the encoder failed', { cause: error })));
  thread.on('exit', () => fail(new Error('the encoder ended early')));
  thread.on('message', (message: FromEncoder) => {
    if (message.kind === 'file') return file.resolve(message.file);
    free.push(message.buffer);
    sizes.push(message.bytes);
    wake.resolve();
  });
  const send = (message: ToEncoder, moved: ArrayBuffer[] = []) => thread.postMessage(message, moved);
  return { add, sizes, finish, stop };

  async function add(frame: Uint8Array): Promise<void> {
    while (free.length === 0 && !failure) {
      wake = Promise.withResolvers<void>();
      await wake.promise;
    }
    const buffer = free.pop();
    if (failure || !buffer) throw failure ?? new Error('no buffer is free');
    buffer.set(frame);
    send(buffer, [buffer.buffer]);
  }

  function finish(): Promise<Uint8Array> {
    send(undefined);
    return file.promise;
  }

  async function stop(): Promise<void> {
    await thread.terminate();
  }
}
