/** The thread behind encode-apart.ts: codes each film's frames in order and sends their buffers back. */
import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { openEncoder, type Coding } from './encoder.ts';

/** A film to code; frames come through its port, and when that is closed nobody wants the film any more. */
export type FilmToCode = { coding: Coding; port: MessagePort };

/** A frame to code, or nothing when the last one was sent. */
export type ToEncoder = Uint8Array<ArrayBuffer> | undefined;

/** A frame that is coded: its buffer may be used again. Or the whole file. */
export type FromEncoder = { kind: 'coded'; buffer: Uint8Array<ArrayBuffer> } | { kind: 'file'; file: Uint8Array };

// What fails here ends the thread: after an abort its WebAssembly is good for nothing.
parentPort?.on('message', (film: FilmToCode) => void codeFilm(film));

async function codeFilm({ coding, port }: FilmToCode): Promise<void> {
  const closed = once(port, 'close');
  const encoder = await openEncoder(coding);
  const tell = (message: FromEncoder, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  port.on('message', (frame: ToEncoder) => {
    if (!frame) return tell({ kind: 'file', file: encoder.finish() });
    encoder.add(frame);
    tell({ kind: 'coded', buffer: frame }, [frame.buffer]);
  });
  await closed;
  encoder.free();
}
