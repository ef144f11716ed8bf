import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ColourSpace, writeProfile } from './icc.ts';
import { extractFirstFrame, insertProfile, isAnimated, listChunks, readChunk } from './png.ts';

/**
 * Makes a PNG's colours readable for sharp, which supports only 8-bit iCCP: rewrites cICP, 16-bit iCCP, and gAMA with
 * cHRM as a profile, with the precedence of browsers (PNG, third edition, 4.3).
 */

/** Rewrites a PNG for sharp and keeps only its first picture; unchanged if that is not needed. */
export async function normalisePngColours(path: string): Promise<Buffer> {
  const file = await readFile(path);
  const png = isAnimated(file) ? extractFirstFrame(file) : file;
  const colours = findColours(listChunks(png));
  if (colours === undefined) return png;
  const { depth, icc } = await sharp(png).metadata();
  const is16Bit = depth === 'ushort';
  if (colours === 'profile' && !is16Bit) return png;
  const profile = colours === 'profile' ? icc : writeProfile(colours);
  if (profile === undefined) return png;
  return insertProfile(is16Bit ? await flatten(png) : png, profile);
}

/** Reduces 16 bits to 8 without applying the profile, which sharp cannot convert at 16 bits. */
async function flatten(png: Buffer): Promise<Buffer> {
  const open = sharp(png, { ignoreIcc: true, failOn: 'error' });
  const { space } = await open.metadata();
  return open
    .toColourspace(space === 'grey16' ? 'b-w' : 'srgb')
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Fixed-point scale of gAMA and cHRM. */
const UNIT = 100_000;
/** Values that encoders write for sRGB; browsers treat them as sRGB, too. */
const SRGB_GAMMA = 45_455;

/** The colours that the chunks define: a profile or numbers; undefined for sRGB or without a definition. */
function findColours(chunks: Buffer[]): 'profile' | ColourSpace | undefined {
  const cicp = readChunk(chunks, 'cICP');
  const cicpColours = cicp && parseCicp(cicp);
  if (cicpColours !== undefined) return cicpColours;
  if (readChunk(chunks, 'iCCP') !== undefined) return 'profile';
  if (readChunk(chunks, 'sRGB') !== undefined) return undefined;
  const isGrey = (readChunk(chunks, 'IHDR')?.[9] ?? 0) % 4 === 0;
  const gamma = readChunk(chunks, 'gAMA')?.readUInt32BE(0);
  const chromaticities = readChunk(chunks, 'cHRM');
  // Browsers ignore cHRM without gAMA.
  if (gamma === undefined || gamma === 0 || (gamma === SRGB_GAMMA && chromaticities === undefined)) return undefined;
  return {
    isGrey,
    transfer: UNIT / gamma,
    primaries: chromaticities === undefined ? SRGB : findPrimaries(chromaticities),
  };
}

// CIE XYZ of red, green and blue, adapted to D50 by Bradford.
const SRGB = [0.436, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.143, 0.0606, 0.7139];
const DISPLAY_P3 = [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841];
const BT_2020 = [0.6735, 0.279, -0.0019, 0.1657, 0.6753, 0.03, 0.125, 0.0456, 0.7969];

/** CIE x and y of white, red, green and blue, as cHRM has them. */
const KNOWN: [chromaticities: number[], ColourSpace['primaries']][] = [
  [[0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06], DISPLAY_P3],
  [[0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046], BT_2020],
];

/** Any other colour space counts as sRGB. */
function findPrimaries(chunk: Buffer): ColourSpace['primaries'] {
  const isIn = (points: number[]) =>
    points.every((point, at) => Math.abs(chunk.readUInt32BE(4 * at) / UNIT - point) < 0.001);
  return KNOWN.find(([points]) => isIn(points))?.[1] ?? SRGB;
}

/** Code points of ITU-T H.273. High dynamic range (PQ, HLG) is not supported. */
function parseCicp([primariesCode = 0, transferCode = 0, matrix, isFull]: Buffer): ColourSpace | undefined {
  const primaries = { 1: SRGB, 9: BT_2020, 12: DISPLAY_P3 }[primariesCode];
  const transfer = ({ 4: 2.2, 5: 2.8, 8: 1, 13: 'srgb' } as const)[transferCode];
  if (primaries === undefined || transfer === undefined || matrix !== 0 || isFull !== 1) return undefined;
  return { isGrey: false, transfer, primaries };
}
