import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePicture, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem } from './wire.ts';

type Listed = { items: { id: string; name: string; imageUrl: string }[]; nextCursor: null };
const ROUTE = '/api/v1/headshot-models';

describe('the stock portraits we ship', () => {
  let app: TestApp;
  let user: TestUser;
  beforeAll(async () => {
    app = await startTestApp();
    user = await makeUser(app);
  });
  afterAll(() => app.close());

  it('are listed for who is signed in, with ids that do not count and pictures that are there', async () => {
    const { items, nextCursor } = await user.get<Listed>(ROUTE);
    expect(items.length).toBeGreaterThanOrEqual(7);
    expect(nextCursor).toBeNull();
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { id, name, imageUrl } of items) {
      expect(id).toMatch(/^mdl_[\w-]{22}$/);
      expect(name).toMatch(/\w/);
      const picture = await fetch(`${app.url}${imageUrl}`);
      expect(picture.status).toBe(200);
      expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const { format, width = 0 } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
      expect(picture.headers.get('content-type')).toBe(`image/${format}`);
      expect(width).toBeGreaterThan(400);
    }
  });

  it('are nobody else’s business', async () => {
    await expectProblem(await fetch(`${app.url}${ROUTE}`), 'authentication_required');
  });

  it('lead to no other file', async () => {
    for (const name of [
      'models.json',
      'README.md',
      '..%2fmodels.json',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      'studio-1.jpg',
    ])
      expect((await fetch(`${app.url}/assets/headshot-models/${name}`)).status, name).toBe(404);
  });
});

describe('a folder of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-portraits-'));
  const write = (list: unknown) => writeFileSync(join(folder, 'models.json'), JSON.stringify(list));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the place of ours; what is broken or missing in it is left out', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'ada.png'),
      await sharp(await makePicture(300, 400))
        .png()
        .toBuffer(),
    );
    writeFileSync(join(folder, 'bad.jpg'), 'no picture');
    write([
      { file: 'ada.png', name: 'Ada' },
      { file: 'bad.jpg', name: 'Bad' },
      { file: 'gone.jpg', name: 'Gone' },
      { file: 'large.jpg', name: 'Large' },
    ]);
    writeFileSync(join(folder, 'large.jpg'), Buffer.alloc(12 * 1024 * 1024 + 1));
    const app = await startTestApp({ HEADSHOT_MODELS_DIR: folder, LOG_LEVEL: 'error' });
    try {
      const user = await makeUser(app);
      const { items } = await user.get<Listed>(ROUTE);
      expect(items.map(({ name }) => name)).toEqual(['Ada']);
      const picture = await fetch(`${app.url}${items[0]?.imageUrl}`);
      expect(picture.headers.get('content-type')).toBe('image/png');
    } finally {
      await app.close();
    }
  });

  it('without a list is not there for a moment, and is once it has one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'plinth-portraits-'));
    let now = Date.now();
    const app = await startTestApp({ HEADSHOT_MODELS_DIR: empty }, { now: () => new Date(now) });
    try {
      const user = await makeUser(app);
      await expectProblem(await user.fetch(ROUTE), 'temporarily_unavailable');
      writeFileSync(join(empty, 'models.json'), '[]');
      now += 31_000;
      expect((await user.get<Listed>(ROUTE)).items).toEqual([]);
    } finally {
      await app.close();
      rmSync(empty, { recursive: true, force: true });
    }
  });

  it('may change while a headshot is being made: what is finished is kept, what is not begun fails and is refunded', async () => {
    writeFileSync(
      join(folder, 'ada.png'),
      await sharp(await makePicture(300, 400))
        .png()
        .toBuffer(),
    );
    write([{ file: 'ada.png', name: 'Ada' }]);
    const app = await startTestApp({ HEADSHOT_MODELS_DIR: folder, LOG_LEVEL: 'error' });
    try {
      const user = await makeUser(app, { credits: 2 });
      let isDone = false;
      app.provider.behave({ status: () => ({ body: { status: isDone ? 'COMPLETED' : 'IN_PROGRESS' } }) });
      const running = await makeGeneration(user, { tool: 'headshot-generator' });
      await waitUntil(
        async () => app.provider.submits[0]?.polls ?? 0,
        (polls) => polls > 0,
      );
      rmSync(join(folder, 'ada.png'));
      isDone = true;
      expect((await waitForEnd(user, running.id)).status).toBe('succeeded');
      const late = await waitForEnd(user, (await makeGeneration(user, { tool: 'headshot-generator' })).id);
      expect(late).toMatchObject({ status: 'failed', refunded: true });
      expect(app.provider.submits).toHaveLength(1);
      expect(await user.credits()).toBe(1);
    } finally {
      await app.close();
    }
  });

  it.each([
    ['a path that leaves the folder', [{ file: '../secret.jpg', name: 'x' }]],
    ['no list at all', { items: [] }],
  ])('with %s is refused as a whole, and says so', async (_what, list) => {
    write(list);
    const app = await startTestApp({ HEADSHOT_MODELS_DIR: folder, LOG_LEVEL: 'error' });
    try {
      await expectProblem(await (await makeUser(app)).fetch(ROUTE), 'temporarily_unavailable');
    } finally {
      await app.close();
    }
  });
});
