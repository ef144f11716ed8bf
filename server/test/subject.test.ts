import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errors } from '@plinth/contract/errors';
import { type Subject, subjectSchema } from '@plinth/contract/marks';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineProcess, startEngine } from '../src/platform/machine/engine-process.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeKey, makeUser, submit, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let hosted: TestApp;
let user: TestUser;
let engine: EngineProcess;
const engineDir = mkdtempSync(join(tmpdir(), 'plinth-subject-'));
const REPOSITORY = resolve(import.meta.dirname, '..', '..');
const TRANSPARENT = 'This picture is fully transparent. Please try another file.';
const readReal = (name: string) => readFile(join(REPOSITORY, 'engine', 'quality', 'pictures', 'real', `${name}.jpg`));

beforeAll(async () => {
  [app, hosted] = await Promise.all([
    startTestApp({}, undefined, 'built-in', async () => engine.baseUrl),
    startTestApp({}),
  ]);
  engine = await startEngine({
    repositoryDir: REPOSITORY,
    dataDir: engineDir,
    key: readOrMakeSecrets(app.dataDir).engineKey,
    environment: { ENGINE_WORKERS: '1' },
    log: createLog('error'),
  });
  user = await makeUser(app, { credits: 60 });
});
afterAll(async () => {
  await Promise.all([engine.stop(), app.close(), hosted.close()]);
  rmSync(engineDir, { recursive: true, force: true });
});

function ask(
  image: Uint8Array,
  marks?: object | string | Blob,
  person: Pick<TestUser, 'fetch'> = user,
): Promise<Response> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'photo.jpg');
  if (marks instanceof Blob) form.set('marks', marks, 'marks.json');
  else if (marks !== undefined) form.set('marks', typeof marks === 'string' ? marks : JSON.stringify(marks));
  return person.fetch('/api/v1/subject', { method: 'POST', body: form });
}

async function askFor(image: Uint8Array, marks?: object): Promise<Subject> {
  const answer = await ask(image, marks);
  expect(answer.status).toBe(200);
  return subjectSchema.strict().parse(await answer.json());
}

describe('asking first', { timeout: 60_000 }, () => {
  it('is sure of one thing, with its box and an outline along it; nothing is paid or kept', async () => {
    const photo = await readReal('thing-20');
    const { sure, box, outline } = await askFor(photo);
    expect(sure).toBe(true);
    const [left, top, right, bottom] = box!;
    expect(right - left).toBeGreaterThan(0.4);
    expect(outline!.length).toBeGreaterThan(50);
    for (const [x, y] of outline!) {
      expect(x >= left && x <= right && y >= top && y <= bottom).toBe(true);
    }
    expect((await user.ledger()).length).toBe(1);
    expect((await ask(photo, undefined, await makeKey(app, user))).status, 'with a key').toBe(200);
  });

  it('is not sure of a shelf, and of a candidate that a person takes it makes a sure one', async () => {
    const shelf = await readReal('shelf-02');
    const { sure, box } = await askFor(shelf);
    expect(sure).toBe(false);
    expect(box).not.toBeNull();
    expect((await askFor(shelf, { box })).sure).toBe(true);
  });

  it('says that nothing is left where marks leave nothing, and where nothing is', async () => {
    const nothing = { sure: false, box: null, outline: null };
    expect(await askFor(await readReal('thing-20'), { drop: [[0.5, 0.5, 1]] })).toEqual(nothing);
    const grey = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#999' } })
      .jpeg()
      .toBuffer();
    expect(await askFor(grey)).toEqual(nothing);
  });

  it('refuses what the tools refuse, and strangers', async () => {
    const photo = await readReal('thing-20');
    await expectProblem(await ask(photo, '{}'), 'marks_invalid');
    const file = new Blob([JSON.stringify({ box: [0.1, 0.1, 0.9, 0.9] })], { type: 'application/json' });
    await expectProblem(await ask(photo, file), 'marks_invalid');
    await expectProblem(await ask(Buffer.from('no picture at all')), 'image_unreadable');
    await expectProblem(await ask(Buffer.alloc(0)), 'image_read_failed');
    const tiny = await sharp(photo).resize(40, 40).jpeg().toBuffer();
    await expectProblem(await ask(tiny), 'image_unreadable', 'Use a picture of at least 64 pixels on each side.');
    for (const [width, height] of [
      [900, 100],
      [100, 900],
      [20_000, 100],
    ] as const)
      await expectProblem(
        await ask(await sharp(photo).resize(width, height, { fit: 'fill' }).jpeg().toBuffer()),
        'image_unreadable',
        errors.image_unreadable.detail,
      );
    const clear = await sharp(photo).ensureAlpha(0).png().toBuffer();
    const before = await user.credits();
    for (const tool of ['remover', 'basic-image-to-video'])
      await expectProblem(
        await submit(user, { tool, image: clear, type: 'image/png' }),
        'image_unreadable',
        TRANSPARENT,
      );
    expect(await user.credits()).toBe(before);
    const empty = await user.fetch('/api/v1/subject', { method: 'POST', body: new FormData() });
    expect(empty.status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${app.url}/api/v1/subject`, { method: 'POST' })).status).toBe(401);
  });

  it('cannot be done where a provider serves every tool', async () => {
    const other = await makeUser(hosted);
    const refusal = await ask(await readReal('thing-20'), undefined, other);
    await expectProblem(refusal, 'subject_unavailable');
    expect(refusal.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('a generation that was refused because no one thing could be told', () => {
  const refuse = (candidate: object | undefined) =>
    app.provider.behave({
      submit: (response) => {
        const line = { kind: 'refused', field: 'image_url', message: 'Show us.', candidate };
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(line)}\n`);
        return true;
      },
    });
  const makeRefused = async (candidate: object | undefined) => {
    refuse(candidate);
    const made = await waitForEnd(user, (await makeGeneration(user)).id);
    app.provider.behave({});
    return made;
  };

  it('carries the box of what it may be, or null where nothing was found', async () => {
    const box = [0.1, 0.2, 0.8, 0.9];
    const made = await makeRefused({ box });
    expect(made).toMatchObject({ status: 'failed', refunded: true, error: { code: 'provider_rejected' } });
    expect(made.candidate).toEqual({ box });
    expect(await makeRefused({ box: null })).toHaveProperty('candidate', null);
  });

  it('and no other', async () => {
    expect(await makeRefused(undefined)).not.toHaveProperty('candidate');
    const made = await waitForEnd(user, (await makeGeneration(user)).id);
    expect(made.status).toBe('succeeded');
    expect(made).not.toHaveProperty('candidate');
  });
});

