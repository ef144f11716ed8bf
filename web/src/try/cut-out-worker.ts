import '../platform/no-eval.ts';
import { findProduct, WORK_SIDE } from '../../../engine/src/cutout/find-product.ts';
import { separateLayers } from '../../../engine/src/cutout/foreground.ts';
import { growAlpha, paintProduct } from '../../../engine/src/cutout/full-size.ts';
import { UnclearProduct } from '../../../engine/src/cutout/matting.ts';
import type { Network } from '../../../engine/src/cutout/passes.ts';
import { findSubject } from '../../../engine/src/cutout/subject.ts';
import { mapFloats, type Rgb } from '../../../engine/src/pixels/plane.ts';
import { resizePlane } from '../../../engine/src/pixels/sample.ts';
import { drawRgb, resizeRgb, shrink } from './canvas.ts';
import type { FromWorker, Reason } from './worker-contract.ts';
import { drawInScenes, readPicture, Unreadable } from './drawing.ts';
import { loadNetwork, NotFetched } from './network.ts';

/**
 * Cuts a photo out in the browser with the engine's own code and network. It is a worker because only this file's
 * response allows WebAssembly in its CSP, and no page's does (`platform/pages.ts` of the server).
 */

let network: Promise<Network> | undefined;

const post = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data: photo }: MessageEvent<Blob>) => {
  cutOut(photo).then(
    (pictures) => post({ kind: 'done', pictures }),
    (error: unknown) => post({ kind: 'refused', reason: reasonOf(error) }),
  );
};

function reasonOf(error: unknown): Reason {
  if (error instanceof UnclearProduct) return 'unclear';
  if (error instanceof Unreadable) return 'unreadable';
  return error instanceof NotFetched ? 'not-fetched' : 'not-here';
}

/** Returns the cut-out, then one picture per scene. */
async function cutOut(photo: Blob): Promise<Blob[]> {
  const picture = await readPicture(photo);
  const detector = await getNetwork();
  post({ kind: 'working', share: null });
  const { data, alpha } = await cutOutProduct(detector, picture);
  const product = drawRgb({ ...picture, data }, alpha);
  const inScenes = await drawInScenes(product, { ...picture, data: alpha });
  const jpegs = inScenes.map((canvas) => canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 }));
  return Promise.all([product.convertToBlob(), ...jpegs]);
}

function getNetwork(): Promise<Network> {
  network ??= loadNetwork((share) => post({ kind: 'working', share })).catch((error: unknown) => {
    network = undefined; // the next photo retries
    throw error;
  });
  return network;
}

/** Returns the product's colours and alpha 0..255. May overwrite the picture. @throws UnclearProduct */
async function cutOutProduct(detector: Network, picture: Rgb & { alpha?: Uint8Array }) {
  const small = resizeRgb(picture, shrink(picture, WORK_SIDE));
  const { alpha: own } = picture;
  const smallAlpha = own
    ? resizePlane({ ...picture, data: mapFloats(own, (value) => value / 255) }, small)
    : await findProduct(
        () => findSubject(detector, small),
        small,
        async () => {},
      );
  const layers = separateLayers(small, smallAlpha);
  const alpha = own ?? growAlpha(picture, smallAlpha, small);
  return { alpha, data: paintProduct(picture, alpha, layers.front, small, { hasBackground: own === undefined }) };
}
