import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beginTask,
  doTask,
  type Engine,
  KEY,
  makeTaskForm,
  readProduct,
  REMOVE,
  removeFolder,
  startEngine,
  waitFor,
} from '../../test/engine.ts';

/** Tests `POST /tasks` over HTTP: answers, refusals and remaining files. */

let engine: Engine;
let mug: Buffer;

beforeAll(async () => {
  mug = await sharp(await readProduct('mug'))
    .resize(300)
    .jpeg()
    .toBuffer();
  engine = await startEngine({ ENGINE_WORKERS: '1' });
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

const scratch = () => readdir(engine.dataDir);
const post = (body: FormData | string, headers?: Record<string, string>, key?: string | null) =>
  engine.call('POST', '/tasks', { body, ...(headers && { headers }), ...(key !== undefined && { key }) });

describe('a task', { timeout: 60_000 }, () => {
  it("is answered with progress, one end and the file's bytes, and leaves no files", async () => {
    const { lines, end } = beginTask(engine, REMOVE, { pictures: { image_url: mug } });
    const { end: last, file } = await end;
    expect(lines[0]).toEqual({ kind: 'queued' });
    const percents = lines.filter(({ kind }) => kind === 'progress').map(({ percent }) => Number(percent));
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(percents.length).toBeGreaterThan(2);
    expect(last).toEqual({ kind: 'done', bytes: file.byteLength });
    expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 300, hasAlpha: true });
    await waitFor(async () => (await scratch()).length === 0);
  });

  it('is deterministic, and reports the drawn words', { tags: ['slow'] }, async () => {
    const request = { pictures: { image_url: mug }, input: { prompt: 'marble, flibbertigibbet', unknown: 7 } };
    const [one, other] = [
      await doTask(engine, 'replace-background', request),
      await doTask(engine, 'replace-background', request),
    ];
    expect(one.end).toMatchObject({ kind: 'done', understood: ['marble'], notDrawn: ['flibbertigibbet'] });
    expect(one.file.equals(other.file)).toBe(true);
  });

  it.each<[string, string, Record<string, Buffer>, unknown, RegExp]>([
    ['a missing picture', REMOVE, {}, {}, /image_url is missing/],
    ['the second of two', 'try-on', { model_image: Buffer.from('x') }, {}, /garment_image is missing/],
    ['marks that are none', REMOVE, { image_url: Buffer.from('x') }, { marks: 7 }, /marks/],
    ['a seed that is none', 'basic-video', { image_url: Buffer.from('x') }, { seed: -1 }, /seed/],
    ['an input that is no object', REMOVE, { image_url: Buffer.from('x') }, 'x', /object/],
    ['no picture at all', REMOVE, { image_url: Buffer.from('x') }, {}, /^Use a JPEG/],
  ])('is refused for %s', async (_, skill, pictures, input, message) => {
    const { end, file } = await doTask(engine, skill, { pictures, input });
    expect(end).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) });
    expect(file).toHaveLength(0);
    await waitFor(async () => (await scratch()).length === 0);
  });

  it('is neither run nor stored if its caller disconnects during the upload', async () => {
    const logLength = engine.readLog().length;
    const form = new Response(makeTaskForm(REMOVE, { pictures: { image_url: mug } }));
    const body = Buffer.from(await form.arrayBuffer());
    const head = [
      'POST /tasks HTTP/1.1',
      'host: x',
      `authorization: Key ${KEY}`,
      `content-length: ${body.length}`,
      `content-type: ${form.headers.get('content-type')}`,
    ];
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(new URL(engine.base).port), '127.0.0.1');
      const message = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
      await new Promise((resolve) => socket.write(message, resolve));
      socket.destroy();
    }
    await doTask(engine, REMOVE, { pictures: { image_url: mug } });
    const ends = engine.readLog().slice(logLength);
    expect(ends.match(/"end":"done"/g)).toHaveLength(1);
    await waitFor(async () => (await scratch()).length === 0);
  });
});

describe('an invalid request', () => {
  it('is rejected without the key', async () => {
    const form = makeTaskForm(REMOVE, { pictures: { image_url: mug } });
    expect((await post(form, {}, null)).status).toBe(401);
    for (const authorization of ['', KEY, `Bearer ${KEY}`, `Key ${KEY}x`, `Key ${KEY.slice(1)}`, 'Key ']) {
      expect((await post(form, { authorization }, null)).status).toBe(401);
    }
  });

  it('is answered with the reason', async () => {
    const large = { pictures: { image_url: Buffer.alloc(20 * 1024 * 1024 + 1) } };
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, mug]));
    const broken = makeTaskForm(REMOVE, {});
    broken.set('input', '{"a":');
    const nameless = makeTaskForm(REMOVE, {});
    nameless.delete('skill');
    const statuses = [
      await post(makeTaskForm('no-skill', {})),
      await post(makeTaskForm('constructor', {})),
      await post(broken),
      await post(nameless),
      await post('{"skill":"remove-background"}', { 'content-type': 'application/json' }),
      await post(makeTaskForm(REMOVE, { input: { marks: 'x'.repeat(200_000) } })),
      await post(makeTaskForm(REMOVE, large)),
      await post(makeTaskForm(REMOVE, { pictures: many })),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 400, 400, 406, 413, 413, 413]);
    await waitFor(async () => (await scratch()).length === 0);
  });

  it.each(['/', '/jobs', '/files/..%2f..%2fetc/passwd', '/tasks/../tasks', '/queue/fal-ai/bria', '/__proto__'])(
    'finds nothing at %s',
    async (path) => {
      expect((await engine.call('GET', path)).status).toBe(404);
    },
  );

  it('that is aborted leaves nothing behind and harms no other', async () => {
    const socket = connect(Number(new URL(engine.base).port), '127.0.0.1');
    const head = [
      'POST /tasks HTTP/1.1',
      'host: x',
      `authorization: Key ${KEY}`,
      'content-length: 9999',
      'content-type: multipart/form-data; boundary=b',
    ];
    const part = '--b\r\ncontent-disposition: form-data; name="image_url"; filename="a"\r\n\r\nhalf a pho';
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
    await waitFor(async () => (await scratch()).length === 1);
    socket.destroy();
    await waitFor(async () => (await scratch()).length === 0);
    expect((await engine.call('GET', '/health', { key: null })).status).toBe(200);
  });
});
