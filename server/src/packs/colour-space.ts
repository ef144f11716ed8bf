import type { ColourSpace } from '@plinth/contract/packs';
import type { Metadata } from 'sharp';

/** Which colours a file's numbers stand for: what its profile says, not what it is called. */

/** The red, green and blue of sRGB as a profile has them, in XYZ by D50 (IEC 61966-2-1, adapted by Bradford). */
const SRGB: Record<string, readonly number[]> = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};
// Profiles round, and some adapt the white a little differently; those of Display P3 are 0.08 away.
const SAME = 0.006;

/** Without a profile numbers are sRGB, as every shop reads them. */
export function readColourSpace({ space, icc, hasProfile }: Metadata): ColourSpace {
  if (space === 'cmyk') return 'CMYK';
  if (space === 'b-w' || space === 'grey16') return 'grey';
  return hasProfile && icc !== undefined && !isSrgb(icc) ? 'other RGB' : 'sRGB';
}

// ICC.1:2022, 7.2 and 7.3: a head of 128 bytes, then how many tags, then 12 bytes each: name, place, length.
const HEAD_BYTES = 128;
const TAG_BYTES = 12;

function isSrgb(icc: Buffer): boolean {
  try {
    const tags = icc.readUInt32BE(HEAD_BYTES);
    const found = new Map<string, number>();
    for (let at = HEAD_BYTES + 4, n = 0; n < tags; n += 1, at += TAG_BYTES)
      found.set(icc.toString('latin1', at, at + 4), icc.readUInt32BE(at + 4));
    return Object.entries(SRGB).every(([name, colour]) => {
      const at = found.get(name);
      return at !== undefined && colour.every((part, n) => Math.abs(readFixed(icc, at + 8 + n * 4) - part) <= SAME);
    });
  } catch {
    return false;
  }
}

/** A number of 16 bits before the point and 16 behind it. */
const readFixed = (icc: Buffer, at: number): number => icc.readInt32BE(at) / 65_536;
