import { connect } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, REMOVE, removeFolder, startEngine, waitFor } from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';

/** What a broken or ill-meaning caller may send to the uploads, the files and the routes. */

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1', ENGINE_TTL_SECONDS: '4' });
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

type Begun = {
  upload_url: string;
  file_url: string;
};

async function begin(kind: 'initiate' | 'initiate-multipart', headers = {}): Promise<Begun> {
  const body = { content_type: 'image/png', file_name: 'a.png' };
  return (await (await engine.call('POST', `/rest/storage/upload/${kind}`, { body, headers })).json()) as Begun;
}

const put = (url: string, body: Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body });

async function putPart(url: string, n: number, text: string): Promise<{ partNumber: number; etag: string }> {
  const response = await put(`${url}/${n}`, new Uint8Array(Buffer.from(text)));
  expect(response.status).toBe(200);
  return (await response.json()) as { partNumber: number; etag: string };
}

const complete = (url: string, body: unknown) =>
  fetch(`${url}/complete`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('uploads in parts', () => {
  it('puts parts together by number, the last version of each, and once', async () => {
    const { upload_url: url, file_url } = await begin('initiate-multipart');
    const second = await putPart(url, 2, 'world');
    await putPart(url, 1, 'HULLO ');
    const first = await putPart(url, 1, 'hello ');
    expect((await fetch(file_url)).status).toBe(404);
    expect((await complete(url, { parts: [first, second] })).status).toBe(200);
    expect(await (await fetch(file_url)).text()).toBe('hello world');
    expect((await complete(url, { parts: [first, second] })).status).toBe(403);
    expect((await put(`${url}/3`, new Uint8Array(3))).status).toBe(403);
  });

  it('takes no list that is not exactly what came', async () => {
    const { upload_url: url, file_url } = await begin('initiate-multipart');
    const [first, second] = [await putPart(url, 1, 'a'), await putPart(url, 2, 'b')];
    const lists: unknown[] = [
      { parts: [second, first] },
      { parts: [first] },
      { parts: [first, first] },
      { parts: [first, { ...second, etag: first.etag }] },
      { parts: [first, { ...second, etag: '../../x' }] },
      { parts: [first, second, { partNumber: 3, etag: second.etag }] },
      { parts: [] },
      { parts: 'all' },
      { parts: [null] },
      null,
      '{',
    ];
    for (const list of lists) expect((await complete(url, list)).status).toBe(400);
    expect((await fetch(file_url)).status).toBe(404);
    expect((await complete(url, { parts: [first, second] })).status).toBe(200);
  });

  it.each(['0', '51', '-1', '1.5', '1e1', 'x', '99999999999', '%2e%2e'])('has no part number %s', async (n) => {
    const { upload_url: url } = await begin('initiate-multipart');
    expect([400, 404, 403]).toContain((await put(`${url}/${n}`, new Uint8Array(3))).status);
  });

  it('takes no part larger than a part, and no whole file in place of parts', async () => {
    const { upload_url: url } = await begin('initiate-multipart');
    const large = await put(`${url}/1`, new Uint8Array(10_485_761)).catch(() => undefined);
    expect(large === undefined || large.status === 413).toBe(true);
    expect((await put(url, new Uint8Array(3))).status).toBe(403);
    const whole = await begin('initiate');
    expect((await put(`${whole.upload_url}/1`, new Uint8Array(3))).status).toBe(403);
  });

  it('asks for the right token', async () => {
    const { upload_url: url } = await begin('initiate-multipart');
    const wrong = url.replace(/[^/]+$/, 'A'.repeat(22));
    expect((await put(`${wrong}/1`, new Uint8Array(3))).status).toBe(403);
    expect((await complete(wrong, { parts: [{ partNumber: 1, etag: 'x' }] })).status).toBe(403);
    const unknown = `${engine.base}/uploads/${'A'.repeat(22)}/${'B'.repeat(22)}`;
    expect((await put(`${unknown}/1`, new Uint8Array(3))).status).toBe(404);
  });

  it('throws away the parts of an upload that was never completed', async () => {
    const { upload_url: url } = await begin('initiate-multipart', {
      'x-fal-object-lifecycle': '{"expiration_duration_seconds":1}',
    });
    await putPart(url, 1, 'left behind');
    const id = url.split('/').at(-2) ?? '';
    const folders = () => readdir(join(engine.dataDir, 'files'));
    expect(await folders()).toContain(id);
    await waitFor(async () => !(await folders()).includes(id));
    expect((await complete(url, { parts: [{ partNumber: 1, etag: 'x' }] })).status).toBe(404);
    expect(await readdir(join(engine.dataDir, 'tmp'))).toEqual([]);
  });
});

/** Sends bytes as they are, without a client that tidies them up, and returns the status line. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(engine.base).port), '127.0.0.1', () => socket.write(text));
    socket.once('data', (data) => {
      resolve(data.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('odd requests', () => {
  it.each([
    ['//', 400],
    ['http://[', 400],
    ['/files/%2e%2e/%2e%2e/webhook-key.json', 404],
    ['/files/..%2f..%2fwebhook-key.json/x', 404],
    ['/../../webhook-key.json', 404],
    ['/files/AAAAAAAAAAAAAAAAAAAAAA/..%2ffile.json', 404],
    ['/rest/.well-known/../storage/upload/initiate', 401],
  ])('finds nothing under %s', async (path, status) => {
    const line = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: engine\r\nconnection: close\r\n\r\n`);
    expect(line).toContain(` ${status} `);
  });

  it('answers 400 to bodies that are no JSON, everywhere', async () => {
    for (const path of [`/queue/${REMOVE}`, `/run/${REMOVE}`, '/rest/tokens/', '/rest/storage/upload/initiate']) {
      expect((await engine.call('POST', path, { body: '{"a":' })).status).toBe(400);
    }
  });

  it('treats JSON that is no object as an input without fields, however deep', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const body of ['null', '7', '"text"', '[]', deep, `{"image_url":${deep},"__proto__":{"image_url":"x"}}`]) {
      const response = await engine.call('POST', `/run/${REMOVE}`, { body });
      expect(response.status).toBe(422);
    }
  });

  it('does not let a long body of words through', async () => {
    for (const path of ['/rest/tokens/', '/rest/storage/upload/initiate']) {
      const response = await engine.call('POST', path, { body: { file_name: 'x'.repeat(20_000) } });
      expect(response.status).toBe(413);
    }
  });

  it('serves the key set to all and everything else to key holders', async () => {
    expect((await engine.call('GET', '/rest/.well-known/jwks.json', { key: null })).status).toBe(200);
    expect((await engine.call('POST', '/rest/.well-known/jwks.json', { key: null })).status).toBe(401);
    for (const authorization of ['', KEY, `Bearer ${KEY}`, `Key ${KEY}x`, `Key ${KEY.slice(1)}`, 'Key ']) {
      const response = await engine.call('POST', '/rest/tokens/', { key: null, headers: { authorization }, body: {} });
      expect(response.status).toBe(401);
    }
  });

  it('survives callers that go in the middle of what they say', async () => {
    const body = 'POST /queue/fal-ai/bria/background/remove HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n';
    const socket = connect(Number(new URL(engine.base).port), '127.0.0.1');
    socket.write(`${body}authorization: Key ${KEY}\r\n\r\n{"image_url":"`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await engine.call('GET', '/health', { key: null })).status).toBe(200);
  });
});
