import { beforeAll, describe, expect, it } from 'vitest';
import { openEncoder } from './film.ts';
import { readCoverArt, readMp4 } from '../../test/mp4-facts.ts';
import { addCoverArt, finishMp4 } from './mp4.ts';

const WIDTH = 64;
const HEIGHT = 48;

async function encode(frames: number): Promise<Uint8Array> {
  const encoder = await openEncoder({ width: WIDTH, height: HEIGHT, fps: 24 });
  const frame = new Uint8Array(WIDTH * HEIGHT * 1.5).fill(128);
  for (let n = 0; n < frames; n += 1) {
    for (let i = 0; i < WIDTH * HEIGHT; i += 1) frame[i] = 40 + ((i * 7 + n * 11) % 160);
    encoder.add(frame);
  }
  const bytes = encoder.finish().slice();
  encoder.dispose();
  return bytes;
}

let film: Uint8Array;
beforeAll(async () => {
  film = await encode(12);
});

const typesOf = (bytes: Uint8Array) => {
  const types: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += view.getUint32(at)) {
    types.push(Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1'));
  }
  return types;
};

describe('a finished file', () => {
  it('has its index in front, with true values', () => {
    expect(typesOf(film).slice(0, 2)).toEqual(['ftyp', 'moov']);
    expect(readMp4(film)).toMatchObject({ width: WIDTH, height: HEIGHT, frames: 12, seconds: 0.5, startsFast: true });
    expect(readMp4(film).sampleBytes).toBe(readMp4(film).mediaBytes);
  });

  it('has chunk offsets that point at coded pictures', () => {
    const view = new DataView(film.buffer, film.byteOffset, film.byteLength);
    const text = Buffer.from(film).toString('latin1');
    const table = text.indexOf('stco');
    const media = { start: text.indexOf('mdat') + 4, end: film.length };
    const count = view.getUint32(table + 8);
    expect(count).toBeGreaterThan(0);
    for (let n = 0; n < count; n += 1) {
      const offset = view.getUint32(table + 12 + 4 * n);
      expect(offset).toBeGreaterThanOrEqual(media.start);
      expect(offset + 4 + view.getUint32(offset)).toBeLessThanOrEqual(media.end);
      expect([1, 5, 6, 7, 8]).toContain(film[offset + 4]! & 31); // slice, key slice, SEI, SPS, PPS
    }
  });

  it('lists its sync samples: the first, and one every six seconds', async () => {
    const long = await encode(150);
    const table = Buffer.from(long).indexOf('stss');
    const view = new DataView(long.buffer, long.byteOffset + table + 8);
    expect(Array.from({ length: view.getUint32(0) }, (_, n) => view.getUint32(4 + 4 * n))).toEqual([1, 145]);
    expect(readMp4(long).sampleBytes).toBe(readMp4(long).mediaBytes);
  });

  it('states its colour space and no timestamps', () => {
    const text = Buffer.from(film).toString('latin1');
    expect([...Buffer.from(text.slice(text.indexOf('nclx') + 4).slice(0, 7), 'latin1')]).toEqual([0, 1, 0, 1, 0, 1, 0]);
    for (const type of ['mvhd', 'tkhd', 'mdhd']) {
      const at = text.indexOf(type);
      expect([...film.subarray(at + 8, at + 16)]).toEqual(new Array(8).fill(0));
    }
  });

  it('is the same with another encoder instance', async () => {
    expect(Buffer.compare(await encode(12), film)).toBe(0);
  });
});

describe('a damaged file', () => {
  it.each([
    ['of nothing', new Uint8Array(0), 'without an index'],
    ['of text', Buffer.from('no film at all, only text'), 'does not fit'],
  ])('%s is rejected', (_, bytes, reason) => {
    expect(() => finishMp4(bytes)).toThrow(reason);
  });

  it('is rejected wherever it is truncated', () => {
    for (let length = 0; length < film.length; length += 41) {
      expect(() => finishMp4(film.slice(0, length))).toThrow(/without an index|does not fit|no stco|no stsz|range/);
    }
  });
});