describe('what a person shows on a picture', () => {
  const box = [0, 0, 1, 1];
  it('reaches the engine by the names of its skills, with a seed for a variant', async () => {
    const marks = { box };
    const sent = async (tool: string, options: object = {}) => {
      const made = await submit(user, { tool, prompt: 'on marble', marks, ...options });
      expect(made.status).toBe(202);
      await waitForEnd(user, ((await made.json()) as { id: string }).id);
      return app.provider.submits.at(-1)?.input;
    };
    const placement = '{"x":0.3,"scale":2}';
    expect(await sent('text-to-image', { placement, variant: '3' })).toMatchObject({
      marks,
      placement: { x: 0.3, scale: 2 },
      seed: expect.any(Number) as number,
    });
    expect(await sent('text-to-image', { placement: '', variant: '' })).not.toHaveProperty('seed');
    expect(await sent('dress-change')).toMatchObject({ garment_marks: marks });
    expect(await sent('basic-image-to-video')).toMatchObject({ marks });
    expect(await sent('image-to-video')).toMatchObject({ marks });
  });

  it.each(['{"x":1.1}', '{"scale":0.2}', '{"rotate":46}', '{"z":1}', '[]', 'no json', `{"x":0.5${' '.repeat(1024)}}`])(
    'is no placement: %s',
    async (placement) => {
      const refusal = await submit(user, { tool: 'text-to-image', prompt: 'on marble', placement });
      await expectProblem(refusal, 'placement_invalid');
    },
  );

  it.each(['10', '-1', 'x', '1.5'])('is no variant: %s', async (variant) => {
    const refusal = await submit(user, { tool: 'text-to-image', prompt: 'on marble', variant });
    await expectProblem(refusal, 'invalid_option');
  });

  it('is unknown where a provider serves the tool; a variant is not', async () => {
    const other = await makeUser(hosted, { credits: 3 });
    const scene = { tool: 'text-to-image', prompt: 'on marble' };
    await expectProblem(await submit(other, { ...scene, placement: '{}' }), 'unknown_field');
    await expectProblem(await submit(other, { ...scene, marks: { box } }), 'unknown_field');
    expect((await submit(other, { ...scene, variant: '2' })).status).toBe(202);
  });

  it('may be changed by a redo, and an empty placement takes the first one away', async () => {
    const made = await submit(user, { tool: 'text-to-image', prompt: 'on marble', placement: '{"x":0.2}' });
    const { id } = await waitForEnd(user, ((await made.json()) as { id: string }).id);
    const redo = async (body: object) => {
      const answer = await user.fetch(`/api/v1/generations/${id}/redo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(202);
      await waitForEnd(user, ((await answer.json()) as { id: string }).id);
      return app.provider.submits.at(-1)?.input;
    };
    expect(await redo({ marks: { box } })).toMatchObject({ placement: { x: 0.2 }, marks: { box } });
    expect(await redo({ placement: { y: 0.9 } })).toMatchObject({ placement: { y: 0.9 } });
    expect(await redo({ placement: '' })).not.toHaveProperty('placement');
  });
});
