import { listMp4Boxes } from '@plinth/contract/mp4-boxes';

/** Reads the structure of an MP4 file (ISO/IEC 14496-12), enough to recognise a complete video. */

export type Mp4 = { width: number; height: number; frameBytes: number[] };

const CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp09', 'mp4v']);
const MAX_FRAMES = 100_000;

/** A box; its header has 8 or 16 bytes. Header and body are views of the file's bytes. */
type Box = { type: string; head: Buffer; body: Buffer };

/** Parses a video. @throws Error if it is not an MP4 with a video track, or truncated */
export function readMp4(file: Buffer): Mp4 {
  const top = splitMp4(file);
  if (top[0]?.type !== 'ftyp') throw new Error('no MP4 file');
  getBox(top, 'mdat');
  const { header, table } = getVideo(top);
  const codec = getBox(table, 'stsd').toString('latin1', 12, 16);
  if (!CODECS.has(codec)) throw new Error(`a video of the kind ${codec}`);
  // The last eight bytes: width and height as 16.16 fixed point.
  const width = header.readUInt32BE(header.byteLength - 8) >>> 16;
  const height = header.readUInt32BE(header.byteLength - 4) >>> 16;
  const sizes = readSizes(getBox(table, 'stsz'));
  if (width === 0 || height === 0 || sizes.length === 0) throw new Error('an empty video');
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (readLastOffset(table) >= file.byteLength || total > file.byteLength) throw new Error('a video that is cut off');
  return { width, height, frameBytes: sizes };
}

const FULL_BOX_BYTES = 4; // version and flags, before the content of a "meta" box
const VALUE_HEADER_BYTES = 8; // type and locale of a "data" box

/** The cover JPEG (first frame) that the built-in engine writes into its clips. For files that `readMp4` accepts. */
export function findCover(file: Buffer): Buffer | undefined {
  const openBox = (bytes: Buffer | undefined, type: string) => bytes && findBox(splitMp4(bytes), type);
  const meta = openBox(openBox(openBox(file, 'moov'), 'udta'), 'meta')?.subarray(FULL_BOX_BYTES);
  return openBox(openBox(openBox(meta, 'ilst'), 'covr'), 'data')?.subarray(VALUE_HEADER_BYTES);
}

function getVideo(top: Box[]): { header: Buffer; table: Box[] } {
  for (const { type, body } of splitMp4(getBox(top, 'moov'))) {
    if (type !== 'trak') continue;
    const track = splitMp4(body);
    const media = splitMp4(getBox(track, 'mdia'));
    if (getBox(media, 'hdlr').toString('latin1', 8, 12) !== 'vide') continue;
    return { header: getBox(track, 'tkhd'), table: splitMp4(getBox(splitMp4(getBox(media, 'minf')), 'stbl')) };
  }
  throw new Error('no video track');
}

function readLastOffset(table: Box[]): number {
  const offsets64 = findBox(table, 'co64');
  if (offsets64 !== undefined) return Number(offsets64.readBigUInt64BE(offsets64.byteLength - 8));
  const box = getBox(table, 'stco');
  return box.readUInt32BE(box.byteLength - 4);
}

function readSizes(box: Buffer): number[] {
  const sharedSize = box.readUInt32BE(4);
  const count = box.readUInt32BE(8);
  if (count > MAX_FRAMES) throw new Error('too many frames');
  return Array.from({ length: count }, (_none, at) => (sharedSize === 0 ? box.readUInt32BE(12 + at * 4) : sharedSize));
}

function getBox(boxes: Box[], type: string): Buffer {
  const found = findBox(boxes, type);
  if (found === undefined) throw new Error(`no ${type} in the video`);
  return found;
}

const findBox = (boxes: Box[], type: string): Buffer | undefined => boxes.find((box) => box.type === type)?.body;

/** Splits bytes into boxes. @throws Error if one is longer than its parent */
export function splitMp4(bytes: Buffer): Box[] {
  return listMp4Boxes(bytes).map(({ type, offset, head, size }) => ({
    type,
    head: bytes.subarray(offset, offset + head),
    body: bytes.subarray(offset + head, offset + size),
  }));
}
