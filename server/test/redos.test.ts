import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@plinth/contract/errors';
import type { Generation, ToolList } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../src/commands/check.ts';
import { auditLedger } from '../src/credits/audit.ts';
import { deleteExpiredWords } from '../src/generations/retention.ts';
import { deleteExpiredUploads } from '../src/media/retention.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { readConfig } from '../src/config.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makePicture,
  makeRedo,
  makeUser,
  redo,
  submit,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { expectProblem } from './wire.ts';

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const HOUR_MS = 3_600_000;

let app: TestApp;
let hosted: TestApp;
let user: TestUser;
beforeAll(async () => {
  [app, hosted] = await Promise.all([startTestApp({}, clock, 'built-in'), startTestApp()]);
});
afterAll(() => Promise.all([app.close(), hosted.close()]));
beforeEach(async () => {
  aheadMs = 0;
  app.provider.behave({ polls: 0 });
  user = await makeUser(app, { credits: 5 });
});

const SCENE = { tool: 'text-to-image', prompt: 'on marble' };
const MARKS = { box: [0.1, 0.2, 0.8, 0.9], keep: [[0.4, 0.5, 0.02]] };
const succeed = async (options: Parameters<typeof makeGeneration>[1] = {}) =>
  waitForEnd(user, (await makeGeneration(user, options)).id);
const read = (id: string) => user.get<Generation>(`/api/v1/generations/${id}`);
const lastInput = () => app.provider.submits.at(-1)?.input;

