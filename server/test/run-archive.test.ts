import type { Page } from '@plinth/contract/paging';
import type { Run, RunItem } from '@plinth/contract/runs';
import Papa from 'papaparse';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteMedia } from '../src/media/deletion.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { startTestApp, type TestApp } from './app.ts';
import { readCutout } from './cutouts.ts';
import { file, text, writeForm } from './forms.ts';
import {
  makeItem,
  makeRedo,
  makeRun,
  makeUser,
  openRun,
  submitItem,
  type TestUser,
  waitForEnd,
  waitForRun,
} from './makers.ts';
import { expectProblem, unzip } from './wire.ts';

let app: TestApp;
let user: TestUser;
let cutout: Buffer;
beforeAll(async () => {
  app = await startTestApp({}, systemClock, 'built-in');
  cutout = await readCutout('mug', 0.4);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await makeUser(app, { credits: 20 });
  bring(cutout);
});

/** Makes this file the provider's result from now on. */
const bring = (content: Buffer) =>
  app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(content)) });
const refuse = () =>
  app.provider.behave({
    polls: 0,
    result: () => ({ httpStatus: 422, body: { detail: [{ loc: ['body'], msg: '=SUM(A1) is no product' }] } }),
  });
/** A cut-out whose product is this long on its longer side, in pixels. */
const makeProduct = (side: number) =>
  sharp({ create: { width: 1200, height: 1200, channels: 4, background: '#00000000' } })
    .composite([{ input: { create: { width: side, height: side >> 1, channels: 4, background: '#225588' } } }])
    .png()
    .toBuffer();
/** A part of their file names. */
const MARKS: Record<string, string> = { 'amazon-main': '.MAIN.', walmart: '-walmart-', etsy: '-etsy.' };
const archive = (run: { id: string }) => user.fetch(`/api/v1/runs/${run.id}/archive`);
const readReport = (files: Map<string, Buffer>) =>
  Papa.parse<Record<string, string>>(String(files.get('report.csv')), { header: true, skipEmptyLines: true });

