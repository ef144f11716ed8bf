/** @module-tag slow */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Generation } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { sql } from 'kysely';
import S3rver from 's3rver';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase } from './database.ts';
import {
  makeEndpoint,
  makeGeneration,
  makeItem,
  makeRun,
  makeUser,
  redo,
  submit,
  type TestUser,
  waitForEnd,
  waitForRun,
  waitUntil,
} from './makers.ts';
import { type Product, startProduct } from './product.ts';
import { type ScriptedProvider, startScriptedProvider } from './provider-script.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Puts a random marker into everything that a user can enter, then searches for it in everything that is stored. */

// Long enough for everything to be written, also on a busy machine.
const KEPT_SECONDS = 25;
const FORGET = {
  MEDIA_TTL_SECONDS: String(KEPT_SECONDS),
  SWEEP_INTERVAL_SECONDS: '1',
  ENGINE_TTL_SECONDS: '5',
  ENGINE_WORKERS: '1',
  AUTH_EMAIL_SIGNUP: 'true',
  RATE_LIMIT_SCALE: '100',
  PROVIDER_POLL_SCALE: '0.1',
  LOG_LEVEL: 'debug',
};

let database: Awaited<ReturnType<typeof makeDatabase>>;
let dataDir: string;
let bucketDir: string;
let bucket: S3rver;
let provider: ScriptedProvider;
let receiver: Receiver;
let product: Product;
let user: TestUser;
/** Hexadecimal in texts, decimal for numbers. */
let mark: string;
let digits: string;

beforeEach(async () => {
  database = await makeDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-canary-'));
  bucketDir = mkdtempSync(join(tmpdir(), 'plinth-canary-bucket-'));
  provider = await startScriptedProvider();
  receiver = await startReceiver();
  mark = `zq${randomBytes(9).toString('hex')}`;
  digits = String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '7');
});
afterEach(async () => {
  await product.stop();
  await Promise.all([provider.close(), receiver.close()]);
  await database.drop();
  for (const folder of [dataDir, bucketDir]) rmSync(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string>): Promise<void> {
  product = await startProduct({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    WEBHOOK_HOSTS: receiver.host,
    ...FORGET,
    ...settings,
  });
  user = await makeUser({ url: product.url, db: database.db }, { credits: 10 });
}

/** A photo of a red object on a pale background, with the marker wherever a file can contain text. */
async function makeMarkedPhoto(type: 'jpeg' | 'png'): Promise<Buffer> {
  const thing = '<svg width="400" height="400"><rect x="90" y="110" width="220" height="200" fill="#b02030"/></svg>';
  const words = { ImageDescription: mark, Artist: mark, Copyright: mark };
  const photo = sharp({ create: { width: 400, height: 400, channels: 3, background: '#eceae6' } })
    .composite([{ input: Buffer.from(thing) }])
    .withExif({ IFD0: words })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${mark}"/></rdf:RDF></x:xmpmeta>`,
    );
  if (type === 'jpeg') return Buffer.concat([await photo.jpeg().toBuffer(), Buffer.from(mark)]);
  const png = await photo.png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), makeChunk('tEXt', `Comment\0${mark}`), png.subarray(33)]);
}

function makeChunk(type: string, content: string): Buffer {
  const body = Buffer.from(type + content, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The marker's possible encodings: plain, UTF-16, hexadecimal digits, and within base64. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(4, -3),
  );
  return [text, Buffer.from(text, 'utf16le').toString('latin1'), bytes.toString('hex'), ...base64];
}

function findMarks(where: string, text: string): string[] {
  return [mark, digits].filter((one) => spellings(one).some((spelling) => text.includes(spelling))).map(() => where);
}

/** Finds the marker: in tables, files and logs. */
async function search(): Promise<string[]> {
  const found: string[] = [];
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(database.db);
  expect(tables.rows.map(({ schema }) => schema)).toContain('pgboss');
  for (const { schema, name } of tables.rows) {
    const rows = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      database.db,
    );
    found.push(...findMarks(`table ${name}`, rows.rows.map(({ row }) => row).join('\n')));
  }
  for (const folder of [dataDir, bucketDir]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // A file may be deleted while the folder is read.
      const content = entry.isFile() ? readSafely(path) : '';
      found.push(...findMarks(`file ${path}`, path + content));
    }
  }
  return [...new Set([...found, ...findMarks('log', product.written())])];
}

