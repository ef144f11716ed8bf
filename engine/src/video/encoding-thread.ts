/** The thread behind encode-apart.ts: codes the frames it is sent, in order, and sends their buffers back. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEncoder, type Coding } from './encoder.ts';

/** A frame to code, or nothing when the last one was sent. */
export type ToEncoder = Uint8Array<ArrayBuffer> | undefined;

/** A frame that is coded: its buffer may be used again, `bytes` is what the file holds by now. Or the whole file. */
export type FromEncoder =
  { kind: 'coded'; buffer: Uint8Array<ArrayBuffer>; bytes: number } | { kind: 'file'; file: Uint8Array };

const encoder = await openEncoder(workerData as Coding);
parentPort?.on('message', (frame: ToEncoder) => {
  if (!frame) {
    tell({ kind: 'file', file: encoder.finish() });
    return;
  }
  encoder.add(frame);
  tell({ kind: 'coded', buffer: frame, bytes: encoder.countBytes() }, [frame.buffer]);
});

function tell(message: FromEncoder, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
