import { pbkdf2, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { IMAGE_MAX_BYTES } from '@plinth/contract/limits';
import type { ErrorCode } from '@plinth/contract/errors';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { file, type Part, text, writeForm } from './forms.ts';
import { makePicture, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem, filesBelow, openSocket, sendRaw, sendThenRead } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ MAX_INFLIGHT_PER_USER: '100' });
  user = await makeUser(app, { credits: 100 });
});
afterAll(() => app.close());

function send(parts: Part[] | Buffer, tool = 'remover', type = 'multipart/form-data; boundary=x'): Promise<Response> {
  const body = Buffer.isBuffer(parts) ? parts : writeForm(parts);
  return user.fetch(`/api/v1/tools/${tool}/generations`, {
    method: 'POST',
    headers: { 'content-type': type, 'idempotency-key': randomUUID() },
    body: new Uint8Array(body),
  });
}

/** Everything that a request could leave behind, once all work has ended. */
async function traces(): Promise<object> {
  await waitUntil(
    async () => (await sql`select from generations where status in ('queued', 'running')`.execute(app.db)).rows,
    (open) => open.length === 0,
  );
  const found = await sql<object>`
    select (select count(*) from generations) as generations, (select count(*) from uploads) as uploads,
      (select count(*) from idempotency_keys) as keys, (select count(*) from credit_ledger) as entries`.execute(app.db);
  return { ...found.rows[0], files: filesBelow(app.dataDir) };
}

const TOO_SMALL = 'Use a picture of at least 16 pixels on each side.';

/** Expects that this form is refused with this error and leaves nothing behind. */
async function expectRefused(parts: Part[] | Buffer, code: ErrorCode, tool = 'remover', detail?: string) {
  const before = await traces();
  const problem = await expectProblem(await send(parts, tool), code, detail);
  expect(await traces()).toEqual(before);
  return problem;
}

type Accepted = { stored: Buffer; provided: Buffer; width: number; height: number; type: string };

/** Expects that a picture is accepted; returns the stored bytes and those sent to the provider. */
async function accept(part: Part): Promise<Accepted> {
  const answer = await send([part]);
  const body = (await answer.json()) as { id: string };
  expect(answer.status, JSON.stringify(body)).toBe(202);
  expect((await waitForEnd(user, body.id)).status).toBe('succeeded');
  const found = await sql<{ key: string; width: number; height: number; type: string }>`
    select object_key as key, width, height, content_type as type from uploads where generation_id = ${body.id}`.execute(
    app.db,
  );
  const row = found.rows[0];
  const stored = readFileSync(join(app.dataDir, 'files', row?.key ?? ''));
  const url = String(app.provider.submits.at(-1)?.input.image_url);
  const provided = url.startsWith('data:') ? Buffer.from(url.split(',')[1] ?? '', 'base64') : stored;
  return { stored, provided, width: row?.width ?? 0, height: row?.height ?? 0, type: row?.type ?? '' };
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } });

/** The same valid JPEG, made longer by comments. */
function padJpeg(jpeg: Buffer, bytes: number): Buffer {
  const comments: Buffer[] = [];
  let missing = bytes - jpeg.byteLength;
  while (missing > 0) {
    const size = missing > 65_537 + 4 ? 65_537 : missing;
    const comment = Buffer.alloc(size, 32);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(size - 2, 2);
    comments.push(comment);
    missing -= size;
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)]);
}

