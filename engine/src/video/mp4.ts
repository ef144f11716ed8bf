/** Rewrites the encoder's MP4 container (ISO/IEC 14496-12), with 32-bit sizes, times and offsets. */

/** Container boxes, and the offset of their first child. */
const INSIDE: Record<string, number> = { moov: 8, trak: 8, mdia: 8, minf: 8, stbl: 8, stsd: 16, avc1: 86 };

/** "nclx": BT.709 primaries, transfer and matrix, limited range (ISO/IEC 14496-12, 12.1.5; numbers of ITU-T H.273). */
const BT709 = Uint8Array.of(0, 0, 0, 19, 0x63, 0x6f, 0x6c, 0x72, 0x6e, 0x63, 0x6c, 0x78, 0, 1, 0, 1, 0, 1, 0);

/**
 * Moves the index from the end to the front (fast start), adds colour space and sync samples, and removes timestamps,
 * so that output is deterministic. Throws if the file is not an MP4 with an index.
 */
export function finishMp4(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes = listBoxes(file);
  const old = boxes.find((box) => typeOf(box) === 'moov');
  const head = boxes.find((box) => typeOf(box) === 'ftyp');
  if (!old || !head) throw new Error('the encoder left a file without an index');
  const moov = complete(old, makeSyncTable(file));
  for (const type of ['mvhd', 'tkhd', 'mdhd']) for (const box of findAll(moov, type)) box.fill(0, 12, 20);
  moveChunks(moov, moov.length);
  return Buffer.concat([head, moov, ...boxes.filter((box) => box !== old && box !== head)]);
}

/** Handler of a "meta" box with "ilst" (QuickTime File Format: "Metadata"), and the value type of a JPEG. */
const READER = Buffer.from('\0\0\0\0\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0', 'latin1');
const JPEG = Uint8Array.of(0, 0, 0, 13, 0, 0, 0, 0);

/** Adds JPEG cover art to a file from `finishMp4`, shown where the video is not played. */
export function addCoverArt(bytes: Uint8Array, jpeg: Uint8Array): Buffer {
  const coverArt = makeBox('ilst', makeBox('covr', makeBox('data', JPEG, jpeg)));
  const about = makeBox('udta', makeBox('meta', Uint8Array.of(0, 0, 0, 0), makeBox('hdlr', READER), coverArt));
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const finished = Buffer.concat(listBoxes(file).map((box) => (typeOf(box) === 'moov' ? joinBox(box, about) : box)));
  moveChunks(finished, about.length);
  return finished;
}

/** Shifts chunk offsets, which are relative to the beginning of the file. */
function moveChunks(boxes: Buffer, by: number): void {
  const chunks = getBox(boxes, 'stco');
  for (let at = 16; at < 16 + 4 * chunks.readUInt32BE(12); at += 4) {
    chunks.writeUInt32BE(chunks.readUInt32BE(at) + by, at);
  }
}

function makeBox(type: string, ...content: Uint8Array[]): Buffer {
  return joinBox(Buffer.from(`\0\0\0\0${type}`, 'latin1'), ...content);
}

/** Builds a box of header and content. */
function joinBox(...parts: Uint8Array[]): Buffer {
  const box = Buffer.concat(parts);
  box.writeUInt32BE(box.length);
  return box;
}

function typeOf(box: Buffer): string {
  return box.toString('latin1', 4, 8);
}

/** The boxes from an offset on, as views of the bytes. */
function listBoxes(bytes: Buffer, from = 0): Buffer[] {
  const boxes: Buffer[] = [];
  let rest = bytes.subarray(from);
  while (rest.length >= 8) {
    const size = rest.readUInt32BE(0);
    if (size < 8 || size > rest.length) throw new Error(`the MP4 box ${typeOf(rest)} does not fit into its file`);
    boxes.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  return boxes;
}

/**
 * "stss" (ISO/IEC 14496-12, 8.6.2): the sync samples, counted from 1, which contain an IDR picture (ISO/IEC 14496-10,
 * 7.4.1: unit type 5). Without it, as the muxer leaves it, every sample counts as a sync sample, and seeking into the
 * middle shows nothing.
 */
function makeSyncTable(file: Buffer): Buffer {
  const keys: number[] = [];
  let at = getBox(file, 'stco').readUInt32BE(16); // samples are contiguous
  for (const [n, size] of readSampleSizes(file).entries()) {
    const end = at + size;
    let unit = at;
    while (unit + 5 <= end && (file[unit + 4]! & 31) !== 5) unit += 4 + file.readUInt32BE(unit);
    if (unit + 5 <= end) keys.push(n + 1);
    at = end;
  }
  return makeBox('stss', Buffer.from(Uint32Array.from([0, keys.length, ...keys]).buffer).swap32());
}

function readSampleSizes(file: Buffer): number[] {
  const sizes = getBox(file, 'stsz');
  const all = sizes.readUInt32BE(12); // 0 if sizes differ
  return Array.from({ length: sizes.readUInt32BE(16) }, (_, n) => all || sizes.readUInt32BE(20 + 4 * n));
}

/** Appends a colour box to every avc1 entry of a box, and `keys` to its sample table. */
function complete(box: Buffer, keys: Buffer): Buffer {
  const type = typeOf(box);
  const inside = INSIDE[type];
  if (inside === undefined) return box;
  const children: Uint8Array[] = listBoxes(box, inside).map((child) => complete(child, keys));
  if (type === 'avc1') children.push(BT709);
  if (type === 'stbl') children.push(keys);
  return joinBox(box.subarray(0, inside), ...children);
}

function findAll(bytes: Buffer, type: string, from = 0): Buffer[] {
  return listBoxes(bytes, from).flatMap((box) => {
    const inside = INSIDE[typeOf(box)];
    const deeper = inside === undefined ? [] : findAll(box, type, inside);
    return typeOf(box) === type ? [box, ...deeper] : deeper;
  });
}

/** The first box of this type. */
function getBox(bytes: Buffer, type: string): Buffer {
  const [box] = findAll(bytes, type);
  if (!box) throw new Error(`the MP4 file has no ${type}`);
  return box;
}
