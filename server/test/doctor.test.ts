import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { examine, toLines } from '../src/commands/doctor.ts';
import type { Finding } from '../src/commands/doctor-findings.ts';
import { runAdmin } from './admin.ts';
import { type Company, startDodo, startStripe } from './companies.ts';
import { makeDatabase } from './database.ts';
import { writeCertificate } from './signing.ts';
import { filesBelow, freePort } from './wire.ts';

const BUCKET = 'plinth-files';
const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'));
const SECRETS = {
  FAL_KEY: 'fal-id:fal-very-secret',
  STABILITY_KEY: 'sk-very-secret-of-stability',
  OIDC_CLIENT_SECRET: 'very-secret-of-google',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
};
/** The requests received, as `METHOD path key`. */
let requests: string[] = [];
let answers: Record<string, number> = {};
const bucket = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 'bucket'),
  configureBuckets: [{ name: BUCKET, configs: [] }],
});

/** Stand-ins of fal, Stability and the issuer on one port; each accepts one key. */
const wires: Server = createServer((request, response) => {
  const path = request.url ?? '';
  const key = request.headers.authorization ?? '';
  requests.push(`${request.method} ${path.replace(/[0-9a-f-]{36}/, 'ID')} ${key}`);
  const json = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const name = path.startsWith('/v1/user') ? 'stability' : path.startsWith('/.well-known') ? 'issuer' : 'fal';
  const planned = answers[name];
  if (planned !== undefined) return void json(planned, { detail: `no ${key}` });
  if (name === 'issuer') return void json(200, { issuer: origin() });
  if (name === 'stability') return void json(key === `Bearer ${SECRETS.STABILITY_KEY}` ? 200 : 401, { credits: 10 });
  json(key === `Key ${SECRETS.FAL_KEY}` ? 404 : 401, { detail: 'Request not found' });
});
const origin = () => `http://127.0.0.1:${(wires.address() as AddressInfo).port}`;

