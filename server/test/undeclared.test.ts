import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  ['words', async () => Buffer.from('just some words'), 415],
] as const)(
  'a file is judged by its bytes where its part declares no type, or the one that stands for none: %s',
  async (_what, make, status) => {
    const content = await make();
    for (const head of ['', 'X-Other: Content-Type\r\n', 'Content-Type: Text/Plain\r\n']) {
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
  },
);