describe('a redo', () => {
  it('makes another variant of the same input free of charge', async () => {
    const first = await succeed(SCENE);
    expect(first).toMatchObject({
      cost: 1,
      redoOf: null,
      redosLeft: 3,
      returned: false,
      input: { prompt: 'on marble' },
    });
    const firstInput = lastInput();
    const answer = await redo(user, first.id);
    expect(answer.status).toBe(202);
    const accepted = (await answer.json()) as Generation;
    expect(accepted).toMatchObject({
      tool: 'text-to-image',
      status: 'queued',
      cost: 0,
      redoOf: first.id,
      redosLeft: 2,
    });
    expect(answer.headers.get('location')).toBe(`/api/v1/generations/${accepted.id}`);
    expect(await waitForEnd(user, accepted.id)).toMatchObject({
      status: 'succeeded',
      refunded: false,
      redosLeft: 2,
    });
    expect(firstInput).not.toHaveProperty('seed');
    expect(lastInput()).toEqual({ ...firstInput, seed: expect.any(Number) as number });
    expect((await user.ledger()).map(({ reason }) => reason)).toEqual(['debit', 'adjustment']);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('has another seed each time, and the same one for the same picture, words and count', async () => {
    const image = await makePicture();
    const same = { ...SCENE, image };
    const seeds: unknown[] = [];
    for (const first of [await succeed(same), await succeed(same)]) {
      for (const _ of [1, 2]) {
        await makeRedo(user, first.id);
        seeds.push(lastInput()?.['seed']);
      }
    }
    expect(seeds[0]).not.toBe(seeds[1]);
    expect(seeds.slice(2)).toEqual(seeds.slice(0, 2));
  });

  it('has none of the 20 looks that the built-in engine gives its four variants and other redos', async () => {
    const image = await makePicture();
    const seeds: number[] = [];
    const note = () => seeds.push(Number(lastInput()?.['seed']));
    for (const variant of ['1', '2', '3']) {
      await succeed({ ...SCENE, image, variant });
      note();
    }
    const first = await succeed({ ...SCENE, image });
    for (const _ of [1, 2, 3]) {
      await makeRedo(user, first.id);
      note();
    }
    expect(new Set(seeds.map((seed) => seed % 20)).size).toBe(6);
    expect(new Set(seeds.slice(3).map((seed) => seed % 5)).size, 'views of redos').toBe(3);
    expect(new Set(seeds.slice(3).map((seed) => seed % 4)).size, 'lights of redos').toBe(3);
  });

  it('is counted over all redos of the first, and is refused when none is left', async () => {
    const first = await succeed(SCENE);
    const second = await makeRedo(user, first.id);
    const third = await makeRedo(user, second.id, { prompt: 'on oak' });
    expect(third).toMatchObject({ redoOf: first.id, redosLeft: 1, input: { prompt: 'on oak' } });
    await makeRedo(user, third.id);
    expect(lastInput()).toMatchObject({ prompt: 'on oak' });
    for (const { id } of [first, second, third]) {
      await expectProblem(await redo(user, id), 'redo_not_possible');
      expect((await read(id)).redosLeft).toBe(0);
    }
  });

  it('that fails or is canceled does not count, and gives nothing back', async () => {
    const first = await succeed();
    app.provider.behave({ polls: 0, result: () => ({ body: {} }) });
    expect(await makeRedo(user, first.id)).toMatchObject({ status: 'failed', refunded: false, redosLeft: 0 });
    app.provider.behave({ polls: 1_000_000 });
    const { id } = (await (await redo(user, first.id)).json()) as Generation;
    await waitUntil(
      () => read(id),
      ({ status }) => status === 'running',
    );
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'canceled', refunded: false });
    expect((await read(first.id)).redosLeft).toBe(3);
    expect(await user.credits()).toBe(4);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('is accepted once of twenty concurrent ones if one is left', async () => {
    const first = await succeed();
    await makeRedo(user, first.id);
    await makeRedo(user, first.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => redo(user, first.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('repeats its first answer for the same key, and refuses another payload', async () => {
    const first = await succeed(SCENE);
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => redo(user, first.id, { prompt: 'on oak' }, key)));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
    await expectProblem(await redo(user, first.id, { prompt: 'on slate' }, key), 'idempotency_key_reused');
    expect((await read(first.id)).redosLeft).toBe(2);
  });

  it('keeps the seed, and so the scene, if only the product is moved or marked', async () => {
    const first = await succeed(SCENE);
    const seedOf = async (id: string, change?: object) => {
      const { id: redoId } = await makeRedo(user, id, change);
      return { id: redoId, seed: lastInput()?.['seed'] };
    };
    const moved = await seedOf(first.id, { placement: { x: 0.3 } });
    expect(moved.seed).toBeUndefined();
    const other = await seedOf(moved.id);
    expect(other.seed).toEqual(expect.any(Number));
    expect((await seedOf(other.id, { marks: MARKS, placement: { x: 0.7 } })).seed).toBe(other.seed);
  });

  it('takes marks on a cut-out to the engine', async () => {
    const first = await succeed({ marks: MARKS });
    expect(lastInput()).toMatchObject({ marks: MARKS });
    expect(first.input).toEqual({});
    const drop = { drop: [[0.05, 0.92, 0.03]] };
    await makeRedo(user, first.id, { marks: drop });
    expect(lastInput()).toMatchObject({ marks: drop });
    await makeRedo(user, first.id);
    expect(lastInput()).toMatchObject({ marks: MARKS });
  });

  it.each([
    [{ marks: { box: [0.8, 0, 0.1, 1] } }, 'marks_invalid'],
    [{ marks: null }, 'marks_invalid'],
    [{ marks: {} }, 'marks_invalid'],
    [{ prompt: 'on oak' }, 'unknown_field'],
    [{ image: 'x' }, 'unknown_field'],
    [JSON.parse('{"__proto__":{}}') as object, 'unknown_field'],
  ])('of a cut-out refuses %j', async (change, code) => {
    const first = await succeed();
    await expectProblem(await redo(user, first.id, change), code as ErrorCode);
  });

  it.each(['null', '[]', '1', 'true', '"on oak"'])('refuses %s in place of fields', async (body) => {
    const first = await succeed();
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const path = `/api/v1/generations/${first.id}/redo`;
    await expectProblem(await user.fetch(path, { method: 'POST', headers, body }), 'malformed_request');
  });

  it('takes as many marks as fit into 64 KiB, where other words have 16', async () => {
    const dots = Array.from({ length: 2000 }, (_, at) => [0.123456, at / 2000, 0.012345]);
    expect(JSON.stringify({ keep: dots }).length).toBeGreaterThan(40_000);
    expect((await submit(user, { marks: { keep: dots } })).status).toBe(202);
    await expectProblem(await submit(user, { marks: { keep: dots, drop: dots } }), 'body_too_large');
    await expectProblem(await submit(user, { ...SCENE, prompt: 'x'.repeat(16_385) }), 'body_too_large');
  });

  it('of a scene refuses marks of a garment, an empty description and one that is too long', async () => {
    const first = await succeed(SCENE);
    await expectProblem(await redo(user, first.id, { garmentMarks: MARKS }), 'unknown_field');
    await expectProblem(await redo(user, first.id, { prompt: ' \u200b' }), 'prompt_required');
    await expectProblem(await redo(user, first.id, { prompt: 'on\u0000 marble' }), 'prompt_required');
    await expectProblem(await redo(user, first.id, { prompt: 7 }), 'prompt_required');
    await expectProblem(await redo(user, first.id, { prompt: 'x'.repeat(2001) }), 'prompt_too_long');
    await expectProblem(await redo(user, first.id, []), 'malformed_request');
  });

  it('needs a key, an own generation, and one that succeeded', async () => {
    const first = await succeed();
    const path = `/api/v1/generations/${first.id}/redo`;
    await expectProblem(await user.fetch(path, { method: 'POST' }), 'idempotency_key_required');
    const other = await makeUser(app);
    await expectProblem(await redo(other, first.id), 'not_found');
    app.provider.behave({ polls: 1_000_000 });
    const running = await makeGeneration(user);
    await expectProblem(await redo(user, running.id), 'redo_not_possible');
    await user.fetch(`/api/v1/generations/${running.id}/cancel`, { method: 'POST' });
    await waitForEnd(user, running.id);
    await expectProblem(await redo(user, running.id), 'redo_not_possible');
    expect((await read(running.id)).redosLeft).toBe(0);
  });

  it('ends with a day, and with its upload', async () => {
    const [young, old] = [await succeed(), await succeed()];
    aheadMs = 25 * HOUR_MS;
    await expectProblem(await redo(user, old.id), 'redo_not_possible');
    expect(await read(old.id)).toMatchObject({ redosLeft: 0, input: {} });
    aheadMs = 0;
    await sql`update uploads set deleted_at = now() where generation_id = ${young.id}`.execute(app.db);
    await expectProblem(await redo(user, young.id), 'redo_not_possible');
    expect(await read(young.id)).toMatchObject({ redosLeft: 0, input: null });
    const media = await user.get<Media>(`/api/v1/media/${young.result?.mediaId}`);
    expect(media).toMatchObject({ input: null, photoName: null });
  });

  it('keeps no words longer than the pictures', async () => {
    const first = await succeed(SCENE);
    aheadMs = 49 * HOUR_MS;
    expect((await read(first.id)).input).toBeNull();
  });

  it('counts as a running generation', { tags: ['slow'] }, async () => {
    const busy = await makeUser(app, { credits: 20 });
    const first = await waitForEnd(busy, (await makeGeneration(busy)).id);
    app.provider.behave({ polls: 1_000_000 });
    const many = await Promise.all(Array.from({ length: 10 }, () => makeGeneration(busy)));
    await expectProblem(await redo(busy, first.id), 'too_many_generations');
    app.provider.behave({ polls: 0 });
    for (const { id } of many) await waitForEnd(busy, id);
  });

  it('leaves files, ledger and generations in order', async () => {
    const first = await succeed();
    await makeRedo(user, first.id);
    const config = readConfig(app.environment);
    const library = {
      db: app.db,
      storage: await openStorage(config),
      clock,
      ttlSeconds: 172_800,
      maxStorageBytes: undefined,
    };
    expect(await findViolations(library)).toEqual([]);
    aheadMs = 49 * HOUR_MS;
    expect(await deleteExpiredUploads(library)).toBeGreaterThan(0);
  });
});

describe('what was understood of the words', () => {
  const words = { understood: ['marmor', 'warmes licht'], not_drawn: ['samtsofa'] };
  const answerWith = (of: TestApp, fields: object) =>
    of.provider.behave({ polls: 0, result: (_job, url) => ({ body: { images: [{ url }], ...fields } }) });

  it('is in the result as the engine reported it, and is deleted with the words', async () => {
    answerWith(app, words);
    const made = await succeed(SCENE);
    expect(made.result).toMatchObject({ understood: words.understood, notDrawn: words.not_drawn });
    answerWith(app, { understood: [], not_drawn: [] });
    expect((await succeed(SCENE)).result).toMatchObject({ understood: [], notDrawn: [] });
    answerWith(app, { understood: 'all of it' });
    expect((await succeed(SCENE)).result).not.toHaveProperty('understood');
    const config = readConfig(app.environment);
    aheadMs = 49 * HOUR_MS;
    const library = {
      db: app.db,
      storage: await openStorage(config),
      clock,
      ttlSeconds: 172_800,
      maxStorageBytes: undefined,
    };
    await deleteExpiredWords(library);
    const kept = await sql`select 1 from generations where understood is not null or not_drawn is not null`.execute(
      app.db,
    );
    expect(kept.rows).toEqual([]);
  });

  it('uses the product’s placement', async () => {
    const placement = { x: 0.5, y: 0.81, scale: 1, rotate: 0, size: 0.7, box: [0.3, 0.2, 0.7, 0.8] };
    answerWith(app, { ...words, placement });
    expect((await succeed(SCENE)).result).toMatchObject({ placement });
    answerWith(app, { ...words, placement: { x: 'left' } });
    expect((await succeed(SCENE)).result).not.toHaveProperty('placement');
  });

  it('is not accepted from a hosted provider', async () => {
    answerWith(hosted, words);
    const person = await makeUser(hosted, { credits: 1 });
    const made = await waitForEnd(person, (await makeGeneration(person, SCENE)).id);
    expect(made.result).not.toHaveProperty('understood');
    hosted.provider.behave({});
  });
});

describe('at a hosted provider', () => {
  it('there are no marks and no free redos, unless the operator gives some', { tags: ['slow'] }, async () => {
    const person = await makeUser(hosted, { credits: 3 });
    await expectProblem(await submit(person, { marks: MARKS }), 'unknown_field');
    const first = await waitForEnd(person, (await makeGeneration(person)).id);
    expect(first.redosLeft).toBe(0);
    await expectProblem(await redo(person, first.id), 'redo_not_possible');
    const generous = await startTestApp({ FREE_REDOS: '1' });
    const lucky = await makeUser(generous, { credits: 1 });
    const made = await waitForEnd(lucky, (await makeGeneration(lucky, { ...SCENE })).id);
    expect(await makeRedo(lucky, made.id)).toMatchObject({ status: 'succeeded', redosLeft: 0 });
    await generous.close();
  });

  it('the list of tools says what the engine takes, and what a provider takes', async () => {
    const remover = async (of: TestApp) =>
      ((await (await fetch(`${of.url}/api/v1/tools`)).json()) as ToolList).items.find(({ id }) => id === 'remover');
    expect((await remover(app))?.fields).toMatchObject([
      { name: 'image', minSide: 64, maxSide: 16_384, maxRatio: 8 },
      { name: 'marks', type: 'marks', required: false },
    ]);
    expect((await remover(hosted))?.fields).toMatchObject([{ name: 'image', minSide: 16, maxRatio: 1024 }]);
  });
});
