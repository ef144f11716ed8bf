import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compareMigrations, migrate } from '../src/commands/migrate.ts';
import { lockInstance } from '../src/platform/machine/instance-lock.ts';
import { makeDatabase } from './database.ts';
import { waitUntil } from './makers.ts';
import { startEnvironment } from './product.ts';
import { startProxy } from './wire.ts';

const MAIN = resolve(import.meta.dirname, '..', 'src', 'main.ts');

let database: Awaited<ReturnType<typeof makeDatabase>>;
let folder: string;
let started: Started | undefined;
beforeAll(async () => {
  database = await makeDatabase();
  folder = mkdtempSync(join(tmpdir(), 'plinth-start-'));
});
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Started = { child: ChildProcess; out: () => string; err: () => string; ended: Promise<number | null> };

/** Starts a process, by default the web role, like an operator. */
function start(databaseUrl: string, role = 'web', more: Record<string, string> = {}): Started {
  const settings = { ROLE: role, PORT: '0', DATA_DIR: folder, DATABASE_URL: databaseUrl, ...more };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    cwd: folder,
    env: { ...startEnvironment(), ...settings },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, out: () => out, err: () => err, ended };
}

/** What it wrote; a busy machine may have waited for the database before, and says so in one line. */
const readComplaint = ({ err }: Started): string =>
  err().replace(/^Waiting for the database at \S+, which lets nobody in\.\n/, '');

/** A database behind a proxy that can be closed, and the proxy's address. */
async function behindProxy() {
  const url = new URL(database.url);
  const door = await startProxy(new URL(url));
  url.port = String(door.port);
  return { door, url };
}

