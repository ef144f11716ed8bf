import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { startTestApp } from './app.ts';
import { makeKey, makePicture, makeUser } from './makers.ts';

/** A sample of the page for developers. */
const readSample = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../web/src/developers/samples', name), 'utf8');

it('the first call in TypeScript, as the page for developers shows it, makes a picture', async () => {
  const app = await startTestApp();
  const folder = mkdtempSync(join(tmpdir(), 'plinth-sample-'));
  try {
    const user = await makeUser(app, { credits: 1 });
    const { secret } = await makeKey(app, user);
    writeFileSync(join(folder, 'mug.jpg'), await makePicture());
    writeFileSync(
      join(folder, 'sample.mts'),
      readSample('first-call.mts').replaceAll('https://plinth.example', app.url),
    );
    const env = { ...process.env, PLINTH_KEY: secret };
    await promisify(execFile)(process.execPath, ['sample.mts'], { cwd: folder, env });
    expect(readFileSync(join(folder, 'mug.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(await user.credits()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
    await app.close();
  }
});

it('the first call in TypeScript says why where asking for the generation is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-sample-'));
  const server = createServer((request, response) => {
    request.resume();
    const isAsked = request.method === 'GET';
    response.writeHead(isAsked ? 429 : 202, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isAsked ? { status: 429, detail: 'Too many requests.' } : { status: 'queued', id: 'g' }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { port } = server.address() as AddressInfo;
    const sample = readSample('first-call.mts').replaceAll('https://plinth.example', `http://127.0.0.1:${port}`);
    writeFileSync(join(folder, 'mug.jpg'), await makePicture());
    writeFileSync(join(folder, 'sample.mts'), sample);
    const env = { ...process.env, PLINTH_KEY: 'plk_x' };
    await expect(promisify(execFile)(process.execPath, ['sample.mts'], { cwd: folder, env })).rejects.toMatchObject({
      stderr: expect.stringMatching(/Error: Too many requests\./) as string,
    });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});

it('the check of a webhook, as the page shows it, takes what is signed, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-sample-'));
  try {
    const file = join(folder, 'check.mts');
    writeFileSync(file, readSample('webhook-check.mts'));
    const { isFromPlinth } = (await import(/* @vite-ignore */ file)) as {
      isFromPlinth: (headers: Headers, body: string, secret: string) => Promise<boolean>;
    };
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = '{"type":"test"}';
    const sign = (at: Date, by = secret) =>
      new Headers({
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': `v1a,AAAA ${new Webhook(by).sign('msg_1', at, body)}`,
      });
    const now = new Date();
    expect(await isFromPlinth(sign(now), body, secret)).toBe(true);
    expect(await isFromPlinth(sign(now), `${body} `, secret)).toBe(false);
    expect(await isFromPlinth(sign(new Date(now.getTime() - 400_000)), body, secret)).toBe(false);
    expect(await isFromPlinth(sign(now, `whsec_${Buffer.alloc(32, 8).toString('base64')}`), body, secret)).toBe(false);
    expect(await isFromPlinth(new Headers(), body, secret)).toBe(false);
    const malformed = sign(now);
    malformed.set('webhook-signature', `v1,not base64 v1,%%%% v1,${'_'.repeat(43)}=`);
    expect(await isFromPlinth(malformed, body, secret)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the first call by curl, as the page shows it, has a key of its own each time, whatever system it runs on', async () => {
  const [key = ''] = /\$\(.*?\)/.exec(readSample('first-call.sh')) ?? [];
  // Older macOS and busybox have no nanoseconds in `date`.
  const words = `date() { command date +%s | sed 's/$/N/'; }; echo "${key}"; echo "${key}"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', words]);
  const [one, other] = stdout.trim().split('\n');
  expect(one).toMatch(/^\w{16,}$/);
  expect(other).toMatch(/^\w{16,}$/);
  expect(one).not.toBe(other);
});
