import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ColourSpace, writeProfile } from './icc.ts';
import { insertProfile, isAnimated, listChunks, readChunk, takeFirstPicture } from './png.ts';

/**
 * Explains a PNG's colours to sharp, which reads only 8-bit iCCP: cICP, 16-bit iCCP and gAMA with cHRM are rewritten as
 * a profile, in the order of browsers (PNG, third edition, 4.3).
 */

/** The PNG in words that sharp understands, its first picture alone; as it was where that is so already. */
export async function explainPng(path: string): Promise<Buffer> {
  const given = await readFile(path);
  const png = isAnimated(given) ? takeFirstPicture(given) : given;
  const said = findColours(listChunks(png));
  if (said === undefined) return png;
  const { depth, icc } = await sharp(png).metadata();
  const isDeep = depth === 'ushort';
  if (said === 'profile' && !isDeep) return png;
  const profile = said === 'profile' ? icc : writeProfile(said);
  if (profile === undefined) return png;
  return insertProfile(isDeep ? await flatten(png) : png, profile);
}

/** Without a look at its profile, which sharp cannot undo of 16 bits: the same numbers, in 8. */
async function flatten(png: Buffer): Promise<Buffer> {
  const open = sharp(png, { ignoreIcc: true, failOn: 'error' });
  const { space } = await open.metadata();
  return open
    .toColourspace(space === 'grey16' ? 'b-w' : 'srgb')
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Fixed-point numbers of gAMA and cHRM. */
const UNIT = 100_000;
/** What encoders write for sRGB where they know no better: a browser takes it for that, too. */
const SRGB_GAMMA = 45_455;

/** What the chunks say of the colours: a profile, or numbers; undefined for sRGB and where nothing is said. */
function findColours(chunks: Buffer[]): 'profile' | ColourSpace | undefined {
  const code = readChunk(chunks, 'cICP');
  const coded = code && fromCode(code);
  if (coded !== undefined) return coded;
  if (readChunk(chunks, 'iCCP') !== undefined) return 'profile';
  if (readChunk(chunks, 'sRGB') !== undefined) return undefined;
  const isGrey = (readChunk(chunks, 'IHDR')?.[9] ?? 0) % 4 === 0;
  const gamma = readChunk(chunks, 'gAMA')?.readUInt32BE(0);
  const points = readChunk(chunks, 'cHRM');
  // Browsers do not look at cHRM alone.
  if (gamma === undefined || gamma === 0 || (gamma === SRGB_GAMMA && points === undefined)) return undefined;
  return { isGrey, transfer: UNIT / gamma, primaries: points === undefined ? SRGB : readPoints(points) };
}

const readPoints = (chunk: Buffer) =>
  Array.from({ length: 8 }, (_, at) => chunk.readUInt32BE(at * 4) / UNIT) as ColourSpace['primaries'];

// White, red, green, blue: x and y of each.
const SRGB: ColourSpace['primaries'] = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
const DISPLAY_P3: ColourSpace['primaries'] = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06];
const BT_2020: ColourSpace['primaries'] = [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046];

/** By the code points of ITU-T H.273; high dynamic range (PQ, HLG) has no picture of ours to be. */
function fromCode([primariesCode = 0, transferCode = 0, matrix, isFull]: Buffer): ColourSpace | undefined {
  const primaries = { 1: SRGB, 9: BT_2020, 12: DISPLAY_P3 }[primariesCode];
  const transfer = ({ 4: 2.2, 5: 2.8, 8: 1, 13: 'srgb' } as const)[transferCode];
  if (primaries === undefined || transfer === undefined || matrix !== 0 || isFull !== 1) return undefined;
  return { isGrey: false, transfer, primaries };
}