describe('the product, when it starts', () => {
  it(
    'waits for a database that is not there yet, says so in one line, and goes on by itself',
    { tags: ['slow'] },
    async () => {
      const { door, url } = await behindProxy();
      try {
        door.shut();
        const begun = (started = start(url.href));
        await waitUntil(
          async () => begun.err(),
          (text) => text !== '',
        );
        // Long enough for several more attempts.
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect(begun.err()).toBe(`Waiting for the database at 127.0.0.1:${door.port}, which lets nobody in.\n`);
        expect([begun.child.exitCode, begun.out()]).toEqual([null, '']);
        door.reopen();
        await waitUntil(
          async () => begun.out(),
          (text) => text.includes('"event":"listening"'),
        );
        begun.child.kill('SIGTERM');
        expect(await begun.ended).toBe(0);
      } finally {
        door.close();
      }
    },
  );

  it('ends while it waits, when it is told to', { tags: ['slow'] }, async () => {
    const { door, url } = await behindProxy();
    try {
      door.freeze();
      const begun = (started = start(url.href));
      await waitUntil(
        async () => begun.err(),
        (text) => text.startsWith('Waiting for the database'),
      );
      begun.child.kill('SIGTERM');
      expect(await begun.ended).toBe(0);
    } finally {
      door.close();
    }
  });

  it('does not wait for a database that refuses it for good', { tags: ['slow'] }, async () => {
    const url = new URL(database.url);
    url.pathname = '/no-such-database';
    const begun = (started = start(url.href));
    expect(await begun.ended).toBe(78);
    expect(readComplaint(begun)).toBe(
      `The database at ${url.host} cannot be used: database "no-such-database" does not exist. Check DATABASE_URL.\n`,
    );
  });

  it.each([
    ['HOST', { HOST: '192.0.2.1', PUBLIC_ORIGIN: 'http://localhost' }, '192.0.2.1'],
    ['METRICS_HOST', { METRICS_HOST: 'no-such-host.invalid', METRICS_PORT: '0' }, 'no-such-host.invalid'],
  ])('names %s, which is no address of this machine', { tags: ['slow'] }, async (name, settings, address) => {
    const begun = (started = start(database.url, 'web', { ...settings, LOG_LEVEL: 'error' }));
    expect(await begun.ended).toBe(78);
    expect(readComplaint(begun)).toBe(`${address} is no address of this machine. Set ${name}.\n`);
  });

  it('names secrets that it cannot read', { tags: ['slow'] }, async () => {
    const dataDir = mkdtempSync(join(folder, 'cut-short-'));
    writeFileSync(join(dataDir, 'secrets.json'), '');
    const begun = (started = start(database.url, 'web', { DATA_DIR: dataDir }));
    expect(await begun.ended).toBe(78);
    expect(begun.err()).toBe(`The secrets in ${dataDir}/secrets.json cannot be read. Put back the file as it was.\n`);
  });

  it('warns of a folder without pages', { tags: ['slow'] }, async () => {
    const begun = (started = start(database.url, 'web', { PAGES_DIR: folder, LOG_LEVEL: 'warn' }));
    await waitUntil(
      async () => begun.out(),
      (text) => text.includes('"event":"listening"'),
    );
    expect(begun.err()).toContain('no pages are served: build them, or correct PAGES_DIR');
  });

  it('brings an empty database into shape once, however many processes start on it', async () => {
    const empty = await makeDatabase();
    try {
      await sql`drop schema public, pgboss cascade`.execute(empty.db);
      await sql`create schema public`.execute(empty.db);
      await Promise.all([1, 2, 3, 4].map(() => migrate(empty.url)));
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(empty.db);
      expect(rows.map(({ name }) => name)).toEqual(compareMigrations([]).pending);
    } finally {
      await empty.drop();
    }
  });

  it('refuses a worker the data folder of another process with an engine, in one line', async () => {
    const lock = lockInstance(folder);
    try {
      const begun = (started = start(database.url, 'worker'));
      expect(await begun.ended).toBe(78);
      expect(begun.err()).toBe('Another Plinth already runs on this data folder. Stop it first, or set DATA_DIR.\n');
    } finally {
      lock.release();
    }
  });

  it.each(['PORT', 'METRICS_PORT', 'HEALTH_PORT'])(
    'names the setting of a port that is taken: %s',
    { tags: ['slow'] },
    async (name) => {
      const other = createServer();
      await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
      const { port } = other.address() as AddressInfo;
      try {
        const begun = (started = start(database.url, 'web', { [name]: String(port), LOG_LEVEL: 'error' }));
        expect(await begun.ended).toBe(78);
        expect(readComplaint(begun)).toBe(`The port ${port} is taken. Stop what runs there, or set ${name}.\n`);
      } finally {
        other.close();
      }
    },
  );

  it('leaves alone what arrives at web processes that share its data folder', { tags: ['slow'] }, async () => {
    const place = join(folder, 'tmp', 'another-host-1');
    mkdirSync(place, { recursive: true });
    const begun = (started = start(database.url, 'all'));
    await waitUntil(
      async () => begun.out(),
      (text) => text.includes('"event":"listening"'),
    );
    expect(existsSync(place)).toBe(true);
  });

  it(
    'refuses a database that a newer version has changed, in one line, and changes nothing',
    { tags: ['slow'] },
    async () => {
      await sql`insert into migrations (name) values ('9999-of-tomorrow.sql')`.execute(database.db);
      try {
        const begun = (started = start(database.url));
        // The exit code of a refusal, after which supervisors do not restart it.
        expect(await begun.ended).toBe(78);
        expect(readComplaint(begun)).toBe(
          'The database belongs to a newer Plinth (9999-of-tomorrow.sql). Start that version, or restore a backup.\n',
        );
      } finally {
        await sql`delete from migrations where name = '9999-of-tomorrow.sql'`.execute(database.db);
      }
    },
  );
});

it('ends in order although the database says nothing any more', { tags: ['slow'] }, async () => {
  const { door, url } = await behindProxy();
  try {
    const begun = (started = start(url.href));
    await waitUntil(
      async () => begun.out(),
      (text) => text.includes('"event":"listening"'),
    );
    door.freeze();
    begun.child.kill('SIGTERM');
    expect(await begun.ended).toBe(0);
  } finally {
    door.close();
  }
});

