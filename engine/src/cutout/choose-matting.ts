import sharp from 'sharp';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { UnclearProduct, type Matting, type NetworkNews } from './matting.ts';
import { USUAL_THREADS } from './network-file.ts';
import type { NetworkSettings } from './network-settings.ts';
import { loadNetwork, type OperatorNetwork } from './operator-network.ts';
import { ownMatting } from './own-matting.ts';
import { solveEdges } from './edges.ts';

/**
 * The operator's network where there is one and it works, else our own; with marks always our own, which reads them.
 * The operator's is loaded with the first picture that needs it; whatever goes wrong with it is told once.
 */
export function chooseMatting(
  settings: NetworkSettings | undefined,
  tell: (news: NetworkNews) => void,
  threads = USUAL_THREADS,
): Matting {
  if (!settings) return ownMatting;
  let loading: Promise<Matting> | undefined;
  const giveUp = (error: unknown): Matting => {
    tell({ state: 'failed', reason: error instanceof Error ? error.message : String(error) });
    loading = Promise.resolve(ownMatting);
    return ownMatting;
  };
  const load = async () => {
    tell({ state: 'loading' });
    const network = await loadNetwork(settings, threads);
    tell({ state: 'ready' });
    return makeOperatorMatting(network, settings.isStretched);
  };
  return {
    name: 'chosen',
    async find(picture, report, marks) {
      if (marks) return ownMatting.find(picture, report, marks);
      loading ??= load().catch(giveUp);
      const matting = await loading;
      try {
        return await matting.find(picture, report);
      } catch (error) {
        if (matting === ownMatting || error instanceof UnclearProduct) throw error;
        return giveUp(error).find(picture, report);
      }
    },
  };
}

const LEAST_SHARE = 0.004; // below and above it there is no product to speak of
const MOST_SHARE = 0.92;
const FAINT = 0.2; // a picture whose most certain pixel is fainter than this has no product to stretch towards

/** The operator's network as a matting; `isStretched` where its cover has to be stretched to reach 0 and 1. */
export function makeOperatorMatting(network: OperatorNetwork, isStretched: boolean): Matting {
  return {
    name: "operator's network",
    async find(picture, report) {
      await report(20, 'Finding the product');
      const cover = await lookOnce(network, picture);
      await report(60, 'Refining edges');
      const alpha = resizePlane(isStretched ? stretch(cover) : cover, picture);
      const grain = Math.max(1, Math.max(picture.width, picture.height) / network.side);
      const refined = solveEdges(picture, { alpha, grain });
      checkShare(refined.data);
      return refined;
    },
  };
}

async function lookOnce({ side, infer }: OperatorNetwork, picture: Rgb): Promise<Plane> {
  const { width, height, data } = await shrinkRgb(picture, 2 * side);
  const squeezed = sharp(data, { raw: { width, height, channels: 3 } }).resize(side, side, { fit: 'fill' });
  return { width: side, height: side, data: await infer(await squeezed.raw().toBuffer()) };
}

function stretch({ width, height, data }: Plane): Plane {
  let least = Infinity;
  let most = -Infinity;
  for (const value of data) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most < FAINT || most === least) throw new UnclearProduct('the network found nothing');
  return { width, height, data: data.map((value) => (value - least) / (most - least)) };
}

function checkShare(alpha: Float32Array): void {
  const share = alpha.reduce((sum, cover) => sum + cover, 0) / alpha.length;
  if (share < LEAST_SHARE || share > MOST_SHARE) throw new UnclearProduct(`the product covers ${share.toFixed(3)}`);
}
