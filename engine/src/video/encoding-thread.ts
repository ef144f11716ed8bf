/** The thread of encode-in-thread.ts: encodes each film's frames in order, returns their buffers, then the file. */
import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { openEncoder, type VideoOptions } from './encoder.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A film to encode. Its port receives the frames, then `undefined`; closing the port cancels the film. */
export type EncodingJob = { options: VideoOptions; port: MessagePort };

// A failure ends the thread, because WebAssembly is unusable after an abort.
parentPort?.on('message', (job: EncodingJob) => void encodeFilm(job));

async function encodeFilm({ options, port }: EncodingJob): Promise<void> {
  const closed = once(port, 'close');
  const encoder = await openEncoder(options);
  port.on('message', (frame?: Bytes) => {
    if (!frame) return port.postMessage(encoder.finish());
    encoder.add(frame);
    port.postMessage(frame, [frame.buffer]);
  });
  await closed;
  encoder.dispose();
}
