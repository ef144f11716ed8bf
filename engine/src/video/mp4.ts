/**
 * The MP4 container (ISO/IEC 14496-12) as the encoder's muxer writes it, with 32-bit sizes, times and offsets: what it
 * leaves to be mended, and what a finished file says of itself.
 */
type Mp4Box = {
  type: string;
  start: number;
  size: number;
};

/** What the index of a file promises a player. */
export type Mp4Facts = {
  width: number;
  height: number;
  frames: number;
  seconds: number;
  /** Bytes of coded pictures by the sample table; the file must hold as many. */
  sampleBytes: number;
  mediaBytes: number;
  /** The index lies before the pictures: a browser can play while it loads. */
  startsFast: boolean;
};

/** Types of boxes whose content begins with boxes after this many bytes. */
const INSIDE: Record<string, number> = { moov: 8, trak: 8, mdia: 8, minf: 8, stbl: 8, stsd: 16, avc1: 86 };

/** "nclx": BT.709 primaries, transfer and matrix, limited range (ISO/IEC 14496-12, 12.1.5; numbers of ITU-T H.273). */
const BT709 = Uint8Array.of(0, 0, 0, 19, 0x63, 0x6f, 0x6c, 0x72, 0x6e, 0x63, 0x6c, 0x78, 0, 1, 0, 1, 0, 1, 0);

/**
 * Moves the index, which stands behind the pictures, to the front, writes into it the colour space and which pictures
 * stand by themselves, and takes the time of making out: the same request gives the same bytes. Throws where the file
 * is no MP4 with an index.
 */
export function finishMp4(bytes: Uint8Array): Uint8Array {
  const file = toBuffer(bytes);
  const boxes = listBoxes(file);
  const old = boxes.find(({ type }) => type === 'moov');
  const head = boxes.find(({ type }) => type === 'ftyp');
  if (!old || !head) throw new Error('the encoder left a file without an index');
  const moov = complete(slice(file, old), makeSyncTable(file));
  for (const { start } of findAll(moov, ['mvhd', 'tkhd', 'mdhd'])) moov.fill(0, start + 12, start + 20);
  const chunks = getBox(moov, 'stco');
  for (let at = chunks + 16; at < chunks + 16 + 4 * moov.readUInt32BE(chunks + 12); at += 4) {
    moov.writeUInt32BE(moov.readUInt32BE(at) + moov.length, at); // they count from the beginning of the file
  }
  const rest = boxes.filter((box) => box !== old && box !== head);
  return Buffer.concat([slice(file, head), moov, ...rest.map((box) => slice(file, box))]);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function slice(bytes: Buffer, { start, size }: Mp4Box): Buffer {
  return bytes.subarray(start, start + size);
}

function listBoxes(bytes: Buffer, from = 0, to = bytes.length): Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let start = from; start + 8 <= to;) {
    const type = bytes.toString('latin1', start + 4, start + 8);
    const size = bytes.readUInt32BE(start);
    if (size < 8 || start + size > to) throw new Error(`the MP4 box ${type} does not fit into its file`);
    boxes.push({ type, start, size });
    start += size;
  }
  return boxes;
}

/**
 * "stss" (ISO/IEC 14496-12, 8.6.2): the samples, from 1, from which a player can begin, since they hold an IDR picture
 * (ISO/IEC 14496-10, 7.4.1: unit type 5). The encoder's muxer names none, which says that every sample stands by
 * itself: whoever looks at the middle of the film then sees nothing.
 */
function makeSyncTable(file: Buffer): Buffer {
  const keys: number[] = [];
  let at = file.readUInt32BE(getBox(file, 'stco') + 16); // one sample follows the other
  for (const [n, size] of readSampleSizes(file).entries()) {
    const end = at + size;
    let unit = at;
    while (unit + 5 <= end && (file[unit + 4]! & 31) !== 5) unit += 4 + file.readUInt32BE(unit);
    if (unit + 5 <= end) keys.push(n + 1);
    at = end;
  }
  const box = Buffer.alloc(16);
  box.writeUInt32BE(16 + 4 * keys.length);
  box.write('stss', 4);
  box.writeUInt32BE(keys.length, 12);
  return Buffer.concat([box, Buffer.from(Uint32Array.from(keys).buffer).swap32()]);
}

function readSampleSizes(file: Buffer): number[] {
  const sizes = getBox(file, 'stsz');
  const all = file.readUInt32BE(sizes + 12); // 0 where they differ
  return Array.from({ length: file.readUInt32BE(sizes + 16) }, (_, n) => all || file.readUInt32BE(sizes + 20 + 4 * n));
}

/** The same box with a colour box at the end of every avc1 entry in it, and `keys` in its sample table. */
function complete(box: Buffer, keys: Buffer): Buffer {
  const type = box.toString('latin1', 4, 8);
  const inside = INSIDE[type];
  if (inside === undefined) return box;
  const children: Uint8Array[] = listBoxes(box, inside).map((child) => complete(slice(box, child), keys));
  if (type === 'avc1') children.push(BT709);
  if (type === 'stbl') children.push(keys);
  const out = Buffer.concat([box.subarray(0, inside), ...children]);
  out.writeUInt32BE(out.length);
  return out;
}

function findAll(bytes: Buffer, types: string[], from = 0, to = bytes.length): Mp4Box[] {
  return listBoxes(bytes, from, to).flatMap((box) => {
    const inside = INSIDE[box.type];
    const deeper = inside === undefined ? [] : findAll(bytes, types, box.start + inside, box.start + box.size);
    return types.includes(box.type) ? [box, ...deeper] : deeper;
  });
}

/** Where the first box of the type begins. */
function getBox(bytes: Buffer, type: string): number {
  const [box] = findAll(bytes, [type]);
  if (!box) throw new Error(`the MP4 file has no ${type}`);
  return box.start;
}

/** Reads a finished file's own account of itself; throws where it is damaged or has no video track. */
export function readMp4(bytes: Uint8Array): Mp4Facts {
  const file = toBuffer(bytes);
  const top = listBoxes(file);
  const order = top.map(({ type }) => type);
  const sizes = readSampleSizes(file);
  const entry = getBox(file, 'avc1');
  const time = getBox(file, 'mdhd');
  return {
    width: file.readUInt16BE(entry + 32),
    height: file.readUInt16BE(entry + 34),
    frames: sizes.length,
    seconds: file.readUInt32BE(time + 24) / file.readUInt32BE(time + 20),
    sampleBytes: sizes.reduce((total, size) => total + size, 0),
    mediaBytes: top.filter(({ type }) => type === 'mdat').reduce((total, { size }) => total + size - 8, 0),
    startsFast: order.indexOf('moov') < order.indexOf('mdat'),
  };
}