let database: Awaited<ReturnType<typeof makeDatabase>>;
let s3: string;
let stripe: Company;
let dodo: Company;
beforeAll(async () => {
  await new Promise<void>((resolve) => wires.listen(0, '127.0.0.1', resolve));
  s3 = `http://127.0.0.1:${(await bucket.run()).port}`;
  [database, stripe, dodo] = await Promise.all([makeDatabase(), startStripe(), startDodo()]);
});
afterEach(() => {
  requests = [];
  answers = {};
  stripe.mood = dodo.mood = 'well';
});
afterAll(async () => {
  wires.close();
  wires.closeAllConnections();
  stripe.close();
  dodo.close();
  await bucket.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every setting, with local stand-ins. */
const everything = (): Record<string, string> => ({
  NODE_ENV: 'test',
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: database.url,
  S3_ENDPOINT: s3,
  S3_BUCKET: BUCKET,
  S3_ACCESS_KEY_ID: 'S3RVER',
  FAL_QUEUE_URL: origin(),
  STABILITY_URL: origin(),
  OIDC_ISSUER: origin(),
  OIDC_CLIENT_ID: 'shop',
  SELLER_NAME: 'Ann Seller',
  SELLER_ADDRESS: '1 High Street\\nExampletown',
  CONTACT_EMAIL: 'ann@shop.example',
  ...SECRETS,
  ...stripe.settings(),
});

type Report = { text: string; checks: Finding[]; of: (check: string) => Finding | undefined };

function toReport(checks: Finding[], text = `${JSON.stringify(checks)}\n${toLines(checks)}`): Report {
  for (const secret of [...Object.values(SECRETS), 'sk_test_of-the-test', 'whsec_', ...Object.values(dodo.settings())])
    if (secret.length > 8) expect(text).not.toContain(secret);
  return { text, checks, of: (check) => checks.find((one) => one.check === check) };
}

const ask = async (settings: Record<string, string>): Promise<Report> => toReport(await examine(settings));

/** Runs the same command as an operator. */
async function run(settings: Record<string, string>): Promise<Report & { code: number | null; plain: string }> {
  const [json, plain] = await Promise.all([
    runAdmin({ environment: settings }, ['doctor', '--json']),
    runAdmin({ environment: settings }, ['doctor']),
  ]);
  const { ok, checks } = JSON.parse(json.out) as { ok: boolean; checks: Finding[] };
  expect([json.code, plain.code]).toEqual(ok ? [0, 0] : [1, 1]);
  return { ...toReport(checks, json.out + json.err + plain.out + plain.err), code: json.code, plain: plain.out };
}

describe('the doctor', () => {
  it('finds everything well where it is, in one line each, and leaves nothing behind', async () => {
    const report = await run(everything());
    expect(report.checks.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'settings ok',
      'origin missing',
      'database ok',
      'events ok',
      'clock ok',
      'storage ok',
      'fal ok',
      'stability ok',
      'stripe missing',
      'sign-in ok',
      'signature missing',
      'seller ok',
    ]);
    expect(report.code).toBe(0);
    expect(report.of('stripe')?.says).toContain('in test mode');
    for (const finding of report.checks) expect(JSON.stringify(finding)).not.toContain('\\n');
    expect(filesBelow(join(folder, 'bucket')).filter((path) => path.includes('probe'))).toEqual([]);
    // Each once per command.
    expect([...new Set(requests)].sort()).toEqual([
      'GET /.well-known/openid-configuration ',
      `GET /fal-ai/nano-banana/requests/ID/status Key ${SECRETS.FAL_KEY}`,
      `GET /v1/user/balance Bearer ${SECRETS.STABILITY_KEY}`,
    ]);
    expect(requests).toHaveLength(6);
    expect(report.plain.trim().split('\n')).toHaveLength(12);
    expect(report.plain).toMatch(/^ok {7}storage {4}The bucket plinth-files takes, gives and deletes files\.$/m);
  });

  it('says what is missing where nothing is set, touches no folder and ends well', async () => {
    const report = await ask({ NODE_ENV: 'test', DATA_DIR: join(folder, 'fresh') });
    expect(report.checks.filter(({ state }) => state === 'fault')).toEqual([]);
    const missing = report.checks.filter(({ state }) => state === 'missing').map(({ check }) => check);
    expect(missing).toEqual(['origin', 'database', 'fal', 'stability', 'payments', 'sign-in', 'signature', 'seller']);
    for (const { state, todo } of report.checks) expect(todo === undefined).toBe(state === 'ok');
    expect(report.of('storage')?.state).toBe('ok');
    expect(readdirSync(join(folder, 'fresh'))).toEqual(['files']);
    expect(filesBelow(join(folder, 'fresh'))).toEqual([]);
  });

  it('names every setting that does not work', async () => {
    const report = await run({ PAYMENTS: 'cash', PORT: 'http' });
    expect(report.code).toBe(1);
    expect(report.checks.map(({ check, state }) => `${check} ${state}`)).toEqual(['settings fault', 'settings fault']);
    expect(report.checks.map(({ says }) => says.split(':')[0])).toEqual(['PORT', 'PAYMENTS']);
  });

  const wrong: [what: string, check: string, says: RegExp, settings: () => Record<string, string> | Promise<object>][] =
    [
      [
        'a database nobody serves',
        'database',
        /ECONNREFUSED/,
        async () => ({
          DATABASE_URL: `postgres://me:very-secret@127.0.0.1:${await freePort()}/plinth`,
        }),
      ],
      ['a database that does not exist', 'database', /3D000/, () => ({ DATABASE_URL: `${database.url}_not` })],
      ['a bucket that does not exist', 'storage', /NoSuchBucket/, () => ({ S3_BUCKET: 'another' })],
      [
        'a storage nobody serves',
        'storage',
        /ECONNREFUSED/,
        async () => ({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }),
      ],
      ['a wrong key of the storage', 'storage', /403/, () => ({ S3_ACCESS_KEY_ID: 'nobody' })],
      ['a wrong key of fal', 'fal', /refuses the key \(401\)/, () => ({ FAL_KEY: 'not:mine' })],
      ['a wrong key of Stability', 'stability', /refuses the key \(401\)/, () => ({ STABILITY_KEY: 'not-mine' })],
      [
        'a fal nobody serves',
        'fal',
        /ECONNREFUSED/,
        async () => ({ FAL_QUEUE_URL: `http://127.0.0.1:${await freePort()}` }),
      ],
      [
        'an issuer that is none',
        'sign-in',
        /is no such issuer/,
        () => ({ OIDC_ISSUER: origin().replace('127.0.0.1', 'localhost') }),
      ],
      [
        'a payment company nobody serves',
        'stripe',
        /ECONNREFUSED/,
        async () => ({
          STRIPE_API_URL: `http://127.0.0.1:${await freePort()}`,
        }),
      ],
    ];
  it.each(wrong)('finds %s', async (_what, check, says, settings) => {
    const report = await ask({ ...everything(), ...(await settings()) });
    expect(report.checks.filter(({ state }) => state === 'fault').map((one) => one.check)).toEqual([check]);
    expect(report.of(check)?.says).toMatch(says);
    expect(report.of(check)?.todo).toMatch(/\.$/);
    expect(report.text).not.toContain('very-secret');
  });

  it('finds a certificate that has run out, and one that readers would not take', async () => {
    const good = await writeCertificate(folder, {});
    expect((await ask({ ...everything(), ...good })).of('signature')).toMatchObject({ state: 'ok' });
    const late = await ask({ ...everything(), ...(await writeCertificate(folder, { days: -1 })) });
    expect(late.of('signature')?.state).toBe('fault');
    expect(late.of('signature')?.says).toMatch(/^C2PA_CERT: expired on \d{4}-\d\d-\d\d\.$/);
    const lone = await ask({ ...everything(), ...(await writeCertificate(folder, { isLone: true })) });
    expect(lone.of('signature')?.state).toBe('missing');
  });

  it('finds companies that are down', async () => {
    answers = { fal: 500, stability: 503, issuer: 502 };
    stripe.mood = 'down';
    const report = await ask(everything());
    expect(report.checks.filter(({ state }) => state === 'fault').map(({ check }) => check)).toEqual([
      'fal',
      'stability',
      'stripe',
      'sign-in',
    ]);
  });

  it('asks Dodo, and the company that is only heard any more', async () => {
    const report = await ask({ ...everything(), ...dodo.settings(), DODO_ENVIRONMENT: 'live_mode' });
    expect(report.of('dodo')).toMatchObject({ state: 'ok', says: expect.stringContaining('for real money') });
    expect(report.of('stripe')?.state).toBe('missing');
    dodo.mood = 'down';
    expect((await ask({ ...everything(), ...dodo.settings() })).of('dodo')?.state).toBe('fault');
  });

  it('knows a database that is empty, behind, or ahead', async () => {
    const other = await makeDatabase();
    try {
      const of = async () => (await ask({ ...everything(), DATABASE_URL: other.url })).of('database');
      await sql`insert into migrations (name) values ('9999-from-tomorrow.sql')`.execute(other.db);
      expect(await of()).toMatchObject({ state: 'fault', says: expect.stringContaining('9999-from-tomorrow.sql') });
      await sql`delete from migrations where name > '0003'`.execute(other.db);
      expect(await of()).toMatchObject({
        state: 'fault',
        says: expect.stringContaining('lacks 0003-second-tries.sql'),
      });
      await sql`alter table migrations rename to no_migrations`.execute(other.db);
      expect(await of()).toMatchObject({ state: 'missing', says: 'It is empty.' });
    } finally {
      await other.drop();
    }
  });

  it('finds a clock that is wrong', async () => {
    const other = await makeDatabase();
    try {
      // Found before the built-in function of the same name: the database's clock is a minute behind.
      await sql`create schema slow`.execute(other.db);
      await sql`create function slow.clock_timestamp() returns timestamptz language sql as
        $$ select pg_catalog.clock_timestamp() - interval '1 minute' $$`.execute(other.db);
      await sql
        .raw(`alter database ${new URL(other.url).pathname.slice(1)} set search_path = slow, pg_catalog, public`)
        .execute(other.db);
      const report = await ask({ ...everything(), DATABASE_URL: other.url });
      expect(report.of('clock')).toMatchObject({ state: 'fault', says: "It is 60 s ahead of the database's." });
    } finally {
      await other.drop();
    }
  });

  it('finds a data folder that cannot be written, and a sign-in that nobody can use', async () => {
    const path = join(folder, `file-${randomUUID()}`);
    writeFileSync(path, '');
    expect((await ask({ NODE_ENV: 'test', DATA_DIR: path })).of('storage')?.state).toBe('fault');
    const settings = { ...everything(), NODE_ENV: 'production', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' };
    expect((await ask(settings)).of('sign-in')).toMatchObject({ state: 'fault', says: 'Nobody can sign up.' });
  });
});
