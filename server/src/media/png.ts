import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
/** Bytes of a chunk's length, type and checksum. */
const CHUNK_OVERHEAD_BYTES = 12;
/** Chunks that affect a PNG's appearance; the others are metadata. */
const RENDERING_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs'.split(' '),
);

/**
 * Replaces all text by this XMP, uncompressed in iTXt before the picture, where readers expect it (XMP, part 3).
 * @throws Error if a chunk is truncated
 */
export function setPngXmp(png: Buffer, xmp: Buffer): Buffer {
  const chunk = makeChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), xmp]));
  return insertAfterHeader(png, chunk, (type) => RENDERING_CHUNKS.has(type));
}

/** Inserts a chunk after the header and keeps only chunks of some types. */
function insertAfterHeader(png: Buffer, first: Buffer, isKept: (type: string) => boolean): Buffer {
  const [header = Buffer.alloc(0), ...rest] = listChunks(png).filter((chunk) => isKept(typeOf(chunk)));
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), header, first, ...rest]);
}

// A PNG of 12 MiB in chunks of 1 KiB has an eighth of it. A million would fill the memory and block the process.
const MAX_CHUNKS = 100_000;

/** All chunks up to the last one. @throws Error if one is truncated, or there are too many */
export function listChunks(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE_BYTES, last = ''; last !== 'IEND';) {
    if (chunks.length === MAX_CHUNKS) throw new Error('too many chunks');
    const chunk = png.subarray(at, at + CHUNK_OVERHEAD_BYTES + png.readUInt32BE(at));
    at += CHUNK_OVERHEAD_BYTES + chunk.readUInt32BE(0);
    if (at > png.byteLength) throw new Error('a chunk that is cut off');
    last = typeOf(chunk);
    chunks.push(chunk);
  }
  return chunks;
}

const typeOf = (chunk: Buffer): string => chunk.toString('latin1', 4, 8);

function makeChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(CHUNK_OVERHEAD_BYTES + content.byteLength);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.byteLength - 4);
  return chunk;
}

/** A chunk's data; undefined if there is none of this type. */
export const readChunk = (chunks: Buffer[], type: string): Buffer | undefined =>
  chunks.find((chunk) => typeOf(chunk) === type)?.subarray(8, -4);

/** Chunks that define colours. */
const COLOUR_CHUNKS = new Set('gAMA cHRM sRGB iCCP cICP'.split(' '));

/** Replaces all colour definitions by this profile. */
export function insertProfile(png: Buffer, profile: Buffer): Buffer {
  // Name, compression method, compressed profile.
  const content = Buffer.concat([Buffer.from('colours\0\0'), deflateSync(profile)]);
  return insertAfterHeader(png, makeChunk('iCCP', content), (type) => !COLOUR_CHUNKS.has(type));
}

export const isAnimated = (png: Buffer): boolean => readChunk(listChunks(png), 'acTL') !== undefined;

/** The first frame of an animated PNG, even if its default image is another one. */
export function extractFirstFrame(png: Buffer): Buffer {
  const chunks = listChunks(png);
  const types = chunks.map(typeOf);
  const [control, image] = [types.indexOf('fcTL'), types.indexOf('IDAT')];
  const isDefaultHidden = control > image && coversCanvas(chunks[0], chunks[control]);
  const next = types.indexOf('fcTL', control + 1);
  const frameChunks = chunks.slice(control, next === -1 ? undefined : next).filter((chunk) => typeOf(chunk) === 'fdAT');
  // Their data begin with a sequence number.
  const frameData = frameChunks.map((chunk) => makeChunk('IDAT', chunk.subarray(12, -4)));
  const remaining = chunks.flatMap((chunk, at) => {
    if (isDefaultHidden && types[at] === 'IDAT') return at === image ? frameData : [];
    return ['acTL', 'fcTL', 'fdAT'].includes(types[at] ?? '') ? [] : [chunk];
  });
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...remaining]);
}

const coversCanvas = (header: Buffer | undefined, control: Buffer | undefined): boolean =>
  header !== undefined && control?.subarray(12, 20).equals(header.subarray(8, 16)) === true;
