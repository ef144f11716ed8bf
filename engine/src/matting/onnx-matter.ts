// A trained network as a matter: it says what is product, our own steps make the edge.
import sharp from 'sharp';
import type { Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { applyAlpha, fitAlpha } from './guided.ts';
import { NotToldApart, type Matter } from './matter.ts';
import type { Network } from './onnx-network.ts';
import { dilate } from './regions.ts';

const SURELY_BACKGROUND = 0.05;
const SURELY_PRODUCT = 0.95;
const BAND_SHARE = 0.003; // of the long side: what a network of few pixels blurs beyond the unsure zone
const LEAST_SHARE = 0.004; // below and above it there is no product to speak of
const MOST_SHARE = 0.92;
const FAINT = 0.2; // a picture whose most certain pixel is fainter than this has no product to stretch towards

export function makeNetworkMatter(network: Network, isStretched: boolean): Matter {
  return {
    name: 'network',
    async matte(picture, report) {
      await report(20, 'Finding the product');
      const plane = await network.infer(await toSquare(picture, network.side));
      const cover = isStretched ? stretch(plane) : plane;
      await report(60, 'Refining edges');
      const { width, height } = picture;
      const alpha = refineEdges(picture, resizePlane(cover, network.side, network.side, width, height));
      checkShare(alpha);
      return alpha;
    },
  };
}

async function toSquare(picture: Picture, side: number): Promise<Uint8Array> {
  const raw = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
  return sharp(picture.rgb, raw).resize(side, side, { fit: 'fill' }).raw().toBuffer();
}

function stretch(plane: Float32Array): Float32Array {
  let least = Infinity;
  let most = -Infinity;
  for (const value of plane) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most < FAINT || most === least) throw new NotToldApart('the network found nothing');
  return plane.map((value) => (value - least) / (most - least));
}

/** What the network is sure of stays; in between alpha follows the picture's own colours (guided filter). */
function refineEdges(picture: Picture, cover: Float32Array): Float32Array {
  const { width, height, rgb } = picture;
  const unsure = Uint8Array.from(cover, (value) => (value > SURELY_BACKGROUND && value < SURELY_PRODUCT ? 1 : 0));
  const band = dilate(unsure, width, height, Math.max(1, BAND_SHARE * Math.max(width, height)));
  const coefficients = fitAlpha(picture, cover, 4);
  return cover.map((value, i) => {
    if (!band[i]) return value >= SURELY_PRODUCT ? 1 : 0;
    const fitted = applyAlpha(coefficients, i, rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
    return Math.min(1, Math.max(0, (fitted - 0.04) / 0.92));
  });
}

function checkShare(alpha: Float32Array): void {
  let covered = 0;
  for (const value of alpha) covered += value;
  const share = covered / alpha.length;
  if (share < LEAST_SHARE || share > MOST_SHARE) throw new NotToldApart(`the product covers ${share.toFixed(3)}`);
}
