import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { writeProfile } from '../src/media/icc.ts';
import { insertProfile } from '../src/media/png.ts';

/** One picture of four squares in many encodings whose equal numbers mean different colours. */

const SIDE = 32;
export const SQUARES = [
  [200, 30, 30],
  [30, 150, 60],
  [40, 60, 200],
  [230, 200, 40],
] as const;
const GREYS = [24, 90, 160, 230] as const;

// CIE XYZ of red, green and blue, adapted to D50 by Bradford.
const SRGB = [0.436, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.143, 0.0606, 0.7139];
const P3 = [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841];
const ADOBE = [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446];
const PROPHOTO = [0.7977, 0.288, 0, 0.1352, 0.7119, 0, 0.0313, 0.0001, 0.8249];
const PROFILES = {
  srgb: writeProfile({ isGrey: false, transfer: 'srgb', primaries: SRGB }),
  p3: writeProfile({ isGrey: false, transfer: 'srgb', primaries: P3 }),
  adobe: writeProfile({ isGrey: false, transfer: 2.2, primaries: ADOBE }),
  prophoto: writeProfile({ isGrey: false, transfer: 1.8, primaries: PROPHOTO }),
  grey18: writeProfile({ isGrey: true, transfer: 1.8, primaries: SRGB }),
};

const squareAt = (x: number, y: number) => (x < SIDE / 2 ? 0 : 1) + (y < SIDE / 2 ? 0 : 2);

type Kind = 'rgb' | 'rgba' | 'grey' | 'palette';
type Chunk = [type: string, content: Buffer];

/** Writes a PNG by hand: colour type, bit depth, and colour chunks. */
function writePng(kind: Kind, depth: 8 | 16, colourChunks: Chunk[] = []): Buffer {
  const palette: Chunk[] = kind === 'palette' ? [['PLTE', Buffer.from(SQUARES.flat())]] : [];
  return join([['IHDR', writeHeader(kind, depth)], ...colourChunks, ...palette, ['IDAT', writeRows(kind, depth)]]);
}

const join = (chunks: Chunk[]): Buffer =>
  Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    ...[...chunks, ['IEND', Buffer.alloc(0)] as Chunk].map(([type, content]) => writeChunk(type, content)),
  ]);

/** A PNG of these chunks; `other` is another picture, and `fdAT` an animation's. */
export function writePicture(parts: readonly (readonly [string, Buffer] | string)[]): Buffer {
  const chunks = parts.map((part): Chunk => {
    if (typeof part !== 'string') return [...part];
    const rows = part.endsWith('other') ? deflateSync(Buffer.alloc(SIDE * (1 + 3 * SIDE))) : writeRows('rgb', 8);
    return part.startsWith('fdAT') ? ['fdAT', Buffer.concat([Buffer.alloc(4), rows])] : ['IDAT', rows];
  });
  return join([['IHDR', writeHeader('rgb', 8)], ...chunks]);
}

function writeHeader(kind: Kind, depth: 8 | 16): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([depth, { grey: 0, rgb: 2, palette: 3, rgba: 6 }[kind], 0, 0, 0], 8);
  return header;
}

function writeRows(kind: Kind, depth: 8 | 16): Buffer {
  const rows: number[] = [];
  const put = (value: number) => rows.push(...(depth === 16 ? [value, value] : [value]));
  for (let y = 0; y < SIDE; y += 1) {
    rows.push(0);
    for (let x = 0; x < SIDE; x += 1) {
      const square = squareAt(x, y);
      if (kind === 'palette') rows.push(square);
      else if (kind === 'grey') put(GREYS[square] ?? 0);
      else [...(SQUARES[square] ?? []), ...(kind === 'rgba' ? [255] : [])].forEach(put);
    }
  }
  return deflateSync(Buffer.from(rows));
}

function writeChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.byteLength);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  let sum = -1;
  for (const byte of chunk.subarray(4, -4)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  chunk.writeUInt32BE(~sum >>> 0, chunk.byteLength - 4);
  return chunk;
}

