import { beforeAll, describe, expect, it } from 'vitest';
import { openEncoder } from './encoder.ts';
import { finishMp4, readMp4 } from './mp4.ts';

const WIDTH = 64;
const HEIGHT = 48;

async function encode(frames: number): Promise<Uint8Array> {
  const encoder = await openEncoder({ width: WIDTH, height: HEIGHT, fps: 24, quantiser: 22 });
  const frame = new Uint8Array(WIDTH * HEIGHT * 1.5).fill(128);
  for (let n = 0; n < frames; n += 1) {
    for (let i = 0; i < WIDTH * HEIGHT; i += 1) frame[i] = 40 + ((i * 7 + n * 11) % 160);
    encoder.add(frame);
  }
  const bytes = encoder.finish().slice();
  encoder.free();
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
  it('has its index in front and says truly what it holds', () => {
    expect(typesOf(film).slice(0, 2)).toEqual(['ftyp', 'moov']);
    expect(readMp4(film)).toMatchObject({ width: WIDTH, height: HEIGHT, frames: 12, seconds: 0.5, startsFast: true });
    expect(readMp4(film).sampleBytes).toBe(readMp4(film).mediaBytes);
  });

  it('points every chunk at coded pictures: each begins with the length of a unit that lies inside the media', () => {
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

  it('names its colours and forgets when it was made', () => {
    const text = Buffer.from(film).toString('latin1');
    expect([...Buffer.from(text.slice(text.indexOf('nclx') + 4).slice(0, 7), 'latin1')]).toEqual([0, 1, 0, 1, 0, 1, 0]);
    for (const type of ['mvhd', 'tkhd', 'mdhd']) {
      const at = text.indexOf(type);
      expect([...film.subarray(at + 8, at + 16)]).toEqual(new Array(8).fill(0));
    }
  });

  it('is the same twice, with another encoder', async () => {
    expect(Buffer.compare(await encode(12), film)).toBe(0);
  });
});

describe('a damaged file', () => {
  it('is told apart wherever it was cut', () => {
    const index = readMp4(film);
    for (let length = 0; length < film.length; length += 41) {
      const cut = film.slice(0, length);
      const read = () => readMp4(cut);
      try {
        expect(read().mediaBytes).not.toBe(index.mediaBytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
    expect(() => finishMp4(new Uint8Array(0))).toThrow('without an index');
    expect(() => readMp4(Buffer.from('no film at all, only text'))).toThrow('MP4');
  });
});
