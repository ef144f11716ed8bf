/** @module-tag slow */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Generation } from '@plinth/contract/generations';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { openDatabase } from '../src/platform/data/db.ts';
import { findRunningPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { type Disk, mountDisk, removeDisk, resizeDisk } from './disk.ts';
import { postJson, readCookie, waitUntil } from './makers.ts';
import { startEnvironment } from './product.ts';
import { freePort } from './wire.ts';

const MAIN = resolve(import.meta.dirname, '..', 'src', 'main.ts');

/** A picture from which a video can be made. */
const drawCup = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640"><rect width="640" height="640" fill="#e8e4dc"/>' +
        '<rect y="430" width="640" height="210" fill="#c9b79c"/><rect x="220" y="200" width="200" height="290" rx="30" fill="#a3231b"/>' +
        '<circle cx="440" cy="330" r="60" fill="none" stroke="#a3231b" stroke-width="26"/></svg>',
    ),
  )
    .jpeg()
    .toBuffer();

describe('the product on one machine, with embedded Postgres and engine, on a disk that fills up', () => {
  let disk: Disk;
  let product: ChildProcess;
  let url: string;
  let cookie: string;
  let complaints = '';
  beforeAll(async () => {
    disk = mountDisk();
    if (!disk.isMounted) return;
    const port = await freePort();
    url = `http://localhost:${port}`;
    product = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: disk.folder,
      env: {
        ...startEnvironment(),
        PORT: String(port),
        DATA_DIR: disk.folder,
        AUTH_EMAIL_SIGNUP: 'true',
        SIGNUP_CREDITS: '10',
        SWEEP_INTERVAL_SECONDS: '2',
        RATE_LIMIT_SCALE: '1000',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    product.stderr?.on('data', (text: Buffer) => (complaints += text.toString()));
    await waitUntil(readReady, (status) => status === 200, 60_000);
    const answer = await postJson(`${url}/api/v1/auth/sign-up`, {
      email: 'ann@example.com',
      password: 's3cret-enough',
    });
    cookie = readCookie(answer);
  });
  afterAll(async () => {
    if (disk.isMounted) {
      const gone = new Promise((done) => product.once('exit', done));
      product.kill('SIGTERM');
      await gone;
    }
    removeDisk(disk);
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { cookie, ...(init.headers as Record<string, string>) } });
  const readReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status;
  const readCredits = async () => ((await (await ask('/api/v1/credits')).json()) as { credits: number }).credits;
  const submit = async () => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(await drawCup())], { type: 'image/jpeg' }), 'photo.jpg');
    return ask('/api/v1/tools/basic-image-to-video/generations', {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
      body: form,
    });
  };
  const readGeneration = async (id: string) => (await (await ask(`/api/v1/generations/${id}`)).json()) as Generation;
  const databaseUrl = () => {
    const { postgresPassword } = JSON.parse(readFileSync(join(disk.folder, 'secrets.json'), 'utf8')) as {
      postgresPassword: string;
    };
    return findRunningPostgres(join(disk.folder, 'postgres'), postgresPassword) ?? '';
  };

  it('refuses clearly, loses nothing, and is well again by itself when there is room', async ({ skip }) => {
    skip(!disk.isMounted, 'whoever runs this may mount nothing');
    const accepted = await submit();
    expect(accepted.status, await accepted.clone().text()).toBe(202);
    const { id } = (await accepted.json()) as Generation;
    await waitUntil(
      () => readGeneration(id),
      ({ status }) => status === 'running',
      60_000,
    );

    const { folder } = disk;
    const filler = join(folder, 'filler');
    expect(spawnSync('sh', ['-c', `cat /dev/zero > ${filler}`]).status, 'the disk is full').not.toBe(0);
    expect(await readReady()).toBe(503);
    expect((await submit()).status).toBe(507);
    // The next file of the write-ahead log does not fit: Postgres exits and cannot restart.
    const client = new pg.Client({ connectionString: databaseUrl() });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('select pg_switch_wal()').catch(() => undefined);
    await client.query(`select pg_logical_emit_message(true, 'x', repeat('x', 20000000))`).catch(() => undefined);
    await client.end().catch(() => undefined);

    const statuses = new Set<number>();
    const end = performance.now() + 8000;
    while (performance.now() < end) {
      const words = { email: 'ann@example.com', password: 's3cret-enough' };
      for (const answer of [
        await postJson(`${url}/api/v1/auth/sign-in`, words),
        await ask('/api/v1/credits'),
        await submit(),
      ]) {
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    expect([...statuses].filter((status) => ![200, 503, 507].includes(status))).toEqual([]);
    expect(statuses.has(503) || statuses.has(507)).toBe(true);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(product.exitCode).toBeNull();

    rmSync(filler);
    const readState = async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      const { bavail, bsize } = await statfs(folder);
      return {
        status: answer?.status,
        said: await answer?.text(),
        free: bavail * bsize,
        processes: spawnSync('sh', [
          '-c',
          `ps -eo pid,ppid,stat,wchan:20,etimes,args | grep -F ${folder} | grep -v grep; ps -eo pid,ppid,stat,wchan:20,etimes,args | grep 'postgres:' | grep -v grep | tail -30`,
        ]).stdout.toString(),
        complaints: complaints
          .split('\n')
          .filter((line) => line.includes('embedded Postgres'))
          .slice(-12),
      };
    };
    await waitUntil(readState, ({ status }) => status === 200, 90_000);
    const generation = await waitUntil(
      () => readGeneration(id),
      ({ status }) => status === 'succeeded' || status === 'failed',
      60_000,
    );
    expect(await readCredits()).toBe(generation.status === 'succeeded' ? 8 : 10);
    const again = (await (await submit()).json()) as Generation;
    const second = await waitUntil(
      () => readGeneration(again.id),
      ({ status }) => status === 'succeeded' || status === 'failed',
      60_000,
    );
    expect(second, complaints.slice(-2000)).toMatchObject({ status: 'succeeded' });
    const database = openDatabase(databaseUrl());
    expect(await auditLedger(database.db)).toEqual([]);
    await database.close();
  }, 240_000);
});

describe('the product, when it starts on a disk that is full', () => {
  let disk: Disk;
  beforeAll(() => {
    disk = mountDisk();
    if (disk.isMounted) writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(8192));
  });
  afterAll(() => removeDisk(disk));

  it.for([
    ['already', 8192],
    ['after its lock and secrets', 16_384],
    ['while the database is made', 20_480],
    ['while the database starts', 204_800],
  ] as const)('names the folder in one sentence: %s', ([_when, size], { skip }) => {
    skip(!disk.isMounted, 'whoever runs this may mount nothing');
    expect(resizeDisk(disk, String(size))).toBe(true);
    const ended = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: disk.folder,
      env: { ...startEnvironment(), PORT: '0', DATA_DIR: disk.folder },
      timeout: 50_000,
      encoding: 'utf8',
    });
    expect([ended.status, ended.stderr]).toEqual([
      1,
      `The data folder ${disk.folder} cannot be used: the disk is full. Correct that, or set DATA_DIR to another one.\n`,
    ]);
    for (const left of ['postgres', 'tmp', 'secrets.json', 'instance.lock'])
      rmSync(join(disk.folder, left), { recursive: true, force: true });
  });
});
