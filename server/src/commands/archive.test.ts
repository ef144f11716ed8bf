import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { streamZip } from '../platform/zip.ts';
import { CommandError, DAMAGED } from './arguments.ts';
import { FORMAT, MANIFEST, openArchive } from './archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'plinth-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENTRIES = { 'rows/users.copy': 'usr_1\tanna@example.com\n'.repeat(9), 'files/a.jpg': 'a picture' };
const manifest = {
  format: FORMAT,
  madeAt: '2026-11-29T12:00:00.000Z',
  installation: 'ins_1',
  migrations: [],
  tables: [{ name: 'users', columns: ['id', 'email'], rows: 9, entry: 'rows/users.copy' }],
  sequences: [],
  files: [{ key: 'a.jpg', contentType: 'image/jpeg', entry: 'files/a.jpg' }],
  missing: [],
};

const write = (said: object) =>
  buffer(
    streamZip(systemClock, async (add) => {
      for (const [name, text] of Object.entries({ ...ENTRIES, [MANIFEST]: JSON.stringify(said) }))
        await add(Readable.from([Buffer.from(text)]), name, !name.startsWith('files/'));
    }),
  );
const archive = await write(manifest);

/** The contents of an archive; undefined if it is refused as damaged. */
async function readAll(bytes: Buffer): Promise<object | undefined> {
  const path = join(folder, 'backup.zip');
  writeFileSync(path, bytes);
  try {
    const { manifest: said, read, close } = await openArchive(path);
    const texts = await Promise.all(Object.keys(ENTRIES).map(async (name) => String(await buffer(await read(name)))));
    close();
    return { said, texts };
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === DAMAGED) return undefined;
    throw error;
  }
}

const whole = { said: manifest, texts: Object.values(ENTRIES) };

it('gives what was written', async () => expect(await readAll(archive)).toEqual(whole));

it('takes an archive of the format before, with hashes in its manifest', async () => {
  const older = { ...manifest, format: 1, files: manifest.files.map((file) => ({ ...file, bytes: 9, sha256: 'x' })) };
  expect(await readAll(await write(older))).toEqual({ ...whole, said: { ...manifest, format: 1 } });
});

it('is refused, or gives the same, whichever byte is another', async () => {
  let refused = 0;
  // Every third one, to save time.
  for (let at = 0; at < archive.length; at += 3) {
    const changed = Buffer.from(archive);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    const found = await readAll(changed);
    if (found === undefined) refused += 1;
    else expect(found, `byte ${at}`).toEqual(whole);
  }
  expect(refused).toBeGreaterThan(archive.length / 6);
});

it('is refused wherever it is cut off', async () => {
  for (let length = 0; length < archive.length; length += 1)
    expect(await readAll(archive.subarray(0, length)), `${length} bytes`).toBeUndefined();
});
