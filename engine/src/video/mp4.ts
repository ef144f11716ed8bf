/**
 * The MP4 container (ISO/IEC 14496-12): what the encoder's muxer leaves to be mended, and what a finished file says of
 * itself.
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

/** Mp4Box types whose content begins with boxes after this many bytes. */
const INSIDE: Record<string, number> = { moov: 8, trak: 8, mdia: 8, minf: 8, stbl: 8, stsd: 16, avc1: 86 };

/** "nclx": BT.709 primaries, transfer and matrix, limited range (ISO/IEC 14496-12, 12.1.5; numbers of ITU-T H.273). */
const BT709 = Uint8Array.of(0, 0, 0, 19, 0x63, 0x6f, 0x6c, 0x72, 0x6e, 0x63, 0x6c, 0x78, 0, 1, 0, 1, 0, 1, 0);

/**
 * Moves the index to the front, writes into it the colour space and which pictures stand by themselves, and takes the
 * time of making out. Throws where the file is no MP4 with an index.
 */
export function finishMp4(bytes: Uint8Array): Uint8Array {
  const boxes = listBoxes(bytes, 0, bytes.length);
  const old = boxes.find(({ type }) => type === 'moov');
  const head = boxes.find(({ type }) => type === 'ftyp');
  if (!old || !head) throw new Error('the encoder left a file without an index');
  const moov = complete(bytes.subarray(old.start, old.start + old.size), listKeySamples(bytes));
  const rest = boxes.filter((box) => box !== old && box !== head);
  forgetTimes(moov);
  shiftChunks(moov, (offset) => moov.length + (offset > old.start ? -old.size : 0));
  return Buffer.concat([slice(bytes, head), moov, ...rest.map((box) => slice(bytes, box))]);
}

function slice(bytes: Uint8Array, { start, size }: Mp4Box): Uint8Array {
  return bytes.subarray(start, start + size);
}

function listBoxes(bytes: Uint8Array, from: number, to: number): Mp4Box[] {
  const view = viewOf(bytes);
  const boxes: Mp4Box[] = [];
  let start = from;
  while (start + 8 <= to) {
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    const short = view.getUint32(start);
    const size = short === 1 ? Number(view.getBigUint64(start + 8)) : short === 0 ? to - start : short;
    if (size < 8 || start + size > to) throw new Error(`the MP4 box ${type} does not fit into its file`);
    boxes.push({ type, start, size });
    start += size;
  }
  return boxes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Numbers, from 1, of the samples that hold an IDR picture (ISO/IEC 14496-10, 7.4.1: unit type 5). The encoder's muxer
 * names none, which says that every sample stands by itself: whoever looks at the middle of the film then sees nothing.
 */
function listKeySamples(bytes: Uint8Array): number[] {
  const [sizes] = findAll(bytes, ['stsz']);
  const [chunks] = findAll(bytes, ['stco']);
  if (!sizes || !chunks) return [];
  const view = viewOf(bytes);
  const keys: number[] = [];
  let at = view.getUint32(chunks.start + 16); // one sample follows the other
  for (let n = 0; n < view.getUint32(sizes.start + 16); n += 1) {
    const end = at + view.getUint32(sizes.start + 20 + 4 * n);
    for (let unit = at; unit + 5 <= end; unit += 4 + view.getUint32(unit)) {
      if ((bytes[unit + 4]! & 31) === 5) {
        keys.push(n + 1);
        break;
      }
    }
    at = end;
  }
  return keys;
}

/** "stss" (ISO/IEC 14496-12, 8.6.2): the samples from which a player can begin. */
function makeSyncTable(samples: number[]): Uint8Array {
  const box = new Uint8Array(16 + 4 * samples.length);
  const view = viewOf(box);
  view.setUint32(0, box.length);
  box.set([0x73, 0x74, 0x73, 0x73], 4);
  view.setUint32(12, samples.length);
  samples.forEach((sample, n) => view.setUint32(16 + 4 * n, sample));
  return box;
}

/** The same box with a colour box at the end of every avc1 entry in it, and its sample table with these key samples. */
function complete(box: Uint8Array, keys: number[]): Uint8Array {
  const type = String.fromCharCode(...box.subarray(4, 8));
  const inside = INSIDE[type];
  if (inside === undefined) return box;
  const children = listBoxes(box, inside, box.length).map((child) => complete(slice(box, child), keys));
  if (type === 'avc1') children.push(BT709);
  if (type === 'stbl' && keys.length > 0) children.push(makeSyncTable(keys));
  const out = new Uint8Array(Buffer.concat([box.subarray(0, inside), ...children]));
  viewOf(out).setUint32(0, out.length);
  return out;
}

/** The same request gives the same bytes, whenever it is made. */
function forgetTimes(moov: Uint8Array): void {
  for (const { start } of findAll(moov, ['mvhd', 'tkhd', 'mdhd'])) {
    moov.fill(0, start + 12, start + (moov[start + 8] === 1 ? 28 : 20));
  }
}

/** Chunk offsets count from the beginning of the file: they move with what was put before them. */
function shiftChunks(moov: Uint8Array, shiftOf: (offset: number) => number): void {
  const view = viewOf(moov);
  for (const { type, start } of findAll(moov, ['stco', 'co64'])) {
    const count = view.getUint32(start + 12);
    for (let n = 0; n < count; n += 1) {
      if (type === 'stco') {
        const at = start + 16 + 4 * n;
        view.setUint32(at, view.getUint32(at) + shiftOf(view.getUint32(at)));
      } else {
        const at = start + 16 + 8 * n;
        const offset = view.getBigUint64(at);
        view.setBigUint64(at, offset + BigInt(shiftOf(Number(offset))));
      }
    }
  }
}

function findAll(bytes: Uint8Array, types: string[], from = 0, to = bytes.length): Mp4Box[] {
  return listBoxes(bytes, from, to).flatMap((box) => {
    const inside = INSIDE[box.type];
    const deeper = inside === undefined ? [] : findAll(bytes, types, box.start + inside, box.start + box.size);
    return types.includes(box.type) ? [box, ...deeper] : deeper;
  });
}

/** Reads a finished file's own account of itself; throws where it is damaged or has no video track. */
export function readMp4(bytes: Uint8Array): Mp4Facts {
  const top = listBoxes(bytes, 0, bytes.length);
  const view = viewOf(bytes);
  const find = (type: string) => {
    const [box] = findAll(bytes, [type]);
    if (!box) throw new Error(`the MP4 file has no ${type}`);
    return box.start;
  };
  const order = top.map(({ type }) => type);
  const sizes = find('stsz');
  const frames = view.getUint32(sizes + 16);
  const fixed = view.getUint32(sizes + 12);
  let sampleBytes = fixed * frames;
  if (fixed === 0) for (let n = 0; n < frames; n += 1) sampleBytes += view.getUint32(sizes + 20 + 4 * n);
  const entry = find('avc1');
  const time = find('mdhd');
  const isLong = bytes[time + 8] === 1;
  const ticks = isLong ? Number(view.getBigUint64(time + 32)) : view.getUint32(time + 24);
  return {
    width: view.getUint16(entry + 32),
    height: view.getUint16(entry + 34),
    frames,
    seconds: ticks / view.getUint32(time + (isLong ? 28 : 20)),
    sampleBytes,
    mediaBytes: top.filter(({ type }) => type === 'mdat').reduce((total, { size }) => total + size - 8, 0),
    startsFast: order.indexOf('moov') < order.indexOf('mdat'),
  };
}
