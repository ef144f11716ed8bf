/** The thread behind encode-apart.ts: codes each film's frames in order and sends their buffers back, then the file. */
import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { openEncoder, type Coding } from './encoder.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A film to code. Its frames come through its port, and nothing when the last one was sent; when the port is closed
 * nobody wants the film any more.
 */
export type FilmToCode = { coding: Coding; port: MessagePort };

// What fails here ends the thread: after an abort its WebAssembly is good for nothing.
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
