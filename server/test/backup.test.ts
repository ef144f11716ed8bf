import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Media } from '@plinth/contract/media';
import { sql } from 'kysely';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { makeBackup } from '../src/commands/backup.ts';
import { systemClock } from '../src/platform/clock.ts';
import { readDeletions } from '../src/platform/data/deletions.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import type { Storage } from '../src/platform/data/storage.ts';
import { type CommandRun, runAdmin, startAdmin } from './admin.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeDatabase } from './database.ts';
import {
  makeEndpoint,
  makeGeneration,
  makeKey,
  makeUser,
  postJson,
  returnResult,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';

let folder: string;
let app: TestApp;
let people: TestUser[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-backup-'));
  app = await startTestApp({ PROVIDER_POLL_SCALE: '0.2' });
  people = [await makeUser(app, { credits: 30 }), await makeUser(app, { credits: 30 })];
  for (const person of people) await waitForEnd(person, (await makeGeneration(person)).id);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

type Target = Awaited<ReturnType<typeof makeDatabase>> & { settings: Record<string, string>; storage: Storage };
const targets: Target[] = [];
afterAll(async () => {
  for (const target of targets) await target.drop();
});

/** A fresh installation: a migrated database and an empty data folder. */
async function makeTarget(more: Record<string, string> = {}): Promise<Target> {
  const database = await makeDatabase();
  const dataDir = mkdtempSync(join(folder, 'target-'));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...more };
  const target = { ...database, settings, storage: await openStorage({ DATA_DIR: dataDir, ...more }) };
  targets.push(target);
  return target;
}

const newFile = () => join(folder, `${randomBytes(6).toString('hex')}.zip`);
const backUp = (file: string) => runAdmin(app, ['backup', file, '--json']);
const restore = (file: string, target: Target, ...more: string[]) =>
  runAdmin(app, ['restore', file, '--json', ...more], target.settings);
const expectDone = ({ code, out, err }: CommandRun) => {
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Record<string, unknown>;
};
const expectRefused = ({ code, out, err }: CommandRun, wanted: number, sentence: RegExp) => {
  expect([code, out]).toEqual([wanted, '']);
  expect(err).toMatch(sentence);
  expect(err.trim().split('\n')).toHaveLength(1);
};

/** Every row of the tables with user data. */
async function readRows(db: TestApp['db']): Promise<unknown> {
  const tables = ['users', 'user_credits', 'credit_ledger', 'generations', 'uploads', 'generated_media', 'purchases'];
  const all: unknown[] = [];
  for (const table of tables) {
    const found = await sql`select to_jsonb(t) as row from ${sql.table(table)} t order by 1`.execute(db);
    all.push([table, found.rows]);
  }
  return all;
}

async function countUsers(target: Target): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from users`.execute(target.db);
  return found.rows[0]?.count ?? -1;
}

async function filesOf(storage: Storage): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { key } of storage.list()) {
    if (!/^(uploads|results)\//.test(key)) continue;
    const content = await storage.read(key);
    files.set(key, content === undefined ? '' : (await buffer(content)).toString('base64'));
  }
  return files;
}

const nameOf = async (target: Pick<Target, 'db'>) =>
  (await sql<{ id: string }>`select id from installation`.execute(target.db)).rows[0]?.id;
const ownerOf = async ({ storage }: Target) => {
  const written = await storage.read('plinth-installation.txt');
  return written && (await buffer(written)).toString();
};

describe('a backup', () => {
  it('holds rows and files of one moment while people go on, and comes back whole on another machine', async () => {
    let isDone = false;
    const busy = people.map(async (person) => {
      while (!isDone) await waitForEnd(person, (await makeGeneration(person)).id);
    });
    const file = newFile();
    const output = expectDone(await backUp(file));
    isDone = true;
    await Promise.all(busy);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);

    const target = await makeTarget();
    const restored = expectDone(await restore(file, target));
    expect(restored).toMatchObject({ violations: [], deletedAgain: 0, madeAt: output['madeAt'] });
    const moment = new Date(String(output['madeAt']));
    // The ledger up to that moment is identical, except for refunds of unfinished work. An entry has the time at which
    // its transaction began, so one committed after that moment may be slightly older.
    const ledger = async (db: TestApp['db'], before: Date) =>
      (await sql`select to_jsonb(l) as row from credit_ledger l where created_at < ${before} order by seq`.execute(db))
        .rows;
    const everything = await ledger(app.db, moment);
    const restoredRows = await ledger(target.db, moment);
    expect(everything).toEqual(expect.arrayContaining(restoredRows));
    expect(restoredRows).toEqual(expect.arrayContaining(await ledger(app.db, new Date(moment.getTime() - 5000))));
    expect(restoredRows.length).toBeGreaterThanOrEqual(everything.length - people.length);
    const [ours, theirs] = [await filesOf(await openStorage({ DATA_DIR: app.dataDir })), await filesOf(target.storage)];
    expect(theirs.size).toBeGreaterThanOrEqual(4);
    for (const [key, content] of theirs) expect(content).toBe(ours.get(key));
    // Its own name, so that neither sweep treats the other's storage as its own.
    expect(await ownerOf(target)).toBe(await nameOf(target));
    expect(await nameOf(target)).not.toBe(await nameOf(app));
  });

  it('ends what was on its way with its credits, and lets nobody stay signed in', { tags: ['slow'] }, async () => {
    const person = await makeUser(app, { credits: 5 });
    app.provider.behave({ polls: 1_000_000 });
    const { id } = await makeGeneration(person);
    await waitUntil(
      () => person.get<{ status: string }>(`/api/v1/generations/${id}`),
      ({ status }) => status === 'running',
    );
    const file = newFile();
    expectDone(await backUp(file));
    await person.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    app.provider.behave({});
    const target = await makeTarget();
    expect(expectDone(await restore(file, target))).toMatchObject({ generationsEnded: 1, violations: [] });
    const second = await startTestApp({ ...target.settings });
    try {
      expect((await fetch(`${second.url}/api/v1/credits`, { headers: { cookie: person.cookie } })).status).toBe(401);
      const entered = await postJson(`${second.url}/api/v1/auth/sign-in`, {
        email: person.email,
        password: person.password,
      });
      expect(entered.status).toBe(200);
      const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const get = async (path: string) => (await fetch(`${second.url}${path}`, { headers: { cookie } })).json();
      expect(await get('/api/v1/credits')).toEqual({ credits: 5 });
      expect(await get(`/api/v1/generations/${id}`)).toMatchObject({ status: 'failed' });
      expect(await get('/api/v1/credits/history')).toMatchObject({
        items: [{ reason: 'refund', balanceAfter: 5 }, { reason: 'debit' }, { reason: 'adjustment' }],
      });
    } finally {
      await second.close();
    }
  });

  it('leaves out what is past its time, and tolerates a file that is gone', { tags: ['slow'] }, async () => {
    const person = await makeUser(app, { credits: 2 });
    const { id } = await makeGeneration(person);
    await waitForEnd(person, id);
    const key = (
      await sql<{ key: string }>`select storage_path as key from generated_media where generation_id = ${id}`.execute(
        app.db,
      )
    ).rows[0]?.key;
    rmSync(join(app.dataDir, 'files', key ?? ''));
    const file = newFile();
    expect(expectDone(await backUp(file))).toMatchObject({ filesGone: 1 });
    await sql`update generated_media set deleted_at = now() where generation_id = ${id}`.execute(app.db);
    const target = await makeTarget();
    expect(expectDone(await restore(file, target))).toMatchObject({ violations: [] });
    const late = await makeTarget({ MEDIA_TTL_SECONDS: '1' });
    expect(expectDone(await restore(file, late))).toMatchObject({ files: 0, violations: [] });
    expect((await filesOf(late.storage)).size).toBe(0);
    const words = await sql`select 1 from generations where input <> '{}'`.execute(late.db);
    expect(words.rows).toEqual([]);
  });

  it.each([
    ['a file of that name', 4, /is there already/, (file: string) => writeFileSync(file, 'mine')],
    ['no such folder', 70, /cannot be written/, undefined],
  ])('is not made where there is %s', async (_what, code, sentence, prepare) => {
    const file = prepare === undefined ? join(folder, 'nowhere', 'x.zip') : newFile();
    prepare?.(file);
    expectRefused(await backUp(file), code, sentence);
    if (prepare !== undefined) expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('fails where a file breaks off while it is read, and leaves nothing behind', async () => {
    const storage = await openStorage({ DATA_DIR: app.dataDir });
    const breaking: Storage = {
      ...storage,
      read: async (...args) => {
        const content = await storage.read(...args);
        content?.once('readable', () => content.destroy(new Error('the disk is gone')));
        return content;
      },
    };
    const path = newFile();
    const library = { db: app.db, storage: breaking, clock: systemClock, ttlSeconds: 1, maxStorageBytes: undefined };
    await expect(makeBackup({ library, databaseUrl: app.databaseUrl, path })).rejects.toThrow('the disk is gone');
    expect(readdirSync(folder).filter((name) => path.includes(name.split('.')[0] ?? ''))).toEqual([]);
  });

  it('says that there is no room, and leaves nothing behind', { tags: ['slow'] }, async () => {
    const file = newFile();
    const small: [string, ...string[]] = ['/bin/sh', '-c', 'ulimit -f 2; exec "$0" "$@"', process.execPath];
    const { code, err } = await startAdmin(app, ['backup', file], small);
    expect([code, err.split('\n')[0]]).toEqual([70, `There is no room for the archive at ${file}.`]);
    expect(readdirSync(folder).filter((name) => file.includes(name.split('.')[0] ?? ''))).toEqual([]);
  });
});

describe('a restore', { tags: ['slow'] }, () => {
  it('knows of a deletion that began before the midnight of its backup and ended after', async () => {
    const storage = await openStorage({ DATA_DIR: mkdtempSync(join(folder, 'midnight-')) });
    for (const [day, id] of [
      ['2026-01-01', 'med_long_before'],
      ['2026-01-02', 'med_before'],
      ['2026-01-03', 'med_after'],
    ] as const) {
      const output = JSON.stringify({ account: [], media: [id], return: [] });
      await storage.put(`deletions/${day}.json`, Buffer.from(output), 'application/json');
    }
    const { media } = await readDeletions(storage, new Date('2026-01-03T00:00:00.010Z'));
    expect(media.toSorted()).toEqual(['med_after', 'med_before']);
  });

  let file: string;
  beforeAll(async () => {
    file = newFile();
    expectDone(await backUp(file));
  });

  it('is refused where accounts are, unless it is told to replace them', async () => {
    const target = await makeTarget();
    expectDone(await restore(file, target));
    expectRefused(await restore(file, target), 4, /--replace/);
    const before = await nameOf(target);
    // This test's pool would count as a running product.
    await target.close();
    const again = expectDone(await restore(file, target, '--replace'));
    expect(again).toMatchObject({ violations: [] });
    expect(await ownerOf(target)).toBe(before);
  });

  it('is refused beside a running product, whatever it is told', async () => {
    const before = await readRows(app.db);
    expectRefused(await runAdmin(app, ['restore', file, '--replace']), 4, /in use/);
    expect(await readRows(app.db)).toEqual(before);
    expect((await people[0]?.fetch('/api/v1/credits'))?.status).toBe(200);
  });

  it('is refused where the storage is another installation’s, or does not say whose', async () => {
    const target = await makeTarget();
    await target.storage.put('plinth-installation.txt', Buffer.from('ins_other'), 'text/plain');
    expectRefused(await restore(file, target), 4, /another installation \(ins_other\)/);
    await target.storage.remove('plinth-installation.txt');
    await target.storage.put(`uploads/${'x'.repeat(43)}.jpg`, Buffer.from('x'), 'image/jpeg');
    expectRefused(await restore(file, target), 4, /does not say whose/);
    expect(await countUsers(target)).toBe(0);
  });

  const damages: [what: string, sentence: RegExp, damage: (bytes: Buffer) => Buffer][] = [
    ['is cut off', /damaged/, (bytes) => bytes.subarray(0, bytes.length - 100)],
    ['has another byte in the middle', /damaged/, (bytes) => flip(bytes, bytes.indexOf('files/') + 200)],
    ['is no archive', /damaged/, () => Buffer.from('not a zip')],
    ['is not there', /cannot be read/, () => Buffer.alloc(0)],
  ];
  it.each(damages)('changes nothing when the archive %s', async (what, sentence, damage) => {
    const target = await makeTarget();
    const broken = newFile();
    const isThere = what !== 'is not there';
    if (isThere) writeFileSync(broken, damage(readFileSync(file)));
    expectRefused(await restore(broken, target), isThere ? 5 : 70, sentence);
    expect(await countUsers(target)).toBe(0);
    expect((await filesOf(target.storage)).size).toBe(0);
  });

  it('refuses the archive of a newer version', async () => {
    await sql`insert into migrations (name) values ('9999-of-tomorrow.sql')`.execute(app.db);
    const newer = newFile();
    expectDone(await backUp(newer));
    await sql`delete from migrations where name = '9999-of-tomorrow.sql'`.execute(app.db);
    const target = await makeTarget();
    expectRefused(await restore(newer, target), 5, /newer Plinth \(9999-of-tomorrow.sql\)/);
    expect(await countUsers(target)).toBe(0);
  });
});

describe('what was deleted after the backup', { tags: ['slow'] }, () => {
  let server: S3rver;
  let settings: Record<string, string>;
  beforeEach(async () => {
    const directory = mkdtempSync(join(folder, 'bucket-'));
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: 'plinth', configs: [] }],
    });
    const { port } = await server.run();
    settings = {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'plinth',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_REGION: 'eu-central-1',
    };
    return () => server.close();
  });

  it('stays deleted when the database is lost and the bucket is not', async () => {
    const lost = await startTestApp({ ...settings, SWEEP_INTERVAL_SECONDS: '1', RETURN_PROVIDER_RESULTS: 'true' });
    const storage = await openStorage({ DATA_DIR: lost.dataDir, ...settings });
    const [gone, stays] = [await makeUser(lost, { credits: 5 }), await makeUser(lost, { credits: 5 })];
    const make = async (person: TestUser) => {
      const done = await waitForEnd(person, (await makeGeneration(person)).id);
      return { id: done.id, mediaId: done.result?.mediaId ?? '' };
    };
    await make(gone);
    const [deleted, returned, kept] = [await make(stays), await make(stays), await make(stays)];
    const [lostKey, keptKey] = [await makeKey(lost, stays), await makeKey(lost, stays)];
    const lostEndpoint = await makeEndpoint(stays, 'https://93.184.216.34/');
    const file = newFile();
    const run = (words: string[], more: Record<string, string> = {}) => runAdmin(lost, [...words, '--json'], more);
    expectDone(await run(['backup', file]));
    expectDone(await run(['delete-user', '--email', gone.email]));
    expect((await stays.fetch(`/api/v1/media/${deleted.mediaId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await returnResult(stays, returned.id)).status).toBe(200);
    expect((await stays.fetch(`/api/v1/keys/${lostKey.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await stays.fetch(`/api/v1/webhook-endpoints/${lostEndpoint.id}`, { method: 'DELETE' })).status).toBe(204);
    await waitUntil(
      () => sql`select 1 from deletions where not is_written`.execute(lost.db),
      ({ rows }) => rows.length === 0,
    );
    const [name, before] = [await nameOf(lost), await filesOf(storage)];
    await lost.close();

    const target = await makeTarget(settings);
    const restored = expectDone(await restore(file, target));
    expect(restored).toMatchObject({ deletedAgain: 5, violations: [] });
    const users = await sql`select id from users where deleted_at is null`.execute(target.db);
    expect(users.rows).toEqual([{ id: stays.id }]);
    expect((await sql`select id from users where email = ${gone.email}`.execute(target.db)).rows).toEqual([]);
    const keys = await sql`select id from api_keys`.execute(target.db);
    expect(keys.rows).toEqual([{ id: keptKey.id }]);
    // For the daily list of deletions, which is built from these rows, and for the next restore.
    const noted = await sql<{ kind: string }>`select kind from deletions order by kind`.execute(target.db);
    expect(noted.rows.map(({ kind }) => kind)).toEqual(['account', 'endpoint', 'key', 'media', 'return']);
    expect((await sql`select id from webhook_endpoints`.execute(target.db)).rows).toEqual([]);
    const media = await sql<Pick<Media, 'id'>>`select id from generated_media where deleted_at is null`.execute(
      target.db,
    );
    expect(media.rows).toEqual([{ id: kept.mediaId }]);
    const credits = await sql`select credits from user_credits where user_id = ${stays.id}`.execute(target.db);
    expect(credits.rows).toEqual([{ credits: 3 }]);
    expect(await filesOf(storage)).toEqual(before);
    expect([await nameOf(target), await ownerOf(target)]).toEqual([name, name]);
  });
});

it('an archive holds no session and no secret of the installation', async () => {
  const file = newFile();
  expectDone(await backUp(file));
  const names: string[] = [];
  const zip = await openPromise(file);
  for await (const { fileName } of zip.eachEntry()) names.push(fileName);
  expect(names).toContain('rows/credit_ledger.copy');
  expect(names).toContain('manifest.json');
  expect(names.filter((name) => /session|secret|sign_in|request_limits/.test(name))).toEqual([]);
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}
