import { MessageChannel, Worker } from 'node:worker_threads';
import type { Coding } from './encoder.ts';
import type { Bytes, FilmToCode } from './encoding-thread.ts';

/**
 * One thread for all films of the process: V8 in Node 24 crashes if threads with WebAssembly end repeatedly
 * (`Check failed: jit_page.has_value()`).
 */
let thread: Worker | undefined;

/**
 * Starts encoding a film in another thread, in parallel to drawing the next frame; `add` and `finish` reject if the
 * thread fails.
 */
export function startEncoding(coding: Coding) {
  const coder = (thread ??= startThread());
  const { port1: port, port2 } = new MessageChannel();
  let answer = Promise.withResolvers<Bytes>(); // the returned buffer of the last frame, or the file
  answer.resolve(new Uint8Array(coding.width * coding.height * 1.5));
  const handleEnd = (cause: unknown) => answer.reject(new Error('the encoder failed', { cause }));
  coder.once('error', handleEnd).once('exit', handleEnd);
  port.on('message', (bytes: Bytes) => answer.resolve(bytes));
  coder.postMessage({ coding, port: port2 } satisfies FilmToCode, [port2]);
  const send = (frame?: Bytes) => {
    if (thread !== coder) throw new Error('the encoder failed');
    answer = Promise.withResolvers();
    answer.promise.catch(() => {}); // the next call rejects instead
    port.postMessage(frame, frame ? [frame.buffer] : []);
  };
  return {
    /** Copies an I420 frame as soon as the previous one is encoded. */
    add: async (frame: Uint8Array) => {
      const buffer = await answer.promise;
      buffer.set(frame);
      send(buffer);
    },
    /** The whole file, index first. */
    finish: async () => {
      await answer.promise;
      send();
      return answer.promise;
    },
    /** Releases the encoder, finished or not; must be called. */
    stop: () => {
      coder.off('error', handleEnd).off('exit', handleEnd);
      port.close();
    },
  };
}

/** Does not keep the process alive; after a failure the next film gets a new one. */
function startThread(): Worker {
  const started = new Worker(new URL('encoding-thread.ts', import.meta.url));
  const forget = () => {
    if (thread === started) thread = undefined;
  };
  started.on('error', forget).on('exit', forget).unref();
  return started;
}
