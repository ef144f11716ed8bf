import { renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '@plinth/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minFreeBytes } from '../src/platform/machine/disk.ts';
import { makeHttp } from '../src/platform/http/http.ts';
import { createLog } from '../src/platform/log.ts';
import { startTestApp, type TestApp } from './app.ts';
import { type Disk, mountDisk, removeDisk, resizeDisk } from './disk.ts';
import { makeGeneration, makeUser, submit, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem, filesBelow } from './wire.ts';

describe('a machine that is out of', () => {
  it.each<[what: string, code: string, refusal: ErrorCode]>([
    ['room', 'ENOSPC', 'storage_full'],
    ['its share of the room', 'EDQUOT', 'storage_full'],
    ['room for the database', '53100', 'storage_full'],
    ['descriptors', 'EMFILE', 'temporarily_unavailable'],
    ['descriptors for anybody', 'ENFILE', 'temporarily_unavailable'],
  ])('%s says so, once in the log and without details to the person', async (_what, code, refusal) => {
    const lines: string[] = [];
    const log = createLog('error', 'all', { write: (line) => void lines.push(line) });
    const http = await makeHttp({ log, trustProxyHops: 0, publicOrigin: undefined });
    http.get('/api/v1/x', () => Promise.reject(Object.assign(new Error(`${code}: /secret/place`), { code })));
    try {
      const answer = await fetch(`${await http.listen({ port: 0, host: '127.0.0.1' })}/api/v1/x`);
      await expectProblem(answer, refusal);
      expect(lines).toHaveLength(1);
    } finally {
      await http.close();
    }
  });
});

describe('a disk', () => {
  it.each([
    [1e9, 500e6],
    [10e9, 500e6],
    [40e9, 2e9],
    [4e12, 5e9],
  ])('of %d bytes counts as full below %d', (disk, least) => expect(minFreeBytes(disk)).toBe(least));
});

describe('a storage that is lost while work runs', () => {
  it('ends it as its own fault, with the credit back', { tags: ['slow'] }, async () => {
    const app = await startTestApp();
    const [files, lost] = ['files', 'lost'].map((name) => join(app.dataDir, name));
    try {
      const user = await makeUser(app, { credits: 1 });
      app.provider.behave({ polls: 20 });
      const running = await makeGeneration(user);
      await waitUntil(
        () => user.get<{ status: string }>(`/api/v1/generations/${running.id}`),
        ({ status }) => status === 'running',
      );
      renameSync(files!, lost!);
      writeFileSync(files!, '');
      expect(await waitForEnd(user, running.id)).toMatchObject({
        refunded: true,
        error: { code: 'storage_failed' },
      });
      expect(await user.credits()).toBe(1);
    } finally {
      rmSync(files!, { recursive: true });
      renameSync(lost!, files!);
      await app.close();
    }
  });
});

describe('while the disk is full', () => {
  let disk: Disk;
  let app: TestApp;
  let user: TestUser;
  beforeAll(async () => {
    disk = mountDisk();
    if (!disk.isMounted) return;
    app = await startTestApp({ DATA_DIR: disk.folder });
    user = await makeUser(app, { credits: 10 });
    await waitForEnd(user, (await makeGeneration(user)).id);
  });
  afterAll(async () => {
    if (disk.isMounted) await app.close();
    removeDisk(disk);
  });
  const resize = (size: string) => expect(resizeDisk(disk, size)).toBe(true);
  const readReady = async () => {
    const answer = await fetch(`${app.url}/readyz`);
    return [answer.status, ((await answer.json()) as { checks: { storage: string } }).checks.storage];
  };

  it('uploads are 507, cost nothing and leave nothing, running work is refunded, and all comes back alone', async ({
    skip,
  }) => {
    skip(!disk.isMounted, 'whoever runs this may mount nothing');
    const { folder } = disk;
    expect(await readReady()).toEqual([200, 'ok']);
    app.provider.behave({ polls: 20 });
    const running = await makeGeneration(user);
    await waitUntil(
      () => user.get<{ status: string }>(`/api/v1/generations/${running.id}`),
      ({ status }) => status === 'running',
    );
    const kept = filesBelow(folder);
    const { bsize, blocks, bfree } = statfsSync(folder);
    resize(String((blocks - bfree) * bsize));
    expect(await readReady()).toEqual([503, 'failed']);
    await expectProblem(await submit(user), 'storage_full');
    expect(await user.credits()).toBe(8);
    const failed = await waitForEnd(user, running.id);
    expect(failed).toMatchObject({ status: 'failed', refunded: true, error: { code: 'storage_failed' } });
    expect(await user.credits()).toBe(9);
    expect(filesBelow(folder)).toEqual(kept);
    resize('1g');
    expect(await readReady()).toEqual([200, 'ok']);
    app.provider.behave({});
    expect((await waitForEnd(user, (await makeGeneration(user)).id)).status).toBe('succeeded');
  });
});
