import type { ColourSpace } from '@plinth/contract/packs';
import type { Metadata } from 'sharp';

/** Identifies a file's colour space by its profile's values, not by its name. */

/** sRGB's primaries as in a profile: XYZ relative to D50 (IEC 61966-2-1, adapted by Bradford). */
const SRGB: Record<string, readonly number[]> = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};
// Tolerance for rounding and for slightly different white points; Display P3 differs by 0.08.
const TOLERANCE = 0.006;

/** Without a profile sRGB is assumed, as every shop does. */
export function readColourSpace({ space, icc, hasProfile }: Metadata): ColourSpace {
  if (space === 'cmyk') return 'CMYK';
  if (space === 'b-w' || space === 'grey16') return 'grey';
  return hasProfile && icc !== undefined && !isSrgb(icc) ? 'other RGB' : 'sRGB';
}

// ICC.1:2022, 7.2 and 7.3: a header of 128 bytes, the number of tags, then 12 bytes per tag: name, offset, length.
const HEADER_BYTES = 128;
const TAG_BYTES = 12;

function isSrgb(icc: Buffer): boolean {
  try {
    const tags = icc.readUInt32BE(HEADER_BYTES);
    const found = new Map<string, number>();
    for (let at = HEADER_BYTES + 4, n = 0; n < tags; n += 1, at += TAG_BYTES)
      found.set(icc.toString('latin1', at, at + 4), icc.readUInt32BE(at + 4));
    return Object.entries(SRGB).every(([name, colour]) => {
      const at = found.get(name);
      return (
        at !== undefined && colour.every((part, n) => Math.abs(readFixed(icc, at + 8 + n * 4) - part) <= TOLERANCE)
      );
    });
  } catch {
    return false;
  }
}

/** A 16.16 fixed-point number. */
const readFixed = (icc: Buffer, at: number): number => icc.readInt32BE(at) / 65_536;
