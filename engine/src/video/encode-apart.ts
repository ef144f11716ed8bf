import { MessageChannel, Worker } from 'node:worker_threads';
import type { Coding } from './encoder.ts';
import type { Bytes, FilmToCode } from './encoding-thread.ts';

/**
 * One for all films of the process: V8 in Node 24 ends a process that lets threads with WebAssembly end again and again
 * (`Check failed: jit_page.has_value()`).
 */
let thread: Worker | undefined;

/**
 * Begins a film in another thread, where a frame is coded while the next one is drawn; `add` and `finish` reject when
 * the thread fails.
 */
export function startEncoding(coding: Coding) {
  const coder = (thread ??= startThread());
  const { port1: port, port2 } = new MessageChannel();
  let answer = Promise.withResolvers<Bytes>(); // the buffer of the frame that was sent last, or the file
  answer.resolve(new Uint8Array(coding.width * coding.height * 1.5));
  const handleEnd = (cause: unknown) => answer.reject(new Error('the encoder failed', { cause }));
  coder.once('error', handleEnd).once('exit', handleEnd);
  port.on('message', (bytes: Bytes) => answer.resolve(bytes));
  coder.postMessage({ coding, port: port2 } satisfies FilmToCode, [port2]);
  const send = (frame?: Bytes) => {
    if (thread !== coder) throw new Error('the encoder failed');
    answer = Promise.withResolvers();
    answer.promise.catch(() => {}); // whoever asks next hears of it
    port.postMessage(frame, frame ? [frame.buffer] : []);
  };
  return {
    /** Takes a copy of an I420 frame as soon as the one before it is coded. */
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
    /** Gives back what the encoder holds, finished or not; must be called. */
    stop: () => {
      coder.off('error', handleEnd).off('exit', handleEnd);
      port.close();
    },
  };
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
