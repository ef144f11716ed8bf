import { fromRaster, type Raster } from './opened.ts';

/**
 * The first that fits is taken; below 92 edges show, and the wildest noise fits by 40. All keep a block of pure white
 * (ITU-T T.81, table K.1; at 20 they would not).
 */
const QUALITIES = [95, 92, 88, 84, 80, 75, 68, 60, 50, 40, 30];

/** An sRGB JPEG of at most `maxBytes`; 4:4:4, so that pure white stays pure beside the product. */
export async function encodeJpeg(
  drawn: Raster,
  maxBytes: number,
  xmp: Buffer | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  for (const quality of QUALITIES) {
    const picture = fromRaster(drawn)
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: true })
      .withIccProfile('srgb');
    const content = await (xmp === undefined ? picture : picture.withXmp(xmp.toString())).toBuffer();
    if (content.byteLength <= maxBytes) return new Uint8Array(content);
  }
  throw new Error(`no quality brings ${drawn.width} x ${drawn.height} pixels below ${maxBytes} bytes`);
}
