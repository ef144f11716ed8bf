// The library's reader of certificates cannot be loaded without it.
import 'reflect-metadata';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import type { BMFFHashAssertion } from '@trustnxt/c2pa-ts/manifest';
import { listMp4Boxes, type Mp4Box } from './mp4-boxes.ts';

/** Files that can hold a C2PA manifest (C2PA 2.2, A.3 and A.5), opened without decoding a pixel. */

/** Broken, or no picture or clip at all. */
export class UnreadableFileError extends Error {}

/** @throws UnreadableFileError */
export function openSignedFile(bytes: Uint8Array): Asset {
  const Kind = [PNG, JPEG, Mp4, WebP].find((kind) => kind.canRead(bytes));
  try {
    if (Kind !== undefined && !isInCrumbs(bytes)) return new Kind(bytes);
  } catch (cause) {
    throw new UnreadableFileError('a file that is cut off', { cause });
  }
  throw new UnreadableFileError('neither PNG, JPEG, WebP nor MP4');
}

// A PNG of 12 MiB in chunks of 1 KiB has an eighth of it.
const MOST_PIECES = 100_000;

/** Whether a PNG or JPEG lies in so many pieces that the library's list of them would fill the memory. */
function isInCrumbs(bytes: Uint8Array): boolean {
  const isPng = PNG.canRead(bytes);
  if (!isPng && !JPEG.canRead(bytes)) return false;
  let pieces = 0;
  for (let at = isPng ? 8 : 2; at + 12 <= bytes.byteLength && pieces <= MOST_PIECES; pieces += 1) {
    // Behind the start of a scan stands the picture itself, and behind its end nothing that is read.
    if (isPng ? typeAt(bytes, at + 4) === 'IEND' : bytes[at + 1] === 0xda) break;
    at += isPng ? 12 + numberAt(bytes, at) : 2 + Math.max(2, numberAt(bytes, at) & 0xff_ff);
  }
  return pieces > MOST_PIECES;
}

/** As the library reads one: what a box of the top holds is not looked at. */
type Box = Omit<Mp4Box, 'head'> & { payload: object };
type Exclusions = BMFFHashAssertion['exclusions'];

const listTop = (bytes: Uint8Array): Box[] =>
  listMp4Boxes(bytes).map(({ type, offset, size }) => ({ type, offset, size, payload: {} }));

const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
const numberAt = (bytes: Uint8Array, at: number, isLittle = false): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, isLittle);

/** What a `uuid` box begins with that holds a manifest, but for its length: C2PA 2.2, A.5.2. */
const MANIFEST_HEAD = new Uint8Array([
  ...[0x75, 0x75, 0x69, 0x64],
  ...[0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81],
  // Version and flags; "manifest" and its end; no Merkle tree.
  ...[0, 0, 0, 0],
  ...[0x6d, 0x61, 0x6e, 0x69, 0x66, 0x65, 0x73, 0x74, 0],
  ...[0, 0, 0, 0, 0, 0, 0, 0],
]);
const MANIFEST_HEAD_BYTES = 4 + MANIFEST_HEAD.byteLength;
/** All that the library's own class is given to read: it takes HEIC alone, though MP4 is made of the same boxes. */
const HEIC = new Uint8Array([0, 0, 0, 16, 0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66, 0x31, 0, 0, 0, 0]);

/** An MP4, of which the boxes at the top are enough. */
export class Mp4 extends BMFF {
  readonly #boxes: Box[];

  static override canRead(bytes: Uint8Array): boolean {
    return bytes.byteLength > 8 && typeAt(bytes, 4) === 'ftyp';
  }

  constructor(bytes: Uint8Array) {
    super(HEIC);
    this.data = bytes;
    this.#boxes = listTop(bytes);
  }

  /** One entry for each box that an entry names: the library finds none where there are several. */
  spellOut(exclusions: Exclusions): Exclusions {
    return exclusions.flatMap((one) =>
      this.#boxes
        .filter(({ type }) => `/${type}` === one.xpath)
        .map((_box, place) => ({ ...one, xpath: `${one.xpath}[${place}]` })),
    );
  }

  override getTopLevelBoxes(): ReturnType<BMFF['getTopLevelBoxes']> {
    return this.#boxes as ReturnType<BMFF['getTopLevelBoxes']>;
  }

  override getBoxByPath(path: string): ReturnType<BMFF['getBoxByPath']> {
    const [, type, place] = /^\/(.{4})\[(\d+)\]$/.exec(path) ?? [];
    return this.getTopLevelBoxes().filter((box) => box.type === type)[Number(place)];
  }

  override getManifestJUMBF(): Uint8Array | undefined {
    const box = this.#findManifest();
    return box && this.data.subarray(box.offset + MANIFEST_HEAD_BYTES, box.offset + box.size);
  }

  /** Room before the last box, so that nothing moves that is found by its place in the file. */
  override async ensureManifestSpace(length: number): Promise<void> {
    const at = this.#boxes.at(-1)?.offset ?? 0;
    const room = new Uint8Array(MANIFEST_HEAD_BYTES + length);
    new DataView(room.buffer).setUint32(0, room.byteLength);
    room.set(MANIFEST_HEAD, 4);
    const whole = new Uint8Array(this.data.byteLength + room.byteLength);
    whole.set(this.data.subarray(0, at));
    whole.set(room, at);
    whole.set(this.data.subarray(at), at + room.byteLength);
    this.data = whole;
    this.#boxes.splice(0, this.#boxes.length, ...listTop(whole));
  }

  override async writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    this.getManifestJUMBF()?.set(jumbf);
  }

  #findManifest(): Box | undefined {
    return this.#boxes.find(({ offset }) =>
      MANIFEST_HEAD.every((byte, place) => this.data[offset + 4 + place] === byte),
    );
  }
}

/** Only read: nothing that is made here is a WebP. */
class WebP implements Asset {
  readonly mimeType = 'image/webp';
  readonly #bytes: Uint8Array;

  static canRead(bytes: Uint8Array): boolean {
    return bytes.byteLength > 12 && typeAt(bytes, 0) === 'RIFF' && typeAt(bytes, 8) === 'WEBP';
  }

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  getDataLength = () => this.#bytes.byteLength;
  dumpInfo = () => 'WebP';

  async getDataRange(start = 0, length = this.#bytes.byteLength - start): Promise<Uint8Array> {
    return this.#bytes.subarray(start, start + length);
  }

  getManifestJUMBF(): Uint8Array | undefined {
    for (let at = 12; at + 8 <= this.#bytes.byteLength;) {
      const length = numberAt(this.#bytes, at + 4, true);
      if (typeAt(this.#bytes, at) === 'C2PA') return this.#bytes.subarray(at + 8, at + 8 + length);
      at += 8 + length + (length % 2);
    }
    return undefined;
  }

  getHashExclusionRange = () => this.#refuse();
  ensureManifestSpace = async () => this.#refuse();
  writeManifestJUMBF = async () => this.#refuse();

  #refuse(): never {
    throw new Error('a WebP is not signed here');
  }
}
