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
import type { FromWorker, Reason } from './agreed.ts';
import { drawInScenes, readPicture, Unreadable } from './drawing.ts';
import { loadNetwork, NotFetched } from './network.ts';

/**
 * Cuts a photo out in the browser, by the engine's own steps and network. It stands in a worker because the answer that
 * brings this file, and no page, allows WebAssembly (`platform/pages.ts` of the server).
 */

let network: Promise<Network> | undefined;

const tell = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data: photo }: MessageEvent<Blob>) => {
  cutOut(photo).then(
    (pictures) => tell({ kind: 'done', pictures }),
    (error: unknown) => tell({ kind: 'refused', reason: reasonOf(error) }),
  );
};

function reasonOf(error: unknown): Reason {
  if (error instanceof UnclearProduct) return 'unclear';
  if (error instanceof Unreadable) return 'unreadable';
  return error instanceof NotFetched ? 'not-fetched' : 'not-here';
}

/** The cut-out, then what it looks like in each of the scenes. */
async function cutOut(photo: Blob): Promise<Blob[]> {
  const picture = await readPicture(photo);
  const looking = await getNetwork();
  tell({ kind: 'working', share: null });
  const { data, alpha } = await takeProduct(looking, picture);
  const product = drawRgb({ ...picture, data }, alpha);
  const inScenes = await drawInScenes(product, { ...picture, data: alpha });
  const jpegs = inScenes.map((canvas) => canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 }));
  return Promise.all([product.convertToBlob(), ...jpegs]);
}

function getNetwork(): Promise<Network> {
  network ??= loadNetwork((share) => tell({ kind: 'working', share })).catch((error: unknown) => {
    network = undefined; // The next photo tries again.
    throw error;
  });
  return network;
}

/** The product's colours and its cover 0..255; the picture may be changed. @throws UnclearProduct */
async function takeProduct(looking: Network, picture: Rgb & { alpha?: Uint8Array }) {
  const small = resizeRgb(picture, shrink(picture, WORK_SIDE));
  const { alpha: own } = picture;
  const cover = own
    ? resizePlane({ ...picture, data: mapFloats(own, (value) => value / 255) }, small)
    : await findProduct(
        () => findSubject(looking, small),
        small,
        async () => {},
      );
  const layers = separateLayers(small, cover);
  const alpha = own ?? growAlpha(picture, cover, small);
  return { alpha, data: paintProduct(picture, alpha, layers.front, small, { hasGround: own === undefined }) };
}
