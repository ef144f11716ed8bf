import makeHeif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';

/**
 * Decodes HEIC for browsers that cannot, by libheif (LGPL-3.0, decision 031). It is a worker because a phone's photo
 * takes a second, and because only this file's response allows WebAssembly in its CSP.
 */

/** The red primary of Display P3 in an ICC profile, x and y: iPhones write it, and libheif converts no profiles. */
const P3_RED = [0, 0, 0x83, 0xdf, 0, 0, 0x3d, 0xbf];
const HEAD_BYTES = 64 * 1024; // the profile is in the file's first boxes

/** Answers a file with its upright picture in sRGB, or null if it cannot be decoded. */
self.onmessage = ({ data: file }: MessageEvent<Blob>) => {
  decode(file).then(
    (picture) => self.postMessage(picture, { transfer: [picture] }),
    () => self.postMessage(null),
  );
};
// libheif decodes in a callback of its own.
self.onunhandledrejection = () => self.postMessage(null);

async function decode(file: Blob): Promise<ImageBitmap> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const images = new (makeHeif().HeifDecoder)().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) throw new Error('no picture in it');
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  await new Promise<void>((resolve, reject) => {
    image.display({ width, height, data }, (shown) => (shown === null ? reject(new Error('broken')) : resolve()));
  });
  const colorSpace = isP3(bytes.subarray(0, HEAD_BYTES)) ? 'display-p3' : 'srgb';
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height, { colorSpace }), 0, 0);
  return canvas.transferToImageBitmap();
}

const isP3 = (head: Uint8Array): boolean =>
  head.some((_, at) => P3_RED.every((byte, place) => head[at + place] === byte));
