import { parentPort, workerData } from 'node:worker_threads';
import type { Frame } from './first-frame.ts';

/** Decodes the NAL units it is started with and answers with the first picture. */

// The decoder was made for the browser's workers and looks for their global object.
Object.assign(globalThis, { self: { location: { href: '' } } });
const { default: makeDecoder } = await import('tinyh264/lib/TinyH264.js');
const { default: Decoder } = await import('tinyh264/lib/TinyH264Decoder.js');

const START_CODE = [0, 0, 0, 1];
const decoder = new Decoder(await makeDecoder(), (planes, width, height) => {
  const rgb = toRgb(planes, width, height);
  parentPort?.postMessage({ width, height, rgb } satisfies Frame, [rgb.buffer]);
});
for (const unit of workerData as Uint8Array[]) decoder.decode(Uint8Array.from([...START_CODE, ...unit]));

/** Of planar YUV 4:2:0 by ITU-R BT.709, video range, as our own clips are coded. */
function toRgb(planes: Uint8Array, width: number, height: number): Frame['rgb'] {
  const rgb = new Uint8ClampedArray(width * height * 3);
  const half = width >> 1;
  const blueAt = width * height;
  const redAt = blueAt + half * (height >> 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const chroma = (y >> 1) * half + (x >> 1);
      const luma = 1.1644 * ((planes[y * width + x] ?? 16) - 16);
      const blue = (planes[blueAt + chroma] ?? 128) - 128;
      const red = (planes[redAt + chroma] ?? 128) - 128;
      rgb.set([luma + 1.7927 * red, luma - 0.2132 * blue - 0.5329 * red, luma + 2.1124 * blue], (y * width + x) * 3);
    }
  }
  return new Uint8Array(rgb.buffer);
}
