/** The thread of encode-apart.ts: encodes each film's frames in order, returns their buffers, then the file. */
import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { openEncoder, type Coding } from './encoder.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A film to encode. Its port receives the frames, then `undefined`; closing the port cancels the film. */
export type FilmToCode = { coding: Coding; port: MessagePort };

// A failure ends the thread, because WebAssembly is unusable after an abort.
parentPort?.on('message', (film: FilmToCode) => void codeFilm(film));

async function codeFilm({ coding, port }: FilmToCode): Promise<void> {
  const closed = once(port, 'close');
  const encoder = await openEncoder(coding);
  port.on('message', (frame?: Bytes) => {
    if (!frame) return port.postMessage(encoder.finish());
    encoder.add(frame);
    port.postMessage(frame, [frame.buffer]);
  });
  await closed;
  encoder.free();
}
