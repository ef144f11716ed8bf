import { looks, measuredAt, refuseAbove } from 'engine-assets/cutout/cutout.json';
import { solveEdges, takeProduct } from './edges.ts';
import { findProduct, type Infer } from './looks.ts';
import type { ToWorker, Reason, FromWorker } from './messages.ts';
import { loadNetwork, NotFetched } from './network.ts';
import { drawCutOut, drawInScenes, readPicture } from './drawing.ts';
import { tidy } from './tidy.ts';
import { ownCover, type Plane, type Rgba } from './plane.ts';

/**
 * Cuts a photo out in the browser. It stands in a worker because the answer that brings this file, and no page, allows
 * WebAssembly (`platform/pages.ts` of the server).
 */

const LEAST_SHARE = 0.001; // of the picture: below it there is no product to speak of

let network: Promise<Infer> | undefined;

const tell = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data: { photo } }: MessageEvent<ToWorker>) => {
  cutOut(photo).then(tell, (error: unknown) => tell({ kind: 'ended', reason: reasonOf(error) }));
};

class Ended extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

function reasonOf(error: unknown): Reason {
  if (error instanceof Ended) return error.reason;
  return error instanceof NotFetched ? 'not-fetched' : 'not-here';
}

async function cutOut(photo: Blob): Promise<FromWorker> {
  const picture = await readPicture(photo).catch(() => {
    throw new Ended('unreadable');
  });
  const infer = await getNetwork();
  tell({ kind: 'looking' });
  const alpha = ownCover(picture) ?? (await findCover(infer, picture));
  const covered = alpha.data.filter((cover) => cover >= 0.5).length;
  if (covered < LEAST_SHARE * alpha.data.length) throw new Ended('unclear');
  takeProduct(picture, alpha);
  const product = drawCutOut(picture);
  const [cutOut, ...inScenes] = await Promise.all([
    product.convertToBlob(),
    ...(await drawInScenes(product, alpha)).map((canvas) => canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })),
  ]);
  return { kind: 'done', cutOut, inScenes };
}

function getNetwork(): Promise<Infer> {
  network ??= loadNetwork((share) => tell({ kind: 'fetching', share })).catch((error: unknown) => {
    network = undefined; // The next photo tries again.
    throw error;
  });
  return network;
}

async function findCover(infer: Infer, picture: Rgba): Promise<Plane> {
  const { alpha, grain, score } = await findProduct(infer, { looks, measuredAt, refuseAbove }, picture);
  if (score > refuseAbove) throw new Ended('unclear');
  return tidy(solveEdges(picture, alpha, grain), grain);
}
