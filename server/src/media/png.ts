const SIGNATURE_BYTES = 8;
/** Length, type and check sum of a chunk. */
const FRAME_BYTES = 12;
/** What a PNG looks like; its other chunks only say something. */
const LOOKS = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs'.split(' '));

/**
 * The same picture with this XMP in the place of whatever it said, no pixel encoded anew: uncompressed in an iTXt chunk
 * before the picture (XMP Specification, part 3, PNG). sharp writes a compressed zTXt, for which few readers look.
 * @throws Error when a chunk is cut off
 */
export function setPngXmp(png: Buffer, xmp: Buffer): Buffer {
  const [header = Buffer.alloc(0), ...rest] = listChunks(png).filter((chunk) => LOOKS.has(typeOf(chunk)));
  const label = makeChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), xmp]));
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), header, label, ...rest]);
}

function listChunks(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE_BYTES, last = ''; last !== 'IEND';) {
    const chunk = png.subarray(at, at + FRAME_BYTES + png.readUInt32BE(at));
    at += FRAME_BYTES + chunk.readUInt32BE(0);
    if (at > png.byteLength) throw new Error('a chunk that is cut off');
    last = typeOf(chunk);
    chunks.push(chunk);
  }
  return chunks;
}

const typeOf = (chunk: Buffer): string => chunk.toString('latin1', 4, 8);

function makeChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(FRAME_BYTES + content.byteLength);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(checkSum(chunk.subarray(4, -4)), chunk.byteLength - 4);
  return chunk;
}

/** The CRC of PNG, for little: `crc32` of `node:zlib` is not in every version of Node that we run on. */
function checkSum(bytes: Buffer): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
