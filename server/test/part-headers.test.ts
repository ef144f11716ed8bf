import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchPartHeaders } from '../src/media/part-headers.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makePicture, makeUser, type TestUser } from './makers.ts';

let app: TestApp;
let user: TestUser;
const photo = await makePicture();
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 20 });
});
afterAll(() => app.close());

it.each([
  ['a JPEG', async () => photo, 202],
  ['a PNG', async () => sharp(photo).png().toBuffer(), 202],
  ['a WebP', async () => sharp(photo).webp().toBuffer(), 202],
  ['a GIF', async () => sharp(photo).gif().toBuffer(), 415],
  ['words', async () => Buffer.from('just some words'), 422],
] as const)('a file is judged by its bytes where its part declares no type: %s', async (_what, make, status) => {
  const content = await make();
  for (const head of ['', 'X-Other: Content-Type\r\n', 'Content-Transfer-Encoding: binary\r\n']) {
    const type = `multipart/form-data; boundary=${head === '' ? 'x' : '"a b"'}`;
    const boundary = head === '' ? 'x' : 'a b';
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="1000034567"\r\n${head}\r\n`;
    const body = Buffer.concat([Buffer.from(start), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const answer = await user.fetch('/api/v1/tools/remover/generations', {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': randomUUID() },
      body,
    });
    expect(answer.status).toBe(status);
  }
});

it('is judged so wherever the head of its part is cut on its way', () => {
  const body = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\noak\r\n--x\r\ncontent-type: image/png\r\n' +
      'Content-Disposition: form-data; name="image"; filename="a"\r\n\r\nbytes --x\r\n--x--\r\n',
  );
  for (let at = 0; at <= body.byteLength; at += 1) {
    const heads = watchPartHeaders('multipart/form-data; boundary=x');
    heads.push(body.subarray(0, at));
    heads.hasParts();
    heads.push(body.subarray(at));
    expect([heads.hasType('prompt'), heads.hasType('image')]).toEqual([false, true]);
  }
});

it('a long head that comes byte by byte is read quickly', () => {
  const heads = watchPartHeaders('multipart/form-data; boundary=x');
  heads.push(Buffer.from(`--x\r\nContent-Disposition: form-data; name="image"; filename="${'a'.repeat(79_000)}`));
  const startedAt = performance.now();
  for (let count = 0; count < 100_000; count += 1) heads.push(Buffer.from('a'));
  heads.push(Buffer.from('"\r\n\r\n'));
  // Copying the head at each byte took 31 seconds of the process, for 600 kB from anybody.
  expect(performance.now() - startedAt).toBeLessThan(1000);
  expect(heads.hasParts()).toBe(true);
});