describe('a data folder that cannot be one', { tags: ['slow'] }, () => {
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const startIn = async (dataDir: string, more: Record<string, string> = {}) => {
    const settings = { ROLE: 'web', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url, ...more };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: '/',
      env: { ...startEnvironment(), ...settings },
      ...asNobody,
      timeout: 50_000,
      killSignal: 'SIGKILL',
    });
    let err = '';
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    return { code: await new Promise((done) => child.once('close', done)), err };
  };

  it.each([
    ['below a file', 'a part of its path is a file', (path: string) => writeFileSync(path, ''), '/below'],
    ['that is a file', 'it is a file', (path: string) => writeFileSync(path, ''), ''],
    ['that nobody may read', 'may not read and write', (path: string) => mkdirSync(path, { mode: 0o000 }), ''],
    ['that nobody may write', 'may not read and write', (path: string) => mkdirSync(path, { mode: 0o555 }), ''],
    ['below such a one', 'may not read and write', (path: string) => mkdirSync(path, { mode: 0o555 }), '/below'],
    ['with too long a name', 'its path is too long', () => undefined, `/${'x'.repeat(300)}`],
    ['on a disk that is not there', 'no folder can be made', (path: string) => symlinkSync('/no/disk', path), ''],
    ['below such a disk', 'no folder can be made', (path: string) => symlinkSync('/no/disk', path), '/a/b'],
  ])('%s is refused in one sentence', async (_what, reason, make, below) => {
    // The test's temporary folder may be closed to others, and this process has another user.
    const { mode } = statSync(tmpdir());
    if ((mode & 0o011) !== 0o011) chmodSync(tmpdir(), (mode & 0o777) | 0o011);
    const place = mkdtempSync(join(tmpdir(), 'plinth-place-'));
    chmodSync(place, 0o777);
    const path = join(place, 'data');
    make(path);
    const { code, err } = await startIn(path + below);
    expect([code, err]).toEqual([78, expect.stringContaining(reason)]);
    expect(err.trim().split('\n')).toHaveLength(1);
    rmSync(place, { recursive: true, force: true });
  });

  it.skipIf(process.platform !== 'linux').each(['/proc/data', '/proc/data/below'])('%s is, too', async (path) => {
    const { code, err } = await startIn(path);
    expect([code, err]).toEqual([78, expect.stringMatching(/^The data folder .+ no folder can be made there.+\n$/)]);
  });

  it.runIf(process.getuid?.() === 0)('in which a file of another user lies is, too', async () => {
    const path = mkdtempSync(join(tmpdir(), 'plinth-place-'));
    chmodSync(path, 0o777);
    writeFileSync(join(path, 'instance.lock'), '', { mode: 0o600 });
    const { code, err } = await startIn(path, { ROLE: 'worker' });
    expect([code, err]).toEqual([
      1,
      `The data folder ${path} cannot be used: this user may not read and write there. Correct that, or set DATA_DIR to another one.\n`,
    ]);
    rmSync(path, { recursive: true, force: true });
  });

  it('whose database has a file in its place is, too', async () => {
    const path = mkdtempSync(join(tmpdir(), 'plinth-place-'));
    chmodSync(path, 0o777);
    writeFileSync(join(path, 'postgres'), '');
    const { code, err } = await startIn(path, { ROLE: 'all', DATABASE_URL: '' });
    expect([code, err]).toEqual([
      78,
      expect.stringMatching(/^The data folder .+postgres cannot be used: it is a file.+\n$/),
    ]);
    rmSync(path, { recursive: true, force: true });
  });
});

describe('a file of settings', { tags: ['slow'] }, () => {
  const startBeside = async (makeFile: (path: string) => void) => {
    const place = mkdtempSync(join(tmpdir(), 'plinth-place-'));
    makeFile(join(place, '.env'));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: place,
      env: startEnvironment(),
      timeout: 50_000,
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const code = await new Promise((done) => child.once('close', done));
    rmSync(place, { recursive: true, force: true });
    return { code, err };
  };

  it.each([
    ['\uFEFFLOG_LEVEL=loud\r\nHOST=127.0.0.1\r\n', 'utf8'],
    ['LOG_LEVEL=loud\n', 'utf8'],
    ['\uFEFF# a comment\nLOG_LEVEL=loud\n', 'utf8'],
    ['\uFEFFexport LOG_LEVEL=loud\n', 'utf8'],
    // As Windows PowerShell writes redirected output.
    ['\uFEFFLOG_LEVEL=loud\r\nHOST=127.0.0.1\r\n', 'utf16le'],
  ] as const)('is read from its first setting on, whatever mark it begins with: %j in %s', async (text, letters) => {
    const { code, err } = await startBeside((path) => writeFileSync(path, text, letters));
    expect([code, err]).toEqual([78, expect.stringContaining('LOG_LEVEL')]);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['in letters that nobody marked', (path: string) => writeFileSync(path, 'LOG_LEVEL=loud\n', 'utf16le')],
    ['in letters the other way round', (path: string) => writeFileSync(path, Buffer.from('FEFF00410042', 'hex'))],
  ])('that is %s is refused in one sentence', async (_what, makeFile) => {
    const { code, err } = await startBeside(makeFile);
    expect([code, err]).toEqual([78, expect.stringMatching(/^The settings in \S+\.env cannot be read\. .+\n$/)]);
  });
});