function readSafely(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Sends the marker in everything that accepts words or files; in names of runs and addresses, which are kept longer,
 * only on request.
 */
async function writeEverywhere(names: { name?: string; sku?: string } = {}): Promise<void> {
  const photos = [await makeMarkedPhoto('jpeg'), await makeMarkedPhoto('png')] as const;
  const near = (start: string) => Number(`${start}${digits}`);
  const marks = { box: [near('0.1'), near('0.2'), near('0.8'), near('0.9')], keep: [[0.5, 0.5, near('0.0')]] };
  const prompt = `a wooden table with ${mark}`;
  const hook = `/hook/${names.sku ?? ''}`;
  await makeEndpoint(user, receiver.urlOf(hook));
  const { id } = await submitMarked('text-to-image', photos[0], { prompt });
  expect(await search()).toContain('table generations');
  const made = await waitForEnd(user, id, 60_000);
  await waitForEnd(user, (await submitMarked('remover', photos[1], { marks: JSON.stringify(marks) })).id, 60_000);
  await redo(user, made.id, { prompt: `${prompt} again` });
  const run = await makeRun(user, { tool: 'text-to-image', fields: { prompt }, name: names.name ?? 'Cups' });
  await makeItem(user, run.id, { image: photos[0], filename: `${mark}.jpg`, sku: names.sku ?? 'CUP-1' });
  await makeItem(user, run.id, { image: photos[1], texts: { prompt: `${prompt}, too` } });
  await waitForRun(user, run.id, 60_000);
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
  expect((await user.fetch(`/api/v1/runs/${run.id}/retry`, { method: 'POST', headers })).status).toBe(202);
  await user.fetch(`/api/v1/runs/${run.id}/close`, { method: 'POST' });
  expect((await user.fetch(`/api/v1/runs/${run.id}/archive`)).status).toBe(200);
  await waitUntil(
    async () => receiver.received(hook).map(({ body }) => body),
    (messages) => messages.some((body) => body.includes(run.id) && body.includes(mark)),
  );
  const { items } = await user.get<{ items: Media[] }>('/api/v1/media');
  for (const { contentUrl } of items)
    expect(
      findMarks('result', Buffer.from(await (await user.fetch(contentUrl)).arrayBuffer()).toString('latin1')),
    ).toEqual([]);
  // A refused request leaves no trace either.
  await submit(user, { image: Buffer.from(`no picture ${mark}`) });
  await user.fetch(`/api/v1/generations/${mark}?${mark}=${mark}`);
}

async function submitMarked(tool: string, photo: Buffer, texts: Record<string, string>): Promise<{ id: string }> {
  const form = new FormData();
  form.set(
    'image',
    new Blob([new Uint8Array(photo)], { type: tool === 'remover' ? 'image/png' : 'image/jpeg' }),
    `${mark}.png`,
  );
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  const answer = await user.fetch(`/api/v1/tools/${tool}/generations`, {
    method: 'POST',
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: form,
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(text);
  return JSON.parse(text) as { id: string };
}

const nothing = (places: string[]) => places.length === 0;

describe('what a person wrote', { timeout: 180_000 }, () => {
  it('is nowhere after its retention time: built-in engine, folder', async () => {
    await start({});
    await writeEverywhere();
    await waitUntil(search, nothing, (KEPT_SECONDS + 20) * 1000, 4000);
  });

  it('is nowhere after its retention time: hosted provider that repeats it in a rejection, bucket', async () => {
    bucket = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: bucketDir,
      configureBuckets: [{ name: 'files', configs: [] }],
    });
    const { port } = await bucket.run();
    await start({
      FAL_KEY: 'key:of-the-test',
      FAL_QUEUE_URL: provider.url,
      FAL_REST_URL: provider.url,
      FAL_RUN_URL: provider.url,
      RESULT_HOSTS: provider.host,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
    try {
      const detail = [{ loc: ['body', 'prompt'], msg: `The words "${mark}" are not allowed`, type: 'value_error' }];
      provider.behave({ result: () => ({ httpStatus: 422, body: { detail } }) });
      const prompt = `on a table ${mark}`;
      const refused = await waitForEnd(user, (await makeGeneration(user, { tool: 'text-to-image', prompt })).id);
      expect(refused.error).toMatchObject({ code: 'provider_rejected' });
      expect(refused.error?.message).toContain(mark);
      provider.behave({});
      const { id } = await makeGeneration(user, { tool: 'text-to-image', prompt });
      expect(await search()).toContain('table generations');
      await waitForEnd(user, id);
      const shown = async () => (await user.get<Generation>(`/api/v1/generations/${refused.id}`)).error?.message;
      await waitUntil(search, nothing, (KEPT_SECONDS + 20) * 1000, 4000);
      expect(await shown()).toMatch(/^An unexpected error occurred/);
    } finally {
      await product.stop();
      await bucket.close();
    }
  });

  it('is nowhere once the account is deleted', async () => {
    await start({ MEDIA_TTL_SECONDS: '172800' });
    await writeEverywhere({ name: `Cups ${mark}`, sku: mark });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ password: user.password });
    expect((await user.fetch('/api/v1/account', { method: 'DELETE', headers, body })).status).toBe(204);
    await waitUntil(search, nothing, 20_000, 1000);
  });
});
