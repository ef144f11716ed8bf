import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Malicious picture files by class. Each may cost at most a moment or one of our error responses. */
type HostileFile = { what: string; bytes: Buffer; type: string };

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } });
const noisy = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

/** Small valid pictures of every accepted type. */
export async function makeValidPictures(): Promise<HostileFile[]> {
  const clear = sharp({ create: { width: 60, height: 50, channels: 4, background: '#20a06080' } });
  const frames = await Promise.all([plain(40, 30).png().toBuffer(), noisy(40, 30).png().toBuffer()]);
  return [
    { what: 'jpeg', bytes: await noisy(96, 72).jpeg().toBuffer(), type: 'image/jpeg' },
    { what: 'progressive jpeg', bytes: await noisy(96, 72).jpeg({ progressive: true }).toBuffer(), type: 'image/jpeg' },
    { what: 'cmyk', bytes: await noisy(64, 64).toColourspace('cmyk').jpeg().toBuffer(), type: 'image/jpeg' },
    { what: 'jpeg with words', bytes: await withWords(noisy(64, 64).jpeg()), type: 'image/jpeg' },
    { what: 'png', bytes: await noisy(96, 72).png().toBuffer(), type: 'image/png' },
    { what: 'png of few colours', bytes: await noisy(64, 64).png({ palette: true }).toBuffer(), type: 'image/png' },
    { what: 'png of 16 bits', bytes: await noisy(48, 48).toColourspace('rgb16').png().toBuffer(), type: 'image/png' },
    { what: 'clear png', bytes: await clear.png().toBuffer(), type: 'image/png' },
    { what: 'webp', bytes: await noisy(96, 72).webp().toBuffer(), type: 'image/webp' },
    { what: 'lossless webp', bytes: await clear.webp({ lossless: true }).toBuffer(), type: 'image/webp' },
    {
      what: 'moving webp',
      bytes: await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
      type: 'image/webp',
    },
  ];
}

const withWords = (picture: Sharp) =>
  picture
    .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'x'.repeat(200) } })
    .withIccProfile('p3')
    .toBuffer();

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of this size whose uncompressed pixel data are these bytes. */
function png(width: number, height: number, content: Buffer, more: Buffer[] = []): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const body = chunk('IDAT', deflateSync(content, { level: 9 }));
  return Buffer.concat([signature, chunk('IHDR', size), ...more, body, chunk('IEND', Buffer.alloc(0))]);
}

/** A GIF that declares this size. */
function gif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\0\0\0\0\0\x02\x02D\x01\0;', 'latin1');
  for (const at of [6, 24]) {
    head.writeUInt16LE(width, at);
    head.writeUInt16LE(height, at + 2);
  }
  return head;
}

/** A JPEG segment with these bytes. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.byteLength + 2, 2);
  return Buffer.concat([head, content]);
}

const afterStart = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** A JPEG whose header declares another size than its data has. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(jpeg);
  const at = lying.indexOf(Buffer.from([0xff, 0xc0]));
  lying.writeUInt16BE(height, at + 5);
  lying.writeUInt16BE(width, at + 7);
  return lying;
}

/** The picture again with each coefficient in 14 scans of its own, one bit at a time. */
export function scanned(progressive: Buffer): Buffer {
  const starts = [0xc4, 0xda].map((marker) => progressive.lastIndexOf(Buffer.from([0xff, marker])));
  const [table = 0, scan = 0] = starts;
  const pass = (coefficient: number, bits: number) => {
    const one = Buffer.from(progressive.subarray(table, -2));
    one.set([coefficient, coefficient, bits], scan - table + 7);
    return one;
  };
  const passes = Array.from({ length: 63 * 14 }, (_none, at) => {
    const bit = at % 14;
    return pass(1 + Math.floor(at / 14), bit === 0 ? 13 : (14 - bit) * 16 + 13 - bit);
  });
  const first = progressive.indexOf(Buffer.from([0xff, 0xc4]), progressive.indexOf(Buffer.from([0xff, 0xda])));
  return Buffer.concat([progressive.subarray(0, first), ...passes, progressive.subarray(-2)]);
}

const ENTITIES = `<!DOCTYPE svg [${'abcdefghi'
  .split('')
  .map((name, at, all) => `<!ENTITY ${name} "${at === 0 ? 'lol' : `&${all[at - 1]};`.repeat(10)}">`)
  .join('')}]>`;
const SVGS: Record<string, string> = {
  'svg with a script': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script></svg>',
  'svg that reads a file': '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
  'svg that grows': `${ENTITIES}<svg xmlns="http://www.w3.org/2000/svg"><text>&i;</text></svg>`,
  'svg as large as a country': '<svg xmlns="http://www.w3.org/2000/svg" width="999999" height="999999"/>',
};

