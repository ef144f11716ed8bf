/** The segments of a JPEG. Markers by ITU-T T.81, table B.1; JFIF by ECMA TR/98; Adobe's by its technical note 5116. */

const START = Buffer.from('ffd8', 'hex');
/** JFIF 1.1, square pixels, no thumbnail. */
const JFIF = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
const SCAN = 0xda;
const END = 0xd9;
/** Frame types with a single scan. */
const FRAMES = new Set([0xc0, 0xc1]);
/** Huffman and quantisation tables, and the restart interval. */
const TABLES = new Set([0xc4, 0xdb, 0xdd]);
/** Tables may repeat; three million empty ones would exhaust memory. */
const MAX_SEGMENTS = 1000;
const COMMENT = 0xfe;
const ADOBE = 0xee;

/** Removes metadata and further pictures without re-encoding. Undefined unless it is a complete baseline YCbCr JPEG. */
export function stripJpeg(file: Buffer): Buffer | undefined {
  if (!file.subarray(0, 2).equals(START)) return undefined;
  const segments: Buffer[] = [START, JFIF];
  for (let at = 2; at + 4 <= file.byteLength && segments.length < MAX_SEGMENTS;) {
    const marker = file[at + 1] ?? 0;
    const next = at + 2 + file.readUInt16BE(at + 2);
    if (file[at] !== 0xff || next > file.byteLength) return undefined;
    const segment = file.subarray(at, next);
    if (marker === SCAN) {
      const end = findScanEnd(file, next);
      return end === undefined ? undefined : Buffer.concat([...segments, file.subarray(at, end)]);
    }
    if (TABLES.has(marker) || (FRAMES.has(marker) && !isNamedRgb(segment))) segments.push(segment);
    else if (!isMetadata(marker) || (marker === ADOBE && !isYcbcr(segment))) return undefined;
    at = next;
  }
  return undefined;
}

const isMetadata = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === COMMENT;

/** Component ids that libjpeg takes for RGB without a JFIF segment; with the one we write it assumes YCbCr. */
const isNamedRgb = (frame: Buffer) =>
  [frame[10], frame[13], frame[16]].map((name = 0) => String.fromCharCode(name)).join('') === 'RGB';

/** The colour transform in Adobe's segment, its last byte: 1 for YCbCr. */
const isYcbcr = (segment: Buffer) => segment.toString('latin1', 4, 9) !== 'Adobe' || segment[15] === 1;

/** The position after the end marker, if it follows this scan. Bytes of 255 within a scan are followed by 0. */
function findScanEnd(file: Buffer, from: number): number | undefined {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1] ?? 0xff;
    if (marker === END) return at + 2;
    const isInScan = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
    if (!isInScan) return undefined;
  }
  return undefined;
}

/** The number of scans up to the end marker. Skips bytes between segments, as decoders do. */
export function countScans(file: Buffer): number {
  let scans = 0;
  for (let at = findMarker(file, 2); at !== undefined && file[at + 1] !== END; at = findMarker(file, at)) {
    if (file[at + 1] === SCAN) scans += 1;
    at += at + 4 <= file.byteLength ? 2 + file.readUInt16BE(at + 2) : 2;
  }
  return scans;
}

/** The position of the next marker with a segment, or of the end marker. */
function findMarker(file: Buffer, from: number): number | undefined {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1] ?? 0xff;
    const isAlone = marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
    if (!isAlone) return at;
  }
  return undefined;
}
