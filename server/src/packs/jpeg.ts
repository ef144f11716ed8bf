import { fromRaster, type Raster } from './raster.ts';

/**
 * Qualities; the first that fits is used. Below 92 edges become visible, and any noise fits at 40. All preserve a block
 * of pure white (ITU-T T.81, table K.1), unlike 20.
 */
const QUALITIES = [95, 92, 88, 84, 80, 75, 68, 60, 50, 40, 30];

/** Encodes an sRGB JPEG of at most `maxBytes`; 4:4:4, so that white stays pure beside the product. */
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