/** Numbers as 32 bits each, strings as Latin-1. */
const bytesOf = (...parts: (number | string | Uint8Array)[]) =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'latin1');
      if (typeof part !== 'number') return part;
      const four = Buffer.alloc(4);
      four.writeUInt32BE(part);
      return four;
    }),
  );

/** A hand-written box of ISO/IEC 14496-12. */
function box(type: string, ...content: Parameters<typeof bytesOf>): Buffer {
  const inside = bytesOf(...content);
  return bytesOf(inside.length + 8, type, inside);
}

type Written = { sizes?: Buffer };

const TIME = box('mdhd', 0, 7, 8, 1000, 2500, 0);
const ENTRY = box('avc1', Buffer.alloc(24), Buffer.from([0, 64, 0, 48]), Buffer.alloc(50));
const SIZES = box('stsz', 0, 0, 3, 5, 6, 7);

/** An index whose only chunk is at `offset` of the file. */
function writeIndex(offset: number, { sizes = SIZES }: Written = {}): Buffer {
  const stbl = box('stbl', box('stsd', 0, 1, ENTRY), sizes, box('stco', 0, 1, offset));
  return box('moov', box('mvhd', 0, 7, 8, 0), box('trak', box('tkhd', 0, 7, 8), box('mdia', TIME, box('minf', stbl))));
}

const HEAD = box('ftyp', 'isom', 0);
const PICTURES = 'picture-of-18-byte';
const MEDIA = box('mdat', PICTURES);

/** The bytes to which the finished file's only chunk points. */
function readChunk(file: Uint8Array): string {
  const bytes = Buffer.from(file);
  const offset = bytes.readUInt32BE(bytes.indexOf('stco') + 12);
  return bytes.toString('latin1', offset, offset + PICTURES.length);
}

describe('a hand-written file', () => {
  it.each([
    ['with its index behind the pictures', [HEAD, MEDIA, writeIndex(HEAD.length + 8)]],
    ['with something between', [HEAD, box('free', 'room'), MEDIA, writeIndex(HEAD.length + 20)]],
    ['with something behind', [HEAD, MEDIA, writeIndex(HEAD.length + 8), box('free', 'room')]],
  ])('%s has it in front afterwards, with correct chunk offsets', (_, boxes) => {
    const file = finishMp4(Buffer.concat(boxes));
    expect(typesOf(file).slice(0, 2)).toEqual(['ftyp', 'moov']);
    expect(typesOf(file).toSorted()).toEqual(typesOf(Buffer.concat(boxes)).toSorted());
    expect(readChunk(file)).toBe(PICTURES);
    expect(readMp4(file)).toEqual({
      width: 64,
      height: 48,
      frames: 3,
      seconds: 2.5,
      sampleBytes: 18,
      mediaBytes: 18,
      startsFast: true,
    });
  });

  it('has correct chunk offsets after cover art is added', () => {
    const file = finishMp4(Buffer.concat([HEAD, MEDIA, writeIndex(HEAD.length + 8)]));
    const withCoverArt = addCoverArt(file, Buffer.from('a cover'));
    expect(Buffer.from(readCoverArt(withCoverArt)).toString()).toBe('a cover');
    expect([readChunk(withCoverArt), readMp4(withCoverArt), typesOf(withCoverArt)]).toEqual([
      PICTURES,
      readMp4(file),
      ['ftyp', 'moov', 'mdat'],
    ]);
  });

  it('may have samples of one size', () => {
    const index = (offset: number) => writeIndex(offset, { sizes: box('stsz', 0, 6, 3) });
    const file = finishMp4(Buffer.concat([HEAD, index(HEAD.length + index(0).length + 8), MEDIA]));
    expect(readMp4(file)).toMatchObject({ frames: 3, sampleBytes: 18, mediaBytes: 18, startsFast: true });
  });

  it('without a sample size table is rejected by its name', () => {
    const index = writeIndex(0, { sizes: box('free') });
    expect(() => finishMp4(Buffer.concat([HEAD, index, MEDIA]))).toThrow('no stsz');
  });

  it('whose boxes do not nest is rejected', () => {
    for (const length of [3, 7, 5000]) {
      expect(() => finishMp4(Buffer.concat([HEAD, bytesOf(length, 'moov', 'short')]))).toThrow('does not fit');
    }
  });
});
