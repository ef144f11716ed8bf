import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openBucketStorage } from '../src/platform/data/bucket-storage.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { type Storage, StorageUnavailableError } from '../src/platform/data/storage.ts';

const BUCKET = 'plinth-files';
const folder = mkdtempSync(join(tmpdir(), 'plinth-storage-'));
const bucketServer = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 'bucket'),
  configureBuckets: [{ name: BUCKET, configs: [] }],
});
let endpoint = '';

beforeAll(async () => {
  const { port } = await bucketServer.run();
  endpoint = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await bucketServer.close();
  rmSync(folder, { recursive: true, force: true });
});

const openers: Record<string, () => Promise<Storage>> = {
  'a folder': () => openStorage({ DATA_DIR: folder }),
  'a bucket': () =>
    openStorage({
      DATA_DIR: folder,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    }),
};

const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const object of storage.list()) keys.push(object.key);
  return keys;
}

describe.each(Object.keys(openers))('files in %s', (kind) => {
  it('come back byte for byte, whole and in part', async () => {
    const storage = (await openers[kind]?.()) as Storage;
    const content = randomBytes(3_000_001);
    await storage.put('uploads/one.png', content, 'image/png');
    const whole = await storage.read('uploads/one.png');
    expect(hash(await buffer(whole ?? Readable.from([])))).toBe(hash(content));
    const part = await storage.read('uploads/one.png', { start: 10, end: 19 });
    expect(await buffer(part ?? Readable.from([]))).toEqual(content.subarray(10, 20));
  });

  it('are missing when they were never there or are removed, also twice', async () => {
    const storage = (await openers[kind]?.()) as Storage;
    expect(await storage.read('uploads/never.png')).toBeUndefined();
    await storage.put('results/two.png', Buffer.from('x'), 'image/png');
    expect(await keysOf(storage)).toContain('results/two.png');
    await storage.remove('results/two.png');
    await storage.remove('results/two.png');
    expect(await storage.read('results/two.png')).toBeUndefined();
    expect(await keysOf(storage)).not.toContain('results/two.png');
  });

  it('can be used', async () => {
    const storage = (await openers[kind]?.()) as Storage;
    await expect(storage.check()).resolves.toBeUndefined();
  });
});

it('a file on disk is kept through a power cut: its folders are flushed after its name is final', async () => {
  const DATA_DIR = mkdtempSync(join(folder, 'flushed-'));
  const storage = await openStorage({ DATA_DIR });
  const handle = await open(DATA_DIR);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const path = join(DATA_DIR, 'files', 'results', 'remover', 'one.png');
  const flushed: number[] = [];
  const flush = Reflect.get(prototype, 'sync');
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const found = await this.stat();
    if (found.isDirectory() && existsSync(path)) flushed.push(found.ino);
    await flush.call(this);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await storage.put('results/remover/one.png', Buffer.from('x'), 'image/png');
  const inodeOf = (...names: string[]) => statSync(join(DATA_DIR, 'files', ...names)).ino;
  // The first file's folders are new, so their names are flushed, too.
  expect(flushed).toEqual(expect.arrayContaining([inodeOf('results', 'remover'), inodeOf('results'), inodeOf()]));
  flushed.length = 0;
  await storage.put('results/remover/one.png', Buffer.from('y'), 'image/png');
  expect(flushed).toEqual([inodeOf('results', 'remover')]);
});

it('a folder that cannot be read is not taken for an empty one', async () => {
  const DATA_DIR = mkdtempSync(join(folder, 'unreadable-'));
  writeFileSync(join(DATA_DIR, 'files'), 'no folder');
  const storage = await openStorage({ DATA_DIR });
  await expect(keysOf(storage)).rejects.toThrow('ENOTDIR');
  await expect(storage.read('uploads/one.png')).rejects.toThrow('ENOTDIR');
});

/** A bucket that answers every request like this. */
async function openFake(answer: (response: ServerResponse, request: IncomingMessage) => void, limitMs = 2000) {
  const server = createServer((request, response) => answer(response, request));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = { S3_BUCKET: BUCKET, S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
  const storage = openBucketStorage({ ...settings, S3_ENDPOINT: `http://127.0.0.1:${port}` }, limitMs);
  return { storage, close: () => server.close() };
}

describe('a bucket that sends slowly', () => {
  it('is waited for as long as it sends: the limit is for the head of its answer', async () => {
    const [limitMs, pieces] = [200, 10];
    const sendSlowly = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': pieces });
      for (let piece = 0; piece < pieces; piece += 1) {
        response.write('x');
        await sleep(limitMs / 4);
      }
      response.end();
    };
    const { storage, close } = await openFake((response) => void sendSlowly(response), limitMs);
    expect(String(await storage.readWhole('results/film.mp4'))).toBe('x'.repeat(pieces));
    close();
  });

  it('or takes slowly is waited for as long as a slow line needs', async () => {
    const [limitMs, pieceMs] = [200, 20];
    let taken = 0;
    const takeSlowly = async (response: ServerResponse, request: IncomingMessage) => {
      for await (const piece of request as AsyncIterable<Buffer>) {
        taken += piece.byteLength;
        await sleep(pieceMs);
      }
      response.end();
    };
    const { storage, close } = await openFake((response, request) => void takeSlowly(response, request), limitMs);
    const content = Buffer.alloc(2 * 1024 * 1024);
    await storage.put('results/large.png', content, 'image/png');
    expect(taken).toBe(content.byteLength);
    close();
  });

  it('and breaks off is away', async () => {
    const { storage, close } = await openFake((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x', () => setTimeout(() => response.destroy(), 50));
    });
    await expect(storage.readWhole('results/film.mp4')).rejects.toBeInstanceOf(StorageUnavailableError);
    close();
  });
});

it.each([
  ['NoSuchKey', true],
  ['NoSuchBucket', false],
])('a bucket that answers %s to a deletion', async (code, isFine) => {
  const { storage, close } = await openFake((response) =>
    response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`),
  );
  const isGone = await storage.remove('results/film.mp4').then(
    () => true,
    () => false,
  );
  expect(isGone).toBe(isFine);
  close();
});

it('a bucket is sent and asked for no checksum, which not every storage knows', async () => {
  const headers: string[] = [];
  const { storage, close } = await openFake((response, request) => {
    headers.push(...Object.keys(request.headers));
    response.end();
  });
  await storage.put('uploads/one.png', Buffer.from('one'), 'image/png');
  await storage.readWhole('uploads/one.png');
  expect(headers).toContain('authorization');
  expect(headers.filter((name) => name.includes('checksum'))).toEqual([]);
  close();
});

describe('a bucket that does not exist', () => {
  it('cannot be used', async () => {
    const settings = {
      DATA_DIR: folder,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'no-such',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
    const storage = await openStorage(settings);
    await expect(storage.check()).rejects.toThrow();
  });
});
