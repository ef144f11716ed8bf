import { MessageChannel, Worker } from 'node:worker_threads';
import type { Coding } from './encoder.ts';
import type { FilmToCode, FromEncoder, ToEncoder } from './encoding-thread.ts';

/** An encoder in another thread: a frame is coded while the next ones are drawn. */
export type Encoding = {
  /** Takes a copy of an I420 frame; waits while too many are on their way. */
  add: (frame: Uint8Array) => Promise<void>;
  /** The whole file, index first. */
  finish: () => Promise<Uint8Array>;
  /** Gives back what the encoder holds, finished or not; must be called. */
  stop: () => void;
};

/** Frames on their way at most: when `add` takes one, the one this many before it is coded. */
const FRAMES_AHEAD = 6;

/**
 * One for all films of the process: V8 in Node 24 ends a process that lets threads with WebAssembly end again and again
 * (`Check failed: jit_page.has_value()`).
 */
let thread: Worker | undefined;

export function startEncoding(coding: Coding): Encoding {
  const coder = (thread ??= startThread());
  const { port1: port, port2 } = new MessageChannel();
  const free = Array.from({ length: FRAMES_AHEAD }, () => new Uint8Array(coding.width * coding.height * 1.5));
  const file = Promise.withResolvers<Uint8Array>();
  let wake = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    file.reject(failure);
    wake.resolve();
  };
  file.promise.catch(() => {}); // whoever waits for the file hears of it; until then `add` tells
  const handleError = (error: unknown) => fail(new Error('the encoder failed', { cause: error }));
  const handleExit = () => fail(new Error('the encoder ended early'));
  coder.once('error', handleError).once('exit', handleExit);
  port.on('message', (message: FromEncoder) => {
    if (message.kind === 'file') return file.resolve(message.file);
    free.push(message.buffer);
    wake.resolve();
  });
  coder.postMessage({ coding, port: port2 } satisfies FilmToCode, [port2]);
  const send = (message: ToEncoder, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  return { add, finish, stop };

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

  function stop(): void {
    coder.off('error', handleError).off('exit', handleExit);
    port.close();
  }
}

/** Keeps no process alive; when it fails, the next film gets another one. */
function startThread(): Worker {
  const started = new Worker(new URL('encoding-thread.ts', import.meta.url));
  const forget = () => {
    if (thread === started) thread = undefined;
  };
  started.on('error', forget).on('exit', forget).unref();
  return started;
}
