import sharp from 'sharp';
import type { Raster } from './opened.ts';

/**
 * The first that fits is taken. Below 92 edges show; a file that fits is worth more than that, and the wildest noise
 * fits by 40. At each of them a block of pure white comes back as it was: the steps of its mean, 16 at quality 50, lead
 * to 255 again (ITU-T T.81, table K.1; at 20 they lead to 253).
 */
const QUALITIES = [95, 92, 88, 84, 80, 75, 68, 60, 50, 40, 30];

/**
 * An sRGB JPEG of at most `maxBytes`, as good as fits. Colour is not halved (4:4:4), so that a block of pure white
 * stays pure white beside the product.
 */
export async function encodeJpeg(
  drawn: Raster,
  maxBytes: number,
  xmp: Buffer | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = drawn;
  for (const quality of QUALITIES) {
    const picture = sharp(drawn.data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: true })
      .withIccProfile('srgb');
    const content = await (xmp === undefined ? picture : picture.withXmp(xmp.toString())).toBuffer();
    if (content.byteLength <= maxBytes) return new Uint8Array(content);
  }
  throw new Error(`no quality brings ${width} x ${height} pixels below ${maxBytes} bytes`);
}