/** Each class, sent as each type that a sender may declare. */
export async function makeHostileFiles(): Promise<HostileFile[]> {
  const jpeg = await noisy(200, 150).jpeg().toBuffer();
  const small = await plain(64, 64).png().toBuffer();
  const webp = await noisy(64, 64).webp().toBuffer();
  const tiff = await noisy(64, 64).tiff().toBuffer();
  const moving = await sharp(await Promise.all(Array.from({ length: 60 }, () => noisy(64, 64).png().toBuffer())), {
    join: { animated: true },
  })
    .webp()
    .toBuffer();
  const lyingWebp = Buffer.from(webp);
  lyingWebp.writeUInt32LE(0x7fff_fff0, 4);
  const lyingTiff = Buffer.from(tiff);
  lyingTiff.writeUInt32LE(4, lyingTiff.length - 8);
  const zip = Buffer.from(`PK\x03\x04${'\0'.repeat(26)}a.js`, 'latin1');
  const one = (what: string, bytes: Buffer, type = 'image/png'): HostileFile => ({ what, bytes, type });
  return [
    one('nothing', Buffer.alloc(0)),
    one('zeros', Buffer.alloc(100_000)),
    one('a cut jpeg', jpeg.subarray(0, jpeg.length >> 1), 'image/jpeg'),
    one('a cut png', small.subarray(0, small.length - 20)),
    one('a cut webp', webp.subarray(0, webp.length >> 1), 'image/webp'),
    one('a png bomb: 48 megapixels of one colour', await plain(8000, 6000).png().toBuffer()),
    one('a png bomb: 400 MB of zeros behind a small size', png(64, 64, Buffer.alloc(400_000_000))),
    one('a png bomb: 60 000 a side', png(60_000, 60_000, Buffer.alloc(1000))),
    one('a png of no size', png(0, 0, Buffer.alloc(10))),
    one('a png of negative size', png(0xffff_ffff, 2, Buffer.alloc(10))),
    one(
      'a png with 200 MB of words',
      png(64, 64, Buffer.alloc(64 * 193), [
        chunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(200_000_000))])),
      ]),
    ),
    one(
      'a png with a profile of rubbish',
      png(64, 64, Buffer.alloc(64 * 193), [
        chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(10_000_000, 7))])),
      ]),
    ),
    one('a gif', gif(40, 30), 'image/gif'),
    one('a gif bomb under a false name', gif(65_535, 65_535)),
    one('a moving webp', moving, 'image/webp'),
    one('a webp that lies about its length', lyingWebp, 'image/webp'),
    one('a tiff', tiff, 'image/tiff'),
    one('a tiff under a false name', lyingTiff, 'image/jpeg'),
    one('a jpeg that says 65 000 a side', resized(jpeg, 65_000, 65_000), 'image/jpeg'),
    one('a jpeg that says 8 000 a side', resized(jpeg, 8000, 8000), 'image/jpeg'),
    one(
      'a jpeg with a profile of rubbish',
      afterStart(
        jpeg,
        segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(60_000, 0xa5)])),
      ),
      'image/jpeg',
    ),
    one(
      'a jpeg with exif that points at itself',
      afterStart(
        jpeg,
        segment(
          0xe1,
          Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0', 'latin1'),
        ),
      ),
      'image/jpeg',
    ),
    one(
      'a jpeg with 8 MB of exif',
      afterStart(
        jpeg,
        ...Array.from({ length: 128 }, () =>
          segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0II*\0'), Buffer.alloc(65_000, 0xff)])),
        ),
      ),
      'image/jpeg',
    ),
    one('a jpeg of 48 megapixels', await plain(8000, 6000).jpeg().toBuffer(), 'image/jpeg'),
    one(
      'a jpeg of 48 megapixels in 882 scans',
      scanned(await plain(8000, 6000).jpeg({ progressive: true }).toBuffer()),
      'image/jpeg',
    ),
    one('a zip behind a png', Buffer.concat([small, zip])),
    one('a page behind a jpeg', Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]), 'image/jpeg'),
    one(
      'a jpeg that is also a page',
      afterStart(jpeg, segment(0xfe, Buffer.from('<html><script>alert(1)</script>'))),
      'image/jpeg',
    ),
    one('a png inside a zip', Buffer.concat([zip, small])),
    one('a pdf', Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'), 'image/jpeg'),
    one('a program', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')),
    one('a film', Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1'), 'image/jpeg'),
    one('a heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'image/jpeg'),
    ...Object.entries(SVGS).flatMap(([what, text]) => [
      one(what, Buffer.from(text), 'image/svg+xml'),
      one(`${what}, under a false name`, Buffer.from(text)),
    ]),
  ];
}
