import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countScans, stripJpeg } from './jpeg.ts';

const [width, height] = [96, 64];
const noise = sharp(randomBytes(12 * 8 * 3), { raw: { width: 12, height: 8, channels: 3 } }).resize(width, height);
const segment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.byteLength + 2, 2);
  return Buffer.concat([head, content]);
};
const insert = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
const readPixels = (jpeg: Buffer) => sharp(jpeg, { failOn: 'warning' }).raw().toBuffer();
const adobe = (transform: number) => segment(0xee, Buffer.from(`Adobe\0d\0\0\0\0${String.fromCharCode(transform)}`));

/** The same data with components named R, G and B in frame and scan. */
function nameColours(jpeg: Buffer): Buffer {
  const named = Buffer.from(jpeg);
  const [frame, scan] = [0xc0, 0xda].map((marker) => named.indexOf(Buffer.from([0xff, marker])));
  for (const [n, name] of [...'RGB'].entries()) {
    named.write(name, (frame ?? 0) + 10 + 3 * n, 'latin1');
    named.write(name, (scan ?? 0) + 5 + 2 * n, 'latin1');
  }
  return named;
}

describe('a JPEG stripped of its metadata', () => {
  it.each([
    ['with colour at half the pixels', { chromaSubsampling: '4:2:0' }],
    ['with colour at every pixel', { chromaSubsampling: '4:4:4' }],
    ['with optimised tables', { optimiseCoding: true, quality: 40 }],
  ])('%s has the same pixels', async (_, options) => {
    const jpeg = await noise.clone().jpeg(options).toBuffer();
    const tagged = insert(
      jpeg,
      segment(0xe1, Buffer.from('Exif\0\0SECRET')),
      adobe(1),
      segment(0xe2, Buffer.from('MPF\0SECRET')),
      segment(0xfe, Buffer.from('SECRET')),
    );
    const stripped = stripJpeg(Buffer.concat([tagged, jpeg, Buffer.from('SECRET')]));
    expect(stripped?.includes('SECRET')).toBe(false);
    expect((await readPixels(stripped ?? Buffer.alloc(0))).equals(await readPixels(jpeg))).toBe(true);
  });

  it('with a restart interval has the same pixels', async () => {
    const jpeg = await noise.clone().jpeg({ chromaSubsampling: '4:2:0' }).toBuffer();
    // The interval exceeds the number of blocks, so no restart occurs.
    const restarted = insert(jpeg, segment(0xdd, Buffer.from([0xff, 0xff])));
    const stripped = stripJpeg(restarted) ?? Buffer.alloc(0);
    expect((await readPixels(stripped)).equals(await readPixels(jpeg))).toBe(true);
  });

  it('is undefined unless its pixels are certain', async () => {
    const jpeg = await noise.clone().jpeg().toBuffer();
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const unsupported: Record<string, Buffer> = {
      'with thousands of tables': insert(jpeg, Buffer.alloc(4000, segment(0xdb, Buffer.alloc(0)))),
      progressive: await noise.clone().jpeg({ progressive: true }).toBuffer(),
      CMYK: await noise.clone().toColourspace('cmyk').jpeg().toBuffer(),
      'RGB by Adobe’s transform': insert(jpeg, adobe(0)),
      'RGB by component names': nameColours(jpeg),
      'an arithmetic frame': insert(jpeg, segment(0xc9, Buffer.alloc(8))),
      'cut off in its picture': jpeg.subarray(0, -20),
      'cut off before it': jpeg.subarray(0, scan),
      'cut off in a segment': jpeg.subarray(0, scan + 5),
      'a second scan': Buffer.concat([jpeg.subarray(0, -2), jpeg.subarray(scan)]),
      'no marker where one must be': insert(jpeg, Buffer.from('SECRET')),
      'a segment beyond the end': insert(jpeg, Buffer.from([0xff, 0xe1, 0xff, 0xff])),
      'another kind': await noise.clone().png().toBuffer(),
      nothing: Buffer.alloc(0),
    };
    for (const [what, file] of Object.entries(unsupported)) expect(stripJpeg(file), what).toBeUndefined();
  });
});

describe('the scans of a JPEG', () => {
  it('are counted in the picture itself alone', async () => {
    const [plain, progressive] = await Promise.all([
      noise.clone().jpeg().toBuffer(),
      noise.clone().jpeg({ progressive: true }).toBuffer(),
    ]);
    expect([countScans(plain), countScans(progressive)]).toEqual([1, 10]);
    // As a camera writes it: with a thumbnail, and a film after the end.
    const photo = Buffer.concat([insert(plain, segment(0xe1, progressive)), progressive]);
    expect(countScans(photo)).toBe(1);
  });

  it('are counted behind bytes that a decoder skips, and in a file that is cut off', async () => {
    const jpeg = await noise.clone().jpeg({ progressive: true }).toBuffer();
    const at = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
    const padded = Buffer.concat([jpeg.subarray(0, at), Buffer.from([0, 7, 0xff, 0xff]), jpeg.subarray(at)]);
    expect(countScans(padded)).toBe(10);
    expect(countScans(jpeg.subarray(0, -2))).toBe(10);
    for (let bytes = 0; bytes < jpeg.byteLength; bytes += 1) countScans(jpeg.subarray(0, bytes));
  });
});
