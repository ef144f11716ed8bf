import sharp from 'sharp';
import type { Raster } from './opened.ts';

/** The first that fits is taken. Below 92 edges show; a file that fits is worth more than that. */
const QUALITIES = [95, 92, 88, 84, 80, 75, 68, 60, 50, 40, 30, 20];
const BLOCK_PX = 8;
const WHITE = 255;

/**
 * An sRGB JPEG of at most `maxBytes`, as good as fits. Colour is not halved (4:4:4), so that a block of pure white
 * stays pure white beside the product; a quality that would grey one is passed over.
 */
export async function encodeJpeg(
  drawn: Raster,
  maxBytes: number,
  xmp: Buffer | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = drawn;
  const whites = findWhiteBlocks(drawn);
  for (const quality of QUALITIES) {
    const picture = sharp(drawn.data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: true })
      .withIccProfile('srgb');
    const content = await (xmp === undefined ? picture : picture.withXmp(xmp.toString())).toBuffer();
    if (content.byteLength <= maxBytes && (await isStillWhite(content, whites))) return new Uint8Array(content);
  }
  throw new Error(`no quality brings ${width} x ${height} pixels below ${maxBytes} bytes`);
}

type Blocks = { isWhite: Uint8Array; perRow: number };

function findWhiteBlocks({ data, width, height }: Raster): Blocks {
  const perRow = Math.ceil(width / BLOCK_PX);
  const isWhite = new Uint8Array(perRow * Math.ceil(height / BLOCK_PX)).fill(1);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = (y >> 3) * perRow;
    for (let x = 0; x < width; x += 1, at += 3) {
      if (data[at] !== WHITE || data[at + 1] !== WHITE || data[at + 2] !== WHITE) isWhite[row + (x >> 3)] = 0;
    }
  }
  return { isWhite, perRow };
}

async function isStillWhite(content: Buffer, { isWhite, perRow }: Blocks): Promise<boolean> {
  if (!isWhite.includes(1)) return true;
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  for (let y = 0, at = 0; y < info.height; y += 1) {
    const row = (y >> 3) * perRow;
    for (let x = 0; x < info.width; x += 1, at += 3) {
      if (isWhite[row + (x >> 3)] === 0) continue;
      if (data[at] !== WHITE || data[at + 1] !== WHITE || data[at + 2] !== WHITE) return false;
    }
  }
  return true;
}