/** A PNG whose header declares this size and whose data is nearly empty. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (kind: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), content]);
    const out = Buffer.alloc(body.byteLength + 8);
    out.writeUInt32BE(content.byteLength, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.byteLength + 4);
    return out;
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('the size of a form', () => {
  it('may reach 12 582 912 bytes in one picture; one byte more is refused', async () => {
    const jpeg = await makePicture(800, 600);
    const most = padJpeg(jpeg, IMAGE_MAX_BYTES);
    expect(most.byteLength).toBe(12_582_912);
    expect(await accept(file(most))).toMatchObject({ width: 800, height: 600 });
    const problem = await expectRefused([file(padJpeg(jpeg, IMAGE_MAX_BYTES + 1))], 'file_too_large');
    expect(problem.fields).toEqual([
      { field: 'image', code: 'file_too_large', detail: 'Image file size must be less than 12MB' },
    ]);
  });

  it('ends at 26 MiB in all, two files, 16 parts and 16 KiB of text', async () => {
    const jpeg = await makePicture();
    await expectRefused(writeForm([file(jpeg)], { preamble: Buffer.alloc(26 * 1_048_576, 'a') }), 'body_too_large');
    const three = ['image', 'second', 'third'].map((name) => file(jpeg, 'image/jpeg', 'a.jpg', name));
    await expectRefused(three, 'body_too_large');
    const seventeen = Array.from({ length: 16 }, (_, at) => text(`field${at}`, 'x'));
    await expectRefused([file(jpeg), ...seventeen], 'body_too_large');
    await expectRefused([file(jpeg), text('prompt', 'x'.repeat(16_385))], 'body_too_large', 'text-to-image');
    await expectRefused([file(jpeg), text('prompt', 'x'.repeat(16_384))], 'prompt_too_long', 'text-to-image');
  });

  it('is refused for its first fault, however slow the disk is', { tags: ['slow'] }, async () => {
    const form = writeForm([file(Buffer.alloc(30 * 1_048_576))]);
    const head =
      `POST /api/v1/tools/remover/generations HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\n` +
      `idempotency-key: ${randomUUID()}\r\ncontent-type: multipart/form-data; boundary=x\r\n` +
      `content-length: ${form.byteLength}\r\n\r\n`;
    const end = form.indexOf('\r\n\r\n') + 4 + IMAGE_MAX_BYTES;
    const [most, last, over] = [
      form.subarray(0, end - 60_000),
      form.subarray(end - 60_000, end - 40_000),
      form.subarray(end - 40_000),
    ];
    const wait = () => setTimeout(200);
    const keepDiskBusy = async () => {
      await wait();
      const hash = () => promisify(pbkdf2)('x', 'x', 250_000, 32, 'sha256');
      void Promise.all(Array.from({ length: 8 }, hash));
    };
    const answer = await sendRaw(app, [head, most, keepDiskBusy, last, wait, over]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'file_too_large' });
  });

  it('is refused with a whole answer while the rest is still on its way', { tags: ['slow'] }, async () => {
    const before = await traces();
    const head = (path: string, bytes: number, more = '') =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\nidempotency-key: k\r\n${more}` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${bytes}\r\n\r\n`;
    const body = writeForm([file(Buffer.alloc(30 * 1_048_576))]);
    const pieces = Array.from({ length: Math.ceil(body.byteLength / 65_536) }, (_, at) =>
      body.subarray(at * 65_536, (at + 1) * 65_536),
    );
    const path = '/api/v1/tools/remover/generations';
    const cases: [string, number, string][] = [
      [head(path, body.byteLength), 413, 'file_too_large'],
      [head(path.replace('remover', 'unknown'), body.byteLength), 404, 'not_found'],
      [head(path, body.byteLength, 'sec-fetch-site: cross-site\r\n'), 403, 'cross_site_request'],
      [head(path, body.byteLength).replace(user.cookie, 'session=dead'), 401, 'authentication_required'],
      [head(path, body.byteLength).replace('idempotency-key: k', 'x: y'), 400, 'idempotency_key_required'],
      [
        head(path, body.byteLength).replace('multipart/form-data; boundary=x', 'image/jpeg'),
        415,
        'unsupported_content_type',
      ],
    ];
    for (const [start, status, code] of cases) {
      const answer = await sendRaw(app, [start, ...pieces]);
      expect(JSON.parse(answer.body)).toMatchObject({ status, code });
      expect(answer.status).toBe(status);
      // Some clients and old proxies ask to close the connection, and read the answer after they have sent everything.
      for (const closing of [start.replace('host:', 'connection: close\r\nhost:'), start.replace('/1.1', '/1.0')]) {
        const text = await sendThenRead(app, [closing, ...pieces]);
        expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, code });
      }
    }
    expect(await traces()).toEqual(before);
  });
});

describe('the kind of a file', () => {
  it('is refused where the declared type is not in the list, whatever the bytes are', async () => {
    const jpeg = await makePicture();
    for (const type of [
      'image/gif',
      'image/svg+xml',
      'application/octet-stream',
      'text/plain',
      'image/heic',
      'image/*',
    ]) {
      const problem = await expectRefused([file(jpeg, type)], 'unsupported_image_type');
      expect(problem.fields?.[0]?.field).toBe('image');
    }
  });

  it('is what the bytes say: a PNG named .jpg is taken as the PNG it is', async () => {
    const png = await plain(40, 30).png().toBuffer();
    const accepted = await accept(file(png, 'image/jpeg', 'photo.jpg'));
    expect(accepted.type).toBe('image/png');
    expect((await sharp(accepted.stored).metadata()).format).toBe('png');
  });

  it('is refused where the bytes are another kind of picture, or none', async () => {
    const gif = await plain(40, 30).gif().toBuffer();
    const tiff = await plain(40, 30).tiff().toBuffer();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
    for (const bytes of [gif, tiff]) {
      const answer = await send([file(bytes, 'image/png', 'photo.png')]);
      expect([415, 422]).toContain(answer.status);
    }
    for (const bytes of [svg, 'just some words', '<html></html>', Buffer.alloc(5000), 'PK\u0003\u0004']) {
      const answer = await send([file(bytes, 'image/png', 'photo.png')]);
      const { code } = (await answer.json()) as { code: string };
      expect(['image_unreadable', 'unsupported_image_type']).toContain(code);
    }
    await expectRefused([file('just some words', 'image/png')], 'image_unreadable');
  });

  it('of CMYK, 16 bits, grey, transparent and moving pictures is an ordinary picture afterwards', async () => {
    const cmyk = await plain(40, 30).toColourspace('cmyk').jpeg().toBuffer();
    const deep = await plain(40, 30).toColourspace('rgb16').png().toBuffer();
    const grey = await plain(40, 30).greyscale().png().toBuffer();
    const clear = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#20a06080' } })
      .webp({ lossless: true })
      .toBuffer();
    const frames = await Promise.all([plain(40, 30).png().toBuffer(), plain(40, 30).negate().png().toBuffer()]);
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const given: [Buffer, string][] = [
      [cmyk, 'image/jpeg'],
      [deep, 'image/png'],
      [grey, 'image/png'],
      [clear, 'image/webp'],
      [moving, 'image/webp'],
    ];
    for (const [bytes, type] of given) {
      const accepted = await accept(file(bytes, type));
      const metadata = await sharp(accepted.stored).metadata();
      expect(metadata).toMatchObject({
        width: 40,
        height: 30,
        space: expect.stringMatching(/^(srgb|b-w)$/),
        depth: 'uchar',
      });
      expect(metadata.pages ?? 1).toBe(1);
      expect(metadata.hasAlpha).toBe(bytes === clear);
      expect(accepted.provided.equals(accepted.stored)).toBe(true);
    }
  });
});

describe('a picture', () => {
  it('that is empty, cut off or damaged is refused', async () => {
    await expectRefused([file(Buffer.alloc(0))], 'image_read_failed');
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer();
    await expectRefused([file(jpeg.subarray(0, jpeg.byteLength / 2))], 'image_unreadable');
    await expectRefused([file(jpeg.subarray(0, 100))], 'image_unreadable');
    const png = await sharp(jpeg).png().toBuffer();
    await expectRefused([file(png.subarray(0, png.byteLength - 4000), 'image/png')], 'image_unreadable');
  });

  it('must be within its sides and its area, and a header that lies costs nothing', async () => {
    for (const width of [15, 400])
      await expectRefused([file(await plain(width, 15).jpeg().toBuffer())], 'image_unreadable', 'remover', TOO_SMALL);
    await expectRefused([file(await plain(16_385, 16).png().toBuffer(), 'image/png')], 'image_unreadable');
    expect(await accept(file(await plain(16, 16).jpeg().toBuffer()))).toMatchObject({ width: 16, height: 16 });
    expect(await accept(file(await plain(16_384, 16).jpeg().toBuffer()))).toMatchObject({ width: 16_384, height: 16 });
    for (const [width, height] of [
      [60_000, 60_000],
      [8001, 8000],
      [16_384, 3907],
      [2_147_483_647, 2],
      [0, 0],
    ] as const) {
      const start = performance.now();
      await expectRefused([file(pngHeader(width, height), 'image/png')], 'image_unreadable');
      expect(performance.now() - start).toBeLessThan(3000);
    }
  });

  it.each(['4:2:0', '4:4:4'])('with colour at %s has it so afterwards', async (chromaSubsampling) => {
    const accepted = await accept(file(await plain(64, 48).jpeg({ chromaSubsampling }).toBuffer()));
    expect(await sharp(accepted.stored).metadata()).toMatchObject({ format: 'jpeg', chromaSubsampling });
  });

  it('stands upright afterwards and carries no metadata, in our store and at the provider', async () => {
    const pixels = Array.from({ length: 64 * 32 }, (_, at) => (at % 64 < 32 ? [48, 112, 176] : [208, 32, 32]));
    const secret = {
      IFD0: { Copyright: 'SECRET-OWNER', Make: 'SECRET-CAMERA' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
    };
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      // Blue on the left half, red on the right. Orientation 6 rotates clockwise, which moves blue to the top.
      const lying = await sharp(Buffer.from(pixels.flat()), { raw: { width: 64, height: 32, channels: 3 } })
        .withExif(secret)
        .withMetadata({ orientation: 6 })
        .toFormat(format)
        .toBuffer();
      expect((await sharp(lying).metadata()).orientation).toBe(6);
      const accepted = await accept(file(lying, `image/${format}`));
      expect([accepted.width, accepted.height]).toEqual([32, 64]);
      for (const bytes of [accepted.stored, accepted.provided]) {
        const metadata = await sharp(bytes).metadata();
        expect(metadata).toMatchObject({ width: 32, height: 64 });
        for (const name of ['exif', 'icc', 'xmp', 'iptc', 'orientation'] as const)
          expect(metadata[name], name).toBeUndefined();
        expect(bytes.includes('SECRET')).toBe(false);
        const { data } = await sharp(bytes)
          .extract({ left: 16, top: 8, width: 1, height: 1 })
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(data[2]).toBeGreaterThan(data[0] ?? 255);
      }
    }
  });
});

describe('the fields of a form', () => {
  const withPrompt = async (prompt: string) =>
    send([file(await makePicture()), text('prompt', prompt)], 'text-to-image');

  it('take a prompt of 2000 characters and refuse a blank or a longer one', async () => {
    const jpeg = await makePicture();
    for (const blank of ['', ' ', '\n\t ', '\u0000\u0007']) {
      await expectRefused(
        [file(jpeg), text('prompt', blank)],
        'prompt_required',
        'text-to-image',
        'Please provide a scene description',
      );
    }
    await expectRefused([file(jpeg), text('prompt', 'x'.repeat(2001))], 'prompt_too_long', 'text-to-image');
    await expectRefused([file(jpeg), text('prompt', '🍒'.repeat(2001))], 'prompt_too_long', 'text-to-image');
    expect((await withPrompt('x'.repeat(2000))).status).toBe(202);
    expect((await withPrompt('ü🍒'.repeat(1000))).status).toBe(202);
  });

  it('keep line breaks and letters of a prompt and drop control characters', async () => {
    const answer = await withPrompt('  a\u0007 t\u0007able\u001b\nin “Köln” 🪑  ');
    expect(answer.status).toBe(202);
    await waitForEnd(user, ((await answer.json()) as { id: string }).id);
    expect(JSON.stringify(app.provider.submits.map(({ input }) => input))).toContain(
      JSON.stringify('a table\nin “Köln” 🪑').slice(1, -1),
    );
  });

  it('are refused with a zero character in a text, which nothing could keep', async () => {
    const jpeg = await makePicture();
    for (const [tool, sentence] of [
      ['text-to-image', 'Please provide a scene description'],
      ['image-to-video', 'Please provide both an image and a prompt'],
    ]) {
      for (const prompt of ['a\u0000 table', '\u0000', 'a table\u0000'])
        await expectRefused([file(jpeg), text('prompt', prompt)], 'prompt_required', tool, sentence);
    }
    await expectRefused([file(jpeg), text('a\u0000', 'x')], 'unknown_field');
  });

  it('are refused when unknown, doubled, or sent as another kind', async () => {
    const jpeg = await makePicture();
    const unknown = await expectRefused([file(jpeg), text('color', 'red')], 'unknown_field');
    expect(unknown.fields?.[0]?.field).toBe('color');
    await expectRefused([file(jpeg), file(jpeg, 'image/jpeg', 'b.jpg', 'other')], 'unknown_field');
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await send([file(jpeg), text(name, 'x')]);
      expect([400, 422]).toContain(answer.status);
    }
    for (const doubled of [
      [file(jpeg), file(jpeg)],
      [file(jpeg), text('image', 'x')],
    ]) {
      const answer = await send(doubled);
      expect([400, 422]).toContain(answer.status);
    }
    await expectRefused(
      [text('image', 'https://example.com/a.jpg')],
      'image_required',
      'remover',
      'Please upload an image',
    );
    await expectRefused(
      [file('', 'application/octet-stream', '')],
      'image_required',
      'remover',
      'Please upload an image',
    );
  });

  it('are named in the order of the tool when several are wrong', async () => {
    const none = await expectRefused(
      [text('prompt', '')],
      'image_required',
      'text-to-image',
      'Please upload a product image',
    );
    expect(none.fields).toEqual([
      { field: 'image', code: 'image_required', detail: 'Please upload a product image' },
      { field: 'prompt', code: 'prompt_required', detail: 'Please provide a scene description' },
    ]);
    const swapped = [text('prompt', 'x'.repeat(2001)), file(await plain(15, 15).jpeg().toBuffer())];
    const both = await expectRefused(swapped, 'image_unreadable', 'text-to-image', TOO_SMALL);
    expect(both.fields?.map((field) => field.code)).toEqual(['image_unreadable', 'prompt_too_long']);
  });
});

describe('a broken form', () => {
  it('is refused whether it is cut off, empty or no form at all', async () => {
    const whole = writeForm([file(await makePicture(300, 300))]);
    await expectRefused(whole.subarray(0, whole.byteLength - 200), 'image_read_failed');
    await expectRefused(writeForm([file(await makePicture())], { end: '' }), 'image_read_failed');
    for (const end of ['--x--\r\n', '--x--', '\r\n--x--\r\n']) await expectRefused(Buffer.from(end), 'image_required');
    for (const [body, type, code] of [
      [Buffer.from('nonsense'), undefined, 'malformed_request'],
      [whole, 'multipart/form-data', 'malformed_request'],
      [whole, 'multipart/form-data; boundary=other', 'malformed_request'],
      [Buffer.from('--x\r\n\r\n\r\n--x--'), undefined, 'image_required'],
      [Buffer.alloc(0), undefined, 'image_required'],
    ] as const) {
      const before = await traces();
      const answer = await send(body, 'remover', type);
      expect(((await answer.json()) as { code: string }).code, `${type}`).toBe(code);
      expect(await traces()).toEqual(before);
    }
  });

  it('is malformed when its boundary is one that no form can have', async () => {
    const body = Buffer.from('nonsense');
    for (const boundary of ['b'.repeat(253), 'b'.repeat(257), 'b'.repeat(8000), `"${'b'.repeat(300)}"`]) {
      const before = await traces();
      const answer = await send(body, 'remover', `multipart/form-data; boundary=${boundary}`);
      await expectProblem(answer, 'malformed_request');
      expect(await traces()).toEqual(before);
    }
    const extended = await send(body, 'remover', `multipart/form-data; boundary*=utf-8''${'%41'.repeat(300)}`);
    await expectProblem(extended, 'malformed_request');
    const longest = 'b'.repeat(200);
    const form = writeForm([file(await makePicture())])
      .toString('latin1')
      .replaceAll('--x', `--${longest}`);
    const accepted = await send(Buffer.from(form, 'latin1'), 'remover', `multipart/form-data; boundary=${longest}`);
    expect(accepted.status).toBe(202);
  });

  it('keeps nothing when the sender goes away in the middle of a picture', async () => {
    const before = await traces();
    const body = writeForm([file(padJpeg(await makePicture(), 6_000_000))]);
    const socket = openSocket(app);
    const head = `POST /api/v1/tools/remover/generations HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\nidempotency-key: away\r\n`;
    socket.write(`${head}content-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    socket.write(body.subarray(0, 5_000_000));
    const folder = join(app.dataDir, 'tmp');
    await waitUntil(
      async () => (existsSync(folder) ? filesBelow(folder).length : 0),
      (count) => count === 1,
    );
    socket.destroy();
    await waitUntil(traces, (now) => JSON.stringify(now) === JSON.stringify(before));
  });
});
