// The library's certificate parser needs it at import.
import 'reflect-metadata';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import type { BMFFHashAssertion } from '@trustnxt/c2pa-ts/manifest';
import { listMp4Boxes, type Mp4Box } from './mp4-boxes.ts';

/** Files that can contain a C2PA manifest (C2PA 2.2, A.3 and A.5), opened without decoding pixels. */

/** The file is corrupt, or is neither a picture nor a clip. */
export class UnreadableFileError extends Error {}

/** @throws UnreadableFileError */
export function openSignedFile(bytes: Uint8Array): Asset {
  const Kind = [PNG, JPEG, Mp4, WebP].find((kind) => kind.canRead(bytes));
  try {
    if (Kind !== undefined && !isFragmented(bytes)) return new Kind(bytes);
  } catch (cause) {
    throw new UnreadableFileError('a file that is cut off', { cause });
  }
  throw new UnreadableFileError('neither PNG, JPEG, WebP nor MP4');
}

// A PNG of 12 MiB in chunks of 1 KiB has an eighth of this number.
const MAX_SEGMENTS = 100_000;

/** True if a PNG or JPEG has so many segments that the library's list of them would exhaust memory. */
function isFragmented(bytes: Uint8Array): boolean {
  const isPng = PNG.canRead(bytes);
  if (!isPng && !JPEG.canRead(bytes)) return false;
  let segments = 0;
  for (let at = isPng ? 8 : 2; at + 12 <= bytes.byteLength && segments <= MAX_SEGMENTS; segments += 1) {
    // Stops where the pixel data of a JPEG begins (start of scan), or at the end of a PNG.
    if (isPng ? typeAt(bytes, at + 4) === 'IEND' : bytes[at + 1] === 0xda) break;
    at += isPng ? 12 + numberAt(bytes, at) : 2 + Math.max(2, numberAt(bytes, at) & 0xff_ff);
  }
  return segments > MAX_SEGMENTS;
}

/** A top-level box in the library's form. Its contents are not parsed. */
type Box = Omit<Mp4Box, 'head'> & { payload: object };
type Exclusions = BMFFHashAssertion['exclusions'];

const listTopLevelBoxes = (bytes: Uint8Array): Box[] =>
  listMp4Boxes(bytes).map(({ type, offset, size }) => ({ type, offset, size, payload: {} }));

const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
const numberAt = (bytes: Uint8Array, at: number, isLittle = false): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, isLittle);

/** Header of a `uuid` box with a manifest, without its length field: C2PA 2.2, A.5.2. */
const MANIFEST_HEAD = new Uint8Array([
  ...[0x75, 0x75, 0x69, 0x64],
  ...[0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81],
  // Version and flags; "manifest" with its terminator; no Merkle tree.
  ...[0, 0, 0, 0],
  ...[0x6d, 0x61, 0x6e, 0x69, 0x66, 0x65, 0x73, 0x74, 0],
  ...[0, 0, 0, 0, 0, 0, 0, 0],
]);
const MANIFEST_HEAD_BYTES = 4 + MANIFEST_HEAD.byteLength;
/** A stub for the library's class, which accepts HEIC only, though MP4 has the same box structure. */
const HEIC = new Uint8Array([0, 0, 0, 16, 0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66, 0x31, 0, 0, 0, 0]);

/** An MP4, parsed down to its top-level boxes. */
export class Mp4 extends BMFF {
  readonly #boxes: Box[];

  static override canRead(bytes: Uint8Array): boolean {
    return bytes.byteLength > 8 && typeAt(bytes, 4) === 'ftyp';
  }

  constructor(bytes: Uint8Array) {
    super(HEIC);
    this.data = bytes;
    this.#boxes = listTopLevelBoxes(bytes);
  }

  /** Returns one entry per matching box, because the library finds no box if several match. */
  expandExclusions(exclusions: Exclusions): Exclusions {
    return exclusions.flatMap((one) =>
      this.#boxes.flatMap(({ type }, place) => (`/${type}` === one.xpath ? { ...one, xpath: String(place) } : [])),
    );
  }

  override getTopLevelBoxes(): ReturnType<BMFF['getTopLevelBoxes']> {
    return this.#boxes as ReturnType<BMFF['getTopLevelBoxes']>;
  }

  /** By its place, as it was spelled out. */
  override getBoxByPath(place: string): ReturnType<BMFF['getBoxByPath']> {
    return this.getTopLevelBoxes()[Number(place)];
  }

  override getManifestJUMBF(): Uint8Array | undefined {
    const box = this.#findManifest();
    return box && this.data.subarray(box.offset + MANIFEST_HEAD_BYTES, box.offset + box.size);
  }

  /** Inserts space before the last box, so that data addressed by file offset does not move. */
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
    this.#boxes.splice(0, this.#boxes.length, ...listTopLevelBoxes(whole));
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

/** Read-only, because the product makes no WebP results. */
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