const fixed = (...values: number[]) => {
  const content = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => content.writeUInt32BE(Math.round(value * 100_000), 4 * at));
  return content;
};
const gamma = (value: number): Chunk => ['gAMA', fixed(value)];
const points = (...xy: number[]): Chunk => ['cHRM', fixed(0.3127, 0.329, ...xy)];
const SRGB_POINTS = points(0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
const P3_POINTS = points(0.68, 0.32, 0.265, 0.69, 0.15, 0.06);
const BT_2020_POINTS = points(0.708, 0.292, 0.17, 0.797, 0.131, 0.046);
const code = (primaries: number, transfer: number): Chunk => ['cICP', Buffer.from([primaries, transfer, 0, 1])];
const intent: Chunk = ['sRGB', Buffer.from([0])];

const withProfile = (kind: Kind, depth: 8 | 16, name: keyof typeof PROFILES) =>
  insertProfile(writePng(kind, depth), PROFILES[name]);

/** The other formats, as sharp writes them. */
async function write(format: 'jpeg' | 'webp', name?: 'p3'): Promise<Buffer> {
  const picture = name === undefined ? sharp(writePng('rgb', 8)) : sharp(writePng('rgb', 8)).withIccProfile(name);
  return format === 'jpeg'
    ? picture.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
    : picture.webp({ lossless: true }).toBuffer();
}

/** Every encoding by its name. */
export async function listEncodings(): Promise<Record<string, Buffer>> {
  return {
    PNG: writePng('rgb', 8),
    'PNG, 16 bits': writePng('rgb', 16),
    'PNG, palette': writePng('palette', 8),
    'PNG, grey': writePng('grey', 8),
    'PNG, grey, 16 bits': writePng('grey', 16),
    'PNG, sRGB': writePng('rgb', 8, [intent]),
    'PNG, sRGB beside gAMA 1': writePng('rgb', 8, [intent, gamma(1)]),
    'PNG, 16 bits, sRGB': writePng('rgb', 16, [intent]),
    'PNG, profile sRGB': withProfile('rgb', 8, 'srgb'),
    'PNG, profile P3': withProfile('rgb', 8, 'p3'),
    'PNG, profile Adobe RGB': withProfile('rgb', 8, 'adobe'),
    'PNG, profile ProPhoto': withProfile('rgb', 8, 'prophoto'),
    'PNG, palette, profile P3': withProfile('palette', 8, 'p3'),
    'PNG, 16 bits, profile sRGB': withProfile('rgb', 16, 'srgb'),
    'PNG, 16 bits, profile P3': withProfile('rgb', 16, 'p3'),
    'PNG, 16 bits, profile Adobe RGB': withProfile('rgb', 16, 'adobe'),
    'PNG, 16 bits, profile ProPhoto': withProfile('rgb', 16, 'prophoto'),
    'PNG, 16 bits, alpha, profile P3': withProfile('rgba', 16, 'p3'),
    'PNG, grey, profile of gamma 1.8': withProfile('grey', 8, 'grey18'),
    'PNG, grey, 16 bits, profile of gamma 1.8': withProfile('grey', 16, 'grey18'),
    'PNG, gAMA 1': writePng('rgb', 8, [gamma(1)]),
    'PNG, gAMA 1/1.8': writePng('rgb', 8, [gamma(0.55556)]),
    'PNG, gAMA 1/2.2': writePng('rgb', 8, [gamma(0.45455)]),
    'PNG, 16 bits, gAMA 1': writePng('rgb', 16, [gamma(1)]),
    'PNG, grey, gAMA 1': writePng('grey', 8, [gamma(1)]),
    'PNG, palette, gAMA 1': writePng('palette', 8, [gamma(1)]),
    'PNG, gAMA 1/2.2, cHRM of sRGB': writePng('rgb', 8, [gamma(0.45455), SRGB_POINTS]),
    'PNG, gAMA 1/2.2, cHRM of P3': writePng('rgb', 8, [gamma(0.45455), P3_POINTS]),
    'PNG, gAMA 1/2.2, cHRM of BT.2020': writePng('rgb', 8, [gamma(0.45455), BT_2020_POINTS]),
    'PNG, cHRM of P3 alone': writePng('rgb', 8, [P3_POINTS]),
    'PNG, cICP of P3': writePng('rgb', 8, [code(12, 13)]),
    'PNG, cICP of BT.2020': writePng('rgb', 8, [code(9, 13)]),
    'PNG, cICP of sRGB beside gAMA 1': writePng('rgb', 8, [code(1, 13), gamma(1)]),
    'PNG, 16 bits, cICP of P3': writePng('rgb', 16, [code(12, 13)]),
    JPEG: await write('jpeg'),
    'JPEG, profile P3': await write('jpeg', 'p3'),
    'JPEG, grey': await sharp(writePng('grey', 8)).toColourspace('b-w').jpeg({ quality: 100 }).toBuffer(),
    'WebP, profile P3': await write('webp', 'p3'),
  };
}

/** The centre pixel of each square of a decoded picture. */
export const readSquares = (pixels: Uint8Array, channels: number): number[][] =>
  [8, 24].flatMap((y) =>
    [8, 24].map((x) => {
      const at = (y * SIDE + x) * channels;
      return [0, 1, 2].map((channel) => pixels[channels < 3 ? at : at + channel] ?? 0);
    }),
  );
