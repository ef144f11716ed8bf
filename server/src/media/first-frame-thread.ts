import { parentPort, workerData } from 'node:worker_threads';

/** Decodes the NAL units it is started with and answers with the first picture. */

// The decoder was made for the browser's workers and looks for their global object.
Object.assign(globalThis, { self: { location: { href: '' } } });
const { default: makeDecoder } = await import('tinyh264/lib/TinyH264.js');
const { default: Decoder } = await import('tinyh264/lib/TinyH264Decoder.js');

const START_CODE = [0, 0, 0, 1];
const decoder = new Decoder(await makeDecoder(), (planes, width, height) =>
  parentPort?.postMessage({ planes, width, height }),
);
for (const unit of workerData as Uint8Array[]) decoder.decode(Uint8Array.from([...START_CODE, ...unit]));
