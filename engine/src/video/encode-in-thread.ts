import { MessageChannel, Worker } from 'node:worker_threads';
import type { VideoOptions } from './encoder.ts';
import type { Bytes, EncodingJob } from './encoding-thread.ts';

/**
 * One thread for all films of the process: V8 in Node 24 crashes if threads with WebAssembly end repeatedly
 * (`Check failed: jit_page.has_value()`).
 */
let thread: Worker | undefined;

/**
 * Starts encoding a film in another thread, in parallel to drawing the next frame; `add` and `finish` reject if the
 * thread fails.
 */
export function startEncoding(options: VideoOptions) {
  const encoderThread = (thread ??= startThread());
  const { port1: port, port2 } = new MessageChannel();
  let reply = Promise.withResolvers<Bytes>(); // the returned buffer of the last frame, or the file
  reply.resolve(new Uint8Array(options.width * options.height * 1.5));
  const handleEnd = (cause: unknown) => reply.reject(new Error('the encoder failed', { cause }));
  encoderThread.once('error', handleEnd).once('exit', handleEnd);
  port.on('message', (bytes: Bytes) => reply.resolve(bytes));
  encoderThread.postMessage({ options, port: port2 } satisfies EncodingJob, [port2]);
  const send = (frame?: Bytes) => {
    if (thread !== encoderThread) throw new Error('the encoder failed');
    reply = Promise.withResolvers();
    reply.promise.catch(() => {}); // the next call rejects instead
    port.postMessage(frame, frame ? [frame.buffer] : []);
  };
  return {
    /** Copies an I420 frame as soon as the previous one is encoded. */
    add: async (frame: Uint8Array) => {
      const buffer = await reply.promise;
      buffer.set(frame);
      send(buffer);
    },
    /** The whole file, index first. */
    finish: async () => {
      await reply.promise;
      send();
      return reply.promise;
    },
    /** Releases the encoder, finished or not; must be called. */
    dispose: () => {
      encoderThread.off('error', handleEnd).off('exit', handleEnd);
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
