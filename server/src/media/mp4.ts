/** Reads the structure of an MP4 file (ISO/IEC 14496-12): enough to tell a whole, moving picture from anything else. */

export type Mp4 = { width: number; height: number; frameBytes: number[] };

const CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp09', 'mp4v']);
const MOST_FRAMES = 100_000;

/** Its header has 8 bytes or 16. Header and body are parts of the file's own bytes. */
type Box = { type: string; head: Buffer; body: Buffer };

/** @throws Error when it is no MP4 with a video track, or not all of its bytes are there */
export function readMp4(file: Buffer): Mp4 {
  const top = splitMp4(file);
  if (top[0]?.type !== 'ftyp') throw new Error('no MP4 file');
  get(top, 'mdat');
  const { header, table } = getVideo(top);
  const codec = get(table, 'stsd').toString('latin1', 12, 16);
  if (!CODECS.has(codec)) throw new Error(`a video of the kind ${codec}`);
  // The last eight bytes: width and height in 16.16 fixed point.
  const width = header.readUInt32BE(header.byteLength - 8) >>> 16;
  const height = header.readUInt32BE(header.byteLength - 4) >>> 16;
  const sizes = readSizes(get(table, 'stsz'));
  if (width === 0 || height === 0 || sizes.length === 0) throw new Error('an empty video');
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (readChunkOffsets(table).last >= file.byteLength || total > file.byteLength)
    throw new Error('a video that is cut off');
  return { width, height, frameBytes: sizes };
}

/**
 * The NAL units of the first frame, parameter sets first (ISO/IEC 14496-15, 5.3.3). Undefined unless H.264 Baseline.
 * @throws Error as `readMp4`
 */
export function readFirstSample(file: Buffer): Buffer[] | undefined {
  const { table } = getVideo(splitMp4(file));
  const config = readAvcConfig(get(table, 'stsd'));
  if (config === undefined) return undefined;
  const start = readChunkOffsets(table).first;
  const sample = file.subarray(start, start + (readSizes(get(table, 'stsz'))[0] ?? 0));
  return [...config.parameterSets, ...splitUnits(sample, config.lengthBytes)];
}

function getVideo(top: Box[]): { header: Buffer; table: Box[] } {
  for (const { type, body } of splitMp4(get(top, 'moov'))) {
    if (type !== 'trak') continue;
    const track = splitMp4(body);
    const media = splitMp4(get(track, 'mdia'));
    if (get(media, 'hdlr').toString('latin1', 8, 12) !== 'vide') continue;
    return { header: get(track, 'tkhd'), table: splitMp4(get(splitMp4(get(media, 'minf')), 'stbl')) };
  }
  throw new Error('no video track');
}

const BASELINE = 66;
// Length of a video sample entry before the boxes inside it.
const ENTRY_BYTES = 78;

function readAvcConfig(descriptions: Buffer): { parameterSets: Buffer[]; lengthBytes: number } | undefined {
  const [entry] = splitMp4(descriptions.subarray(8));
  const config = entry && splitMp4(entry.body.subarray(ENTRY_BYTES)).find(({ type }) => type === 'avcC')?.body;
  if (config === undefined || config.readUInt8(1) !== BASELINE) return undefined;
  const parameterSets: Buffer[] = [];
  let at = 5;
  for (const mask of [0x1f, 0xff]) {
    const count = config.readUInt8(at) & mask;
    at += 1;
    for (let n = 0; n < count; n += 1) {
      const length = config.readUInt16BE(at);
      parameterSets.push(config.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return { parameterSets, lengthBytes: (config.readUInt8(4) & 3) + 1 };
}

function splitUnits(sample: Buffer, lengthBytes: number): Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at + lengthBytes <= sample.byteLength;) {
    const length = sample.readUIntBE(at, lengthBytes);
    units.push(sample.subarray(at + lengthBytes, at + lengthBytes + length));
    at += lengthBytes + length;
  }
  return units;
}

function readChunkOffsets(table: Box[]): { first: number; last: number } {
  const wide = table.find(({ type }) => type === 'co64')?.body;
  const box = wide ?? get(table, 'stco');
  const read = (at: number) => (wide === undefined ? box.readUInt32BE(at) : Number(wide.readBigUInt64BE(at)));
  return { first: read(8), last: read(box.byteLength - (wide === undefined ? 4 : 8)) };
}

function readSizes(box: Buffer): number[] {
  const same = box.readUInt32BE(4);
  const count = box.readUInt32BE(8);
  if (count > MOST_FRAMES) throw new Error('too many frames');
  return Array.from({ length: count }, (_none, at) => (same === 0 ? box.readUInt32BE(12 + at * 4) : same));
}

function get(boxes: Box[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Error(`no ${type} in the video`);
  return found.body;
}

/** The boxes that lie side by side. @throws Error when one of them is longer than its surroundings */
export function splitMp4(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    if (bytes.byteLength - at < 8) throw new Error('a box that is cut off');
    const short = bytes.readUInt32BE(at);
    const isWide = short === 1 && bytes.byteLength - at >= 16;
    const head = isWide ? 16 : 8;
    // Size 0 means: up to the end.
    const size = isWide ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.byteLength - at : short;
    if (size < head || at + size > bytes.byteLength) throw new Error('a box that is cut off');
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      head: bytes.subarray(at, at + head),
      body: bytes.subarray(at + head, at + size),
    });
    at += size;
  }
  return boxes;
}
