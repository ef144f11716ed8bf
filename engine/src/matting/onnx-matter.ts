// A trained network as a matter: it says what is product, our own steps make the edge.
import sharp from 'sharp';
import type { Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { applyAlpha, fitAlpha } from './guided.ts';
import { NotToldApart, type Matter } from './matter.ts';
import type { Network } from './onnx-network.ts';
import { dilate } from './regions.ts';

const SURELY_BACKGROUND = 0.05;
const SURELY_PRODUCT = 0.95;
const LEAST_MAGNIFIED = 1.3; // from so many pixels of the picture to one of the network's
const REACH = 1.6; // pixels of the network's: how far its outline may lie from the true one
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
      const alpha = refineEdges(picture, resizePlane(cover, network.side, network.side, width, height), network.side);
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

/**
 * What the network is sure of stays. A network that sees fewer pixels than the picture has blurs the outline: there
 * alpha follows the picture's own colours (guided filter), but only where sure product and sure background are near.
 * Glass and veils, which have no outline, keep what the network says, and so does a network that sees every pixel:
 * against true masks both lost by the filter, and outlines from 320 pixels gained a quarter.
 */
function refineEdges(picture: Picture, cover: Float32Array, side: number): Float32Array {
  const { width, height, rgb } = picture;
  const magnified = Math.max(width, height) / side;
  const product = mapBytes(cover, (value) => (value >= SURELY_PRODUCT ? 1 : 0));
  const background = mapBytes(cover, (value) => (value <= SURELY_BACKGROUND ? 1 : 0));
  const kept = cover.map((value, i) => (product[i] ? 1 : background[i] ? 0 : value));
  if (magnified < LEAST_MAGNIFIED) return kept;
  const reach = REACH * magnified;
  const nearProduct = dilate(product, width, height, reach);
  const nearBackground = dilate(background, width, height, reach);
  const coefficients = fitAlpha(picture, cover, Math.max(4, Math.round(magnified)));
  return kept.map((value, i) => {
    if (!nearProduct[i] || !nearBackground[i]) return value;
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