describe('an archive', () => {
  it('has a folder per item with the result and a file per pack, and says in a table how each item ended', async () => {
    const run = await makeRun(user, {
      name: `Anna's „Tassen" (1)`,
      packs: ['amazon-main', 'transparent-png', 'amazon-main'],
    });
    expect(run.packs).toEqual(['amazon-main', 'transparent-png']);
    await makeItem(user, run.id, { sku: 'M-01', filename: 'm1.jpg' });
    await makeItem(user, run.id, { sku: 'm-01', filename: 'm2.jpg' });
    await makeItem(user, run.id, { filename: '=mug 3.jpg' });
    await makeItem(user, run.id, { filename: '=mug 3.png' });
    await waitForRun(user, run.id);
    refuse();
    await makeItem(user, run.id, { sku: '-1', filename: '@home.jpg' });
    await waitForRun(user, run.id);
    const answer = await archive(run);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Anna's _Tassen_ (1).zip"; filename*=UTF-8''Anna%27s%20%E2%80%9ETassen%22%20%281%29.zip`,
    );
    const files = await unzip(answer);
    const folders = new Set([...files.keys()].map((name) => name.split('/')[0]));
    expect([...folders].sort()).toEqual(['=mug 3', '=mug 3-2', 'M-01', 'm-01-2', 'report.csv']);
    const names = [...files.keys()].filter((name) => name.startsWith('M-01/'));
    expect(names).toEqual(['M-01/M-01.png', 'M-01/M-01.MAIN.jpg', 'M-01/M-01-transparent-1.png']);
    const { items } = await user.get<Page<RunItem>>(`/api/v1/runs/${run.id}/items`);
    const contentUrl = items.find(({ sku }) => sku === 'M-01')?.generation.result?.contentUrl ?? '';
    const content = Buffer.from(await (await user.fetch(contentUrl)).arrayBuffer());
    expect(files.get(names[0] ?? '')?.equals(content)).toBe(true);
    const exported = files.get(names[1] ?? '') as Buffer;
    expect(await sharp(exported).metadata()).toMatchObject({ format: 'jpeg' });
    const { data, meta } = readReport(files);
    expect(meta.fields).toEqual([
      ...['sku', 'file', 'status', 'code', 'message', 'credits', 'seconds'],
      ...['amazon-main', 'transparent-png', 'alt', 'note'],
    ]);
    expect(data[0]).toMatchObject({
      ...{ sku: 'M-01', file: 'm1.jpg', status: 'succeeded', code: '', message: '', credits: '1' },
      'amazon-main': 'ready',
      'transparent-png': 'ready',
    });
    expect(Number(data[0]?.seconds)).toBeGreaterThan(0);
    expect(data[2]).toMatchObject({ sku: '', file: "'=mug 3.jpg" });
    expect(data[4]).toMatchObject({
      ...{ sku: "'-1", file: "'@home.jpg", status: 'failed', code: 'provider_rejected', credits: '0' },
      'amazon-main': '',
    });
  });

  it('has its items in the order in which they were sent, whichever arrived first', async () => {
    const run = await makeRun(user);
    const whole = writeForm([text('sku', 'LARGE'), file(await makeProduct(900), 'image/png', 'large.png')]);
    let finish = () => {};
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(whole.subarray(0, 100));
        finish = () => (stream.enqueue(whole.subarray(100)), stream.close());
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': 'large' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const large = user.fetch(`/api/v1/runs/${run.id}/items`, init);
    await makeItem(user, run.id, { sku: 'SMALL' });
    finish();
    expect((await large).status).toBe(202);
    await waitForRun(user, run.id);
    const { data } = readReport(await unzip(await archive(run)));
    expect(data.map(({ sku }) => sku)).toEqual(['LARGE', 'SMALL']);
  });

  it('says of each item what it cost by itself', async () => {
    app.provider.behave({ polls: 0 });
    const run = await makeRun(user, { tool: 'image-to-video', fields: { prompt: 'a slow turn' } });
    await makeItem(user, run.id, { sku: 'A' });
    await makeItem(user, run.id, { sku: 'B', texts: { duration: '12' } });
    await waitForRun(user, run.id);
    const { items } = await user.get<Page<RunItem>>(`/api/v1/runs/${run.id}/items`);
    const longer = items.find(({ sku }) => sku === 'B')?.generation.id ?? '';
    // The free one replaces it and keeps its price.
    await waitForEnd(user, (await makeRedo(user, longer)).id);
    const { data } = readReport(await unzip(await archive(run)));
    expect(data.map(({ sku, credits }) => [sku, credits])).toEqual([
      ['A', '5'],
      ['B', '12'],
    ]);
  });

  it('leaves out what a pack cannot be made of, and what is gone', async () => {
    bring(
      await sharp({ create: { width: 640, height: 480, channels: 3, background: '#20a060' } })
        .png()
        .toBuffer(),
    );
    const fields = { prompt: 'marble' };
    const run = await makeRun(user, { tool: 'text-to-image', fields, packs: ['amazon-main', 'walmart', 'shopify'] });
    const kept = await makeItem(user, run.id, { sku: 'A' });
    await makeItem(user, run.id, { sku: 'B' });
    await waitForRun(user, run.id);
    const { items } = await user.get<Page<RunItem>>(`/api/v1/runs/${run.id}/items`);
    const gone = items.find(({ id }) => id !== kept.id)?.generation.result?.mediaId ?? '';
    const config = readConfig(app.environment);
    const library = {
      db: app.db,
      clock: systemClock,
      storage: await openStorage(config),
      ttlSeconds: 3600,
      maxStorageBytes: undefined,
    };
    await deleteMedia(library, user.id, gone);
    const files = await unzip(await archive(run));
    expect([...files.keys()].some((name) => name.startsWith('B/'))).toBe(false);
    expect([...files.keys()].some((name) => name.endsWith('.MAIN.jpg'))).toBe(false);
    const { data } = readReport(files);
    expect(data[0]).toMatchObject({ sku: 'A', status: 'succeeded', 'amazon-main': 'background-white' });
    expect(data[1]).toMatchObject({ sku: 'B', status: 'succeeded', 'amazon-main': '', walmart: '' });
  });

  it('lacks no file of which the run and its items did not say so before', { tags: ['slow'] }, async () => {
    const packs = ['walmart', 'amazon-main', 'etsy'];
    const run = await makeRun(user, { packs });
    bring(await makeProduct(1000));
    await makeItem(user, run.id, { sku: 'large' });
    await waitForRun(user, run.id);
    // Its product is 940 pixels long: enough for Amazon and Etsy. Walmart, which states no minimum, advises 990.
    bring(await makeProduct(940));
    await makeItem(user, run.id, { sku: 'middle' });
    await waitForRun(user, run.id);
    bring(await makeProduct(200));
    await makeItem(user, run.id, { sku: 'small' });
    expect(await waitForRun(user, run.id)).toMatchObject({ counts: { succeeded: 3 }, incomplete: 2 });
    const { items } = await user.get<Page<RunItem>>(`/api/v1/runs/${run.id}/items`);
    const missingBySku = new Map(items.map(({ sku, missingFiles }) => [sku, missingFiles]));
    const small = 'picture_too_small';
    expect(missingBySku.get('large')).toEqual([]);
    expect(missingBySku.get('middle')).toEqual([{ pack: 'walmart', refusal: small }]);
    expect(missingBySku.get('small')).toEqual(packs.map((pack) => ({ pack, refusal: small })));
    const files = await unzip(await archive(run));
    for (const line of readReport(files).data) {
      const missing = (missingBySku.get(line.sku ?? '') ?? []).map(({ pack }) => pack as string);
      expect(packs.filter((pack) => line[pack] !== 'ready')).toEqual(missing);
      for (const pack of packs)
        expect(
          [...files.keys()].some((name) => name.startsWith(`${line.sku}/`) && name.includes(MARKS[pack] ?? pack)),
        ).toBe(!missing.includes(pack));
    }
  });

  it(
    'lacks none that its look makes: what is low beside the others needs fewer pixels',
    { tags: ['slow'] },
    async () => {
      const look = await user.fetch('/api/v1/looks', {
        method: 'POST',
        body: JSON.stringify({ name: 'One scale', scale: 'height' }),
        headers: { 'content-type': 'application/json' },
      });
      const { id: lookId } = (await look.json()) as { id: string };
      bring(await makeProduct(200));
      const run = await makeRun(user, { packs: ['shopify'], lookId });
      const low = await makeItem(user, run.id, { sku: 'low', texts: { heightCm: '10' } });
      // Alone it would fill its frame.
      expect(await waitForRun(user, run.id)).toMatchObject({ incomplete: 1 });
      bring(await makeProduct(1000));
      await makeItem(user, run.id, { sku: 'tall', texts: { heightCm: '200' } });
      expect(await waitForRun(user, run.id)).toMatchObject({ counts: { succeeded: 2 }, incomplete: 0 });
      const { items } = await user.get<Page<Run>>('/api/v1/runs');
      expect(items.find(({ id }) => id === run.id)?.incomplete).toBe(0);
      // Nothing needs mending, so nothing can be paid for by mistake.
      await expectProblem(await submitItem(user, run.id, { texts: { replaces: low.id } }), 'invalid_option');
      const { data } = readReport(await unzip(await archive(run)));
      expect(data.map(({ shopify }) => shopify)).toEqual(['ready', 'ready']);
    },
  );

  it(
    'is whole once a larger photo has taken the place of one that was too small, for a credit',
    { tags: ['slow'] },
    async () => {
      bring(await makeProduct(200));
      const run = await makeRun(user, { packs: ['ebay'] });
      const { id } = await makeItem(user, run.id, { sku: 'M-01' });
      await waitForRun(user, run.id);
      bring(cutout);
      expect((await submitItem(user, run.id, { texts: { replaces: id } })).status).toBe(202);
      expect(await waitForRun(user, run.id)).toMatchObject({ counts: { total: 1, succeeded: 1 }, incomplete: 0 });
      expect(await user.credits()).toBe(18);
      expect(readReport(await unzip(await archive(run))).data).toMatchObject([{ sku: 'M-01', ebay: 'ready' }]);
      // Nothing needs mending any more, so nothing can be paid for by mistake.
      await expectProblem(await submitItem(user, run.id, { texts: { replaces: id } }), 'invalid_option');
      expect(await user.credits()).toBe(18);
    },
  );

  it(
    'has one scale for all by their heights, names as shops take them, alt texts and notes',
    { tags: ['slow'] },
    async () => {
      const look = await user.fetch('/api/v1/looks', {
        method: 'POST',
        body: JSON.stringify({ name: 'Ruler', scale: 'height', align: 'foot' }),
        headers: { 'content-type': 'application/json' },
      });
      const { id: lookId } = (await look.json()) as { id: string };
      const run = await makeRun(user, { packs: ['shopify', 'amazon-main'], lookId });
      expect(run.look).toMatchObject({ scale: 'height' });
      // A copy: later changes of the look have no effect.
      expect((await user.fetch(`/api/v1/looks/${lookId}`, { method: 'DELETE' })).status).toBe(204);
      bring(await makeProduct(1000));
      const facts = { asin: 'B000123456', handle: 'wide-mug' };
      expect(await makeItem(user, run.id, { sku: 'tall', texts: { heightCm: '20', ...facts } })).toMatchObject({
        heightCm: 20,
        ...facts,
        ean: null,
        alt: 'tall',
      });
      await makeItem(user, run.id, { sku: 'low', texts: { heightCm: '10' } });
      await makeItem(user, run.id, { filename: 'red mug.jpg' });
      await waitForRun(user, run.id);
      const files = await unzip(await archive(run));
      expect([...files.keys()].toSorted()).toEqual([
        'low/low-1.jpg',
        'low/low.MAIN.jpg',
        'low/low.png',
        'red mug/red mug-1.jpg',
        'red mug/red mug.MAIN.jpg',
        'red mug/red mug.png',
        'report.csv',
        'tall/B000123456.MAIN.jpg',
        'tall/tall.png',
        'tall/wide-mug-1.jpg',
      ]);
      const boxOf = async (name: string) => {
        const { info } = await sharp(files.get(name))
          .trim({ background: '#ffffff', threshold: 20 })
          .toBuffer({ resolveWithObject: true });
        return { width: info.width, top: -(info.trimOffsetTop ?? 0), height: info.height };
      };
      const [tall, low, free] = [
        await boxOf('tall/wide-mug-1.jpg'),
        await boxOf('low/low-1.jpg'),
        await boxOf('red mug/red mug-1.jpg'),
      ];
      expect(tall.width / 2048).toBeCloseTo(0.9, 1);
      expect(tall.height / low.height).toBeCloseTo(2, 1);
      // On one line.
      expect(Math.abs(tall.top + tall.height - low.top - low.height)).toBeLessThanOrEqual(3);
      expect(free.width).toBeCloseTo(tall.width, -1);
      const { data } = readReport(files);
      expect(data.map(({ alt }) => alt)).toEqual(['tall', 'low', 'red mug']);
      expect(data[2]?.note).toBe('no height: it fills its frame');
      expect(data[1]?.note).toBe('amazon-main: its rules allow a part of the look');
      expect(data[0]?.note).toBe('');
    },
  );

  it('can be had at any time, also of nothing, and without a body', async () => {
    const run = await makeRun(user);
    const empty = await unzip(await archive(run));
    expect([...empty.keys()]).toEqual(['report.csv']);
    expect(String(empty.get('report.csv'))).toBe('\uFEFFsku,file,status,code,message,credits,seconds,alt,note\r\n');
    const head = await user.fetch(`/api/v1/runs/${run.id}/archive`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
    await user.fetch(`/api/v1/runs/${run.id}/cancel`, { method: 'POST' });
    expect((await archive(run)).status).toBe(200);
    expect((await user.get<Run>(`/api/v1/runs/${run.id}`)).status).toBe('canceled');
  });

  it('refuses heights, numbers and roles that cannot be, by their names, and takes nothing for it', async () => {
    const run = await makeRun(user);
    for (const heightCm of ['0', '10000', '12,5 cm', '5in'])
      await expectProblem(await submitItem(user, run.id, { texts: { heightCm } }), 'height_invalid');
    const answer = await submitItem(user, run.id, {
      texts: { asin: 'b0', ean: '4006381333932', role: 'FRONT', handle: 'A b' },
    });
    const { fields } = (await answer.clone().json()) as { fields: { field: string }[] };
    await expectProblem(answer, 'item_field_invalid');
    expect(fields.map(({ field }) => field)).toEqual(['asin', 'ean', 'role', 'handle']);
    for (const lookId of ['look_nobodys', 'a\0'])
      await expectProblem(await openRun(user, { lookId }), 'look_not_found');
    expect(await user.credits()).toBe(20);
  });

  it('a single result is saved under the name of its photo', async () => {
    const run = await makeRun(user);
    await makeItem(user, run.id, { filename: 'Rote Tasse.jpeg' });
    await waitForRun(user, run.id);
    const { items } = await user.get<Page<RunItem>>(`/api/v1/runs/${run.id}/items`);
    const result = items[0]?.generation.result;
    const saved = await user.fetch(result?.downloadUrl ?? '');
    expect(saved.headers.get('content-disposition')).toContain('filename="Rote Tasse-cutout.png"');
    expect(result?.originalFilename).toMatch(/^removed-bg-\d+\.png$/);
    const shot = await user.fetch(`/api/v1/media/${result?.mediaId}/packshot`);
    expect(shot.headers.get('content-disposition')).toContain('filename="Rote Tasse-packshot.jpg"');
  });

  it('refuses packs that nobody knows or that a video has none of', async () => {
    for (const [fields, code] of [
      [{ packs: ['bazaar'] }, 'unknown_pack'],
      [{ tool: 'basic-image-to-video', packs: ['ebay'] }, 'pack_not_possible'],
    ] as const) {
      const answer = await user.fetch('/api/v1/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': code },
        body: JSON.stringify({ name: 'x', tool: 'remover', ...fields }),
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, code]);
    }
  });
});
