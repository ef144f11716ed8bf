import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os, { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { runAdmin } from './admin.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeDatabase } from './database.ts';
import { makeGeneration, makeKey, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { listen } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  // No worker: accepted generations stay queued until a test starts one.
  app = await startTestApp({ ROLE: 'web' });
  user = await makeUser(app, { credits: 20 });
});
afterAll(() => app.close());

const startWorker = () =>
  spawn(process.execPath, [join(import.meta.dirname, 'crash-worker.ts')], {
    env: { ...process.env, ...app.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
const admin = (...words: string[]) => runAdmin(app, words);
async function ask<Answer>(...words: string[]): Promise<{ code: number | null; answer: Answer }> {
  const { code, out, err } = await admin(...words, '--json');
  expect(err).not.toMatch(/^ +at /m);
  return { code, answer: JSON.parse(out) as Answer };
}

describe('words that say nothing', () => {
  it.each([
    [['sessions']],
    [['sessions', 'end']],
    [['sessions', 'end', 'a@example.com', '--all']],
    [['sessions', 'end', '--reason', 'x']],
    [['credits', 'adjust', 'a@example.com', '5']],
    [['credits', 'adjust', 'a@example.com', '--reason', 'x']],
    [['credits', 'adjust', 'a@example.com', '0', '--reason', 'x']],
    [['credits', 'adjust', 'a@example.com', '1.5', '--reason', 'x']],
    [['credits', 'adjust', 'a@example.com', '99999999', '--reason', 'x']],
    [['credits', 'adjust', 'a@example.com', '5', '--reason', ' ']],
    [['generation', 'show']],
    [['generation', 'retry', 'a', 'b']],
    [['queue', 'more']],
  ])('%j end with 64 and the usage, and nothing is done', async (words) => {
    const { code, out, err } = await admin(...words);
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain('npm run admin -- credits adjust');
  });
});

describe('a database', () => {
  const checkAt = (url: URL) => runAdmin(app, ['check'], { DATABASE_URL: url.href });

  it('that is not there, or lets nobody in, ends a command in one line', async () => {
    const url = new URL(app.environment.DATABASE_URL ?? '');
    const wrong = [Object.assign(new URL(url), { port: '9' }), Object.assign(new URL(url), { pathname: '/none' })];
    for (const each of wrong) {
      const { code, err } = await checkAt(each);
      expect([code, err]).toEqual([
        70,
        expect.stringMatching(/^The database at \S+ cannot be used: .+\. Check DATABASE_URL\.\n$/),
      ]);
    }
  });

  it('that no product has started on does, too', async () => {
    const empty = await makeDatabase();
    try {
      await sql`drop table migrations`.execute(empty.db);
      const err = 'The database is empty. Start the product: it makes its tables.\n';
      expect(await checkAt(new URL(empty.url))).toEqual({ code: 70, out: '', err });
    } finally {
      await empty.drop();
    }
  });
});

it.each([
  ['is away', '', /^The storage does not answer\. .+\n$/],
  ['does not exist', 'NoSuchBucket', /^The storage refuses with NoSuchBucket \(404\)\. .+\n$/],
])('a bucket that %s ends a command in one line', async (_what, answer, says) => {
  const server = createServer((_request, response) =>
    answer === ''
      ? response.destroy()
      : response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${answer}</Code></Error>`),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { S3_ENDPOINT: at, S3_BUCKET: 'none', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
  const { code, err } = await runAdmin(app, ['check'], settings);
  expect([code, err]).toEqual([70, expect.stringMatching(says)]);
  server.close();
});

describe('sessions end', () => {
  it('ends every session of one account, and its open streams hear of it', async () => {
    const person = await makeUser(app);
    const stream = await listen(app, person.cookie);
    await stream.waitForEvent('hello');
    expect(await ask('sessions', 'end', person.email.toUpperCase())).toEqual({ code: 0, answer: { sessionsEnded: 1 } });
    expect((await person.fetch('/api/v1/credits')).status).toBe(401);
    expect((await stream.waitForEvent('session')).body).toEqual({ state: 'ended', reason: 'signed_out' });
    stream.close();
    expect((await user.fetch('/api/v1/credits')).status).toBe(200);
    expect(await ask('sessions', 'end', person.email)).toEqual({ code: 0, answer: { sessionsEnded: 0 } });
  });

  it('says that there is no such user', async () => {
    expect(await ask('sessions', 'end', 'nobody@example.com')).toEqual({ code: 2, answer: { sessionsEnded: 0 } });
  });

  it('with --all ends those of everybody', async () => {
    const other = await startTestApp({ ROLE: 'web' });
    try {
      const people = [await makeUser(other), await makeUser(other)];
      const { code, out } = await runAdmin(other, ['sessions', 'end', '--all', '--json']);
      expect([code, JSON.parse(out)]).toEqual([0, { sessionsEnded: 2 }]);
      for (const person of people) expect((await person.fetch('/api/v1/credits')).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

it('keys delete shuts the programs of one account out, and leaves the person signed in', async () => {
  const person = await makeUser(app);
  const [key, other] = [await makeKey(app, person), await makeKey(app, user)];
  expect(await ask('keys', 'delete', person.email)).toEqual({ code: 0, answer: { keysDeleted: 1 } });
  const statuses = [key, other, person].map(async (who) => (await who.fetch('/api/v1/credits')).status);
  expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  const noted = await sql`select from deletions where kind = 'key' and subject = ${key.id}`.execute(app.db);
  expect(noted.rows).toHaveLength(1);
  expect(await ask('keys', 'delete', 'nobody@example.com')).toEqual({ code: 2, answer: { keysDeleted: 0 } });
});

describe('credits adjust', () => {
  it('books an adjustment that the person sees, with the reason beside it', async () => {
    const person = await makeUser(app, { credits: 3 });
    const given = await ask('credits', 'adjust', person.email, '+5', '--reason', 'A gift for waiting');
    expect(given).toEqual({ code: 0, answer: { adjusted: true, delta: 5, credits: 8 } });
    const taken = await ask('credits', 'adjust', person.email, '-2', '--reason', 'Given twice');
    expect(taken).toEqual({ code: 0, answer: { adjusted: true, delta: -2, credits: 6 } });
    expect(await person.credits()).toBe(6);
    const entries = await person.ledger();
    expect(entries.slice(0, 2).map(({ delta, reason, balanceAfter }) => [delta, reason, balanceAfter])).toEqual([
      [-2, 'adjustment', 6],
      [5, 'adjustment', 8],
    ]);
    const notes = await sql<{ note: string }>`
      select note from credit_ledger where user_id = ${person.id} order by seq desc limit 2`.execute(app.db);
    expect(notes.rows).toEqual([{ note: 'Given twice' }, { note: 'A gift for waiting' }]);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('takes nothing below zero, also when many take at once', async () => {
    const person = await makeUser(app, { credits: 5 });
    const all = await Promise.all(
      [1, 2, 3].map(() => ask('credits', 'adjust', person.email, '-3', '--reason', 'Taken back')),
    );
    expect(all.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    expect(all.find(({ code }) => code === 1)?.answer).toEqual({ adjusted: false, delta: -3, credits: 2 });
    expect(await person.credits()).toBe(2);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('knows no deleted account', async () => {
    const person = await makeUser(app, { credits: 5 });
    await admin('delete-user', '--email', person.email);
    const late = await ask('credits', 'adjust', person.email, '5', '--reason', 'Too late');
    expect(late).toEqual({ code: 2, answer: { adjusted: false } });
    expect(await auditLedger(app.db)).toEqual([]);
  });
});

type Shown = {
  id: string;
  status: string;
  entries: { reason: string }[];
  jobs: { state: string }[];
  uploads: object[];
};

describe('generation', () => {
  it('show tells what happened to it, and nothing that a person wrote', async () => {
    const { id } = await makeGeneration(user, { tool: 'text-to-image', prompt: 'SECRET-PROMPT' });
    const { code, out } = await admin('generation', 'show', id, '--json');
    const shown = JSON.parse(out) as Shown;
    expect([code, shown.id, shown.status]).toEqual([0, id, 'queued']);
    expect(shown).toMatchObject({
      tool: 'text-to-image',
      cost: 1,
      userId: user.id,
      requestId: null,
      error: null,
      entries: [{ reason: 'debit', delta: -1 }],
      jobs: [{ state: 'created' }],
      uploads: [{ field: 'image', deletedAt: null }],
      result: null,
    });
    expect(out).not.toContain('SECRET');
    expect(out).not.toContain(user.email);
    const text = await admin('generation', 'show', id);
    expect([text.code, text.out]).toEqual([0, expect.stringContaining('status')]);
    expect((await admin('generation', 'show', 'gen_unknown')).code).toBe(2);
  });

  it('retry gives a stuck one its job back, once, and a worker then ends it', { tags: ['slow'] }, async () => {
    const { id } = await makeGeneration(user);
    expect(await ask('generation', 'retry', id)).toEqual({ code: 1, answer: { retried: false, outcome: 'has_job' } });
    await sql`update pgboss.job set state = 'failed' where data ->> 'generationId' = ${id}`.execute(app.db);
    const both = await Promise.all([ask('generation', 'retry', id), ask('generation', 'retry', id)]);
    expect(both.map(({ answer }) => answer)).toEqual(
      expect.arrayContaining([
        { retried: true, outcome: 'retried' },
        { retried: false, outcome: 'has_job' },
      ]),
    );
    const { answer } = await ask<Shown>('generation', 'show', id);
    expect(answer.jobs.map(({ state }) => state).sort()).toEqual(['created', 'failed']);
    const before = await user.credits();
    const worker = startWorker();
    expect((await waitForEnd(user, id)).status).toBe('succeeded');
    expect(await user.credits()).toBe(before);
    worker.kill('SIGKILL');
    // It has its result, which no operator command may change.
    expect(await ask('generation', 'retry', id)).toEqual({ code: 1, answer: { retried: false, outcome: 'has_ended' } });
    expect(await user.credits()).toBe(before);
    expect(await auditLedger(app.db)).toEqual([]);
    expect((await admin('generation', 'retry', 'gen_unknown')).code).toBe(2);
  });
});

describe('the log of commands', () => {
  it('has a line for each that may have changed something, with no address, and none for a look', async () => {
    const person = await makeUser(app, { credits: 1 });
    const log = join(app.dataDir, 'admin.log');
    rmSync(log, { force: true });
    await admin('credits', 'adjust', person.email, '-9', '--reason', 'SECRET-REASON');
    await admin('sessions', 'end', person.email);
    await admin('sessions', 'end', 'nobody@example.com');
    await admin('generation', 'retry', 'gen_unknown');
    await admin('queue');
    await admin('credits', 'adjust');
    const text = readFileSync(log, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const user = createHash('sha256').update(person.id).digest('hex').slice(0, 16);
    const always = { event: 'admin_command', role: 'admin', host: hostname(), operator: userInfo().username };
    expect(lines).toMatchObject([
      { ...always, command: 'credits adjust', code: 1, user, delta: -9 },
      { ...always, command: 'sessions end', code: 0, user },
      { ...always, command: 'sessions end', code: 2 },
      { ...always, command: 'generation retry', code: 2, generation: 'gen_unknown' },
    ]);
    expect(text).not.toMatch(/@|SECRET/);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('names an operator without a name by the number, and the command ends as it should', async () => {
    const log = join(app.dataDir, 'admin.log');
    rmSync(log, { force: true });
    const nameless = vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    syncBuiltinESMExports();
    try {
      expect(await admin('sessions', 'end', 'nobody@example.com')).toMatchObject({ code: 2, err: '' });
    } finally {
      nameless.mockRestore();
      syncBuiltinESMExports();
    }
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ operator: String(process.getuid?.()) });
  });

  it.each([
    [['approve', 'pur_1'], { purchase: 'pur_1' }],
    [['reject', 'pur_1'], { purchase: 'pur_1' }],
    [['generation', 'retry', 'gen_1'], { generation: 'gen_1' }],
  ])('says of %j what it was about where the database could not be opened', async (words, about) => {
    const { code, err } = await runAdmin(app, words, { DATABASE_URL: '', DATA_DIR: join(app.dataDir, 'nowhere') });
    expect(code).toBe(70);
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'admin_command', code, ...about });
  });
});

describe('queue', () => {
  it('says what waits, what runs, how long, and what has no job', async () => {
    const own = await startTestApp({ ROLE: 'web' });
    try {
      const person = await makeUser(own, { credits: 5 });
      const look = async () => JSON.parse((await runAdmin(own, ['queue', '--json'])).out) as object;
      expect(await look()).toEqual({
        waiting: { count: 0, oldestSeconds: 0 },
        running: { count: 0, oldestSeconds: 0 },
        withoutJob: [],
        jobs: {},
      });
      const ids = [(await makeGeneration(person)).id, (await makeGeneration(person)).id];
      await sql`update generations set created_at = created_at - interval '90 seconds' where id = ${ids[0]}`.execute(
        own.db,
      );
      await sql`delete from pgboss.job where data ->> 'generationId' = ${ids[0]}`.execute(own.db);
      const seen = (await look()) as { waiting: { oldestSeconds: number } };
      expect(seen).toMatchObject({ waiting: { count: 2 }, withoutJob: [ids[0]], jobs: { created: 1 } });
      expect(seen.waiting.oldestSeconds).toBeGreaterThanOrEqual(90);
      expect((await runAdmin(own, ['queue'])).out).toMatch(/^waiting +2, the oldest for 1 min/m);
    } finally {
      await own.close();
    }
  });
});
