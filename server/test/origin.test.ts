import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Verified, verifiedSchema } from '@plinth/contract/origin';
import { packs } from '@plinth/contract/packs';
import { type ToolId, toolIds, tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateError, makeSelfSigned, readOperatorCertificate } from '../src/origin/certificate.ts';
import { readManifests } from '../src/origin/labels.ts';
import { makeSigner, type Provenance } from '../src/origin/sign.ts';
import { listSigners, openSigner } from '../src/origin/signers.ts';
import { systemClock } from '../src/platform/clock.ts';
import { mappings } from '../src/providers/mappings.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeClip } from './clip.ts';
import { readCutout, readPhoto } from './cutouts.ts';
import { makeDatabase } from './database.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { readIndependently, writeCertificate } from './signing.ts';
import { expectProblem } from './wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'plinth-origin-'));
let engine: TestApp;
let hosted: TestApp;
const people = new Map<TestApp, TestUser>();
beforeAll(async () => {
  const operator = await writeCertificate(folder, { kind: 'P-256' });
  [engine, hosted] = await Promise.all([startTestApp({}, undefined, 'built-in'), startTestApp(operator)]);
  for (const app of [engine, hosted]) people.set(app, await makeUser(app, { credits: 100 }));
});
afterAll(async () => {
  await Promise.all([engine.close(), hosted.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const PROMPT = 'on SECRET-marble by the window';
const personOf = (app: TestApp) => people.get(app) as TestUser;
const read = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
type MadeFile = { id: string; createdAt: string; type: string; file: Buffer };

async function make(app: TestApp, tool: ToolId, file?: Buffer): Promise<MadeFile> {
  const user = personOf(app);
  if (file !== undefined) app.provider.behave({ file: (response) => Boolean(response.writeHead(200).end(file)) });
  const made = await waitForEnd(user, (await makeGeneration(user, { tool, prompt: PROMPT })).id);
  app.provider.behave({});
  const id = made.result?.mediaId ?? '';
  const about = (await (await user.fetch(`/api/v1/media/${id}`)).json()) as { createdAt: string };
  const answer = await user.fetch(`/api/v1/media/${id}/content`);
  return { id, createdAt: about.createdAt, type: made.result?.contentType ?? '', file: await read(answer) };
}

async function postVerify(app: TestApp, file: Buffer, type: string): Promise<Response> {
  const form = new FormData();
  form.set(type.startsWith('video/') ? 'video' : 'image', new Blob([new Uint8Array(file)], { type }), 'file');
  return fetch(`${app.url}/api/v1/verify`, { method: 'POST', body: form });
}
async function verify(app: TestApp, file: Buffer, type: string): Promise<Verified> {
  const answer = await postVerify(app, file, type);
  expect(answer.status).toBe(200);
  return verifiedSchema.strict().parse(await answer.json());
}

/** A picture and a clip; the others are made and signed by the same code. */
const QUICK: readonly ToolId[] = ['remover', 'basic-image-to-video'];

describe.each(toolIds)('a result of %s', (tool) => {
  const tags = QUICK.includes(tool) ? [] : ['slow'];
  it.each([
    ['the built-in engine', () => engine, 'self', 'Plinth engine'],
    ['a model', () => hosted, 'operator', mappings[tool].hosted.model],
  ] as const)('of %s is signed, and says what was done to what', { tags }, async (_who, of, signed, by) => {
    const { file, type, createdAt } = await make(of(), tool);
    const { state, faults, manifests, text } = await readIndependently(file, type);
    expect([state, faults]).toEqual(['Valid', []]);
    const isEdited = tools[tool].composes === 'nothing';
    const actions = isEdited ? ['c2pa.opened', 'c2pa.edited'] : ['c2pa.created'];
    const verified = await verify(of(), file, type);
    expect(manifests).toEqual([
      {
        title: 'Plinth',
        actions,
        types: verified.type === null ? [] : [...(isEdited ? [''] : []), verified.type],
        times: actions.map(() => createdAt),
      },
    ]);
    expect(verified).toEqual({
      ...{ made: true, by, changed: false, signed },
      type: expect.stringMatching(/^(algorithmicallyEnhanced|composite\w+)$/),
      chain: actions.map((action) => ({ by, action, at: createdAt })),
    });
    for (const secret of ['SECRET', personOf(of()).email, personOf(of()).id]) {
      expect(text).not.toContain(secret);
      expect(file.includes(secret)).toBe(false);
    }
  });
});

describe('the poster of a clip', { tags: ['slow'] }, () => {
  it.each([
    ['the built-in engine', () => engine, 'self'],
    ['a model', () => hosted, 'operator'],
  ] as const)('of %s is signed after the clip, the same each time', async (_who, of, signed) => {
    const clip = await make(of(), 'image-to-video');
    const ask = async () => read(await personOf(of()).fetch(`/api/v1/media/${clip.id}/poster`));
    const poster = await ask();
    const { state, faults, manifests } = await readIndependently(poster, 'image/jpeg');
    expect([state, faults, manifests.length]).toEqual(['Valid', [], 2]);
    const { by, type, chain } = await verify(of(), clip.file, clip.type);
    expect(await verify(of(), poster, 'image/jpeg')).toMatchObject({ made: true, by, changed: false, signed, type });
    expect((await verify(of(), poster, 'image/jpeg')).chain.slice(0, chain.length)).toEqual(chain);
    expect((await ask()).equals(poster)).toBe(true);
  });
});

describe('a file for a marketplace', { tags: ['slow'] }, () => {
  const paths = ['packs/amazon-main', 'packs/transparent-png', 'packshot'];

  it.each(paths)(
    'of %s is signed after the result it is made of, the same each time and within its bytes',
    async (path) => {
      const cutout = await make(engine, 'remover', await readCutout('mug', 0.4));
      const ask = async () => personOf(engine).fetch(`/api/v1/media/${cutout.id}/${path}`);
      const answer = await ask();
      const [type, file] = [answer.headers.get('content-type') ?? '', await read(answer)];
      expect(file.byteLength).toBe(Number(answer.headers.get('content-length')));
      const { state, faults, manifests } = await readIndependently(file, type);
      expect([state, faults]).toEqual(['Valid', []]);
      expect(manifests.map(({ actions }) => actions)).toEqual([
        ['c2pa.opened', 'c2pa.edited'],
        ['c2pa.opened', 'c2pa.edited'],
      ]);
      const steps = (by: string) =>
        ['c2pa.opened', 'c2pa.edited'].map((action) => ({ by, action, at: cutout.createdAt }));
      expect(await verify(engine, file, type)).toEqual({
        ...{ made: true, by: 'Plinth engine', changed: false, signed: 'self', type: 'algorithmicallyEnhanced' },
        chain: [...steps('Plinth engine'), ...steps('Plinth')],
      });
      expect((await read(await ask())).equals(file)).toBe(true);
      await engine.restart();
      const part = await personOf(engine).fetch(`/api/v1/media/${cutout.id}/${path}`, {
        headers: { range: 'bytes=9-' },
      });
      expect([part.status, (await read(part)).equals(file.subarray(9))]).toEqual([206, true]);
    },
  );

  it('keeps the bytes that the marketplace allows although it says more', async () => {
    const room = makeSigner(await makeSelfSigned(new Date()));
    const { maxBytes } = packs['amazon-main'].picture;
    const noise = Buffer.from(
      Uint8Array.from({ length: 2400 * 2400 * 3 }, (_none, at) => Math.imul(at, 0x9e3779b1) >>> 24),
    );
    const wild = await sharp(noise, { raw: { width: 2400, height: 2400, channels: 3 } })
      .png()
      .toBuffer();
    const { id } = await make(engine, 'text-to-image', wild);
    const file = await read(await personOf(engine).fetch(`/api/v1/media/${id}/packs/amazon-more`));
    expect(file.byteLength).toBeLessThanOrEqual(maxBytes ?? 0);
    expect((await verify(engine, file, 'image/jpeg')).changed).toBe(false);
    const plain = await readPhoto('mug', 400);
    const from = { manifests: readManifests(file) };
    const making = { system: 'Plinth', sourceType: null, at: new Date(), from };
    const added = (await room.sign(plain, making)).byteLength - plain.byteLength;
    expect(added).toBeLessThanOrEqual(room.measure(from));
  });
});

describe('a manifest of the provider', () => {
  const ofProvider = async (folderName: string, words = 'drawn') => {
    const certificate = readOperatorCertificate(await writeCertificate(folderName, { kind: 'P-384' }), new Date());
    const model = makeSigner(certificate ?? (await makeSelfSigned(new Date())));
    const at = new Date('2026-11-01T10:00:00.000Z');
    const making: Provenance = { system: words, sourceType: 'trainedAlgorithmicMedia', at, from: 'photo, drawn' };
    return model.sign(
      await sharp(await readPhoto('mug', 1200))
        .png()
        .toBuffer(),
      making,
    );
  };

  it('is kept: the result says first what the provider said, and goes on to packs', async () => {
    const { id, file, type, createdAt } = await make(hosted, 'text-to-image', await ofProvider(folder));
    const { state, faults, manifests } = await readIndependently(file, type);
    expect([state, faults]).toEqual(['Valid', []]);
    expect(manifests.map(({ actions }) => actions)).toEqual([['c2pa.opened', 'c2pa.edited'], ['c2pa.created']]);
    const by = mappings['text-to-image'].hosted.model;
    const chain = [
      { by: 'drawn', action: 'c2pa.created', at: '2026-11-01T10:00:00.000Z' },
      { by, action: 'c2pa.opened', at: createdAt },
      { by, action: 'c2pa.edited', at: createdAt },
    ];
    const type_ = 'compositeWithTrainedAlgorithmicMedia';
    expect(await verify(hosted, file, type)).toEqual({
      ...{ made: true, by, changed: false, signed: 'operator', type: type_, chain },
    });
    const pack = await read(await personOf(hosted).fetch(`/api/v1/media/${id}/packs/instagram-square`));
    expect((await readIndependently(pack, 'image/jpeg')).manifests).toHaveLength(3);
    expect((await verify(hosted, pack, 'image/jpeg')).chain.slice(0, 3)).toEqual(chain);
  });

  it('is left out where it repeats what the person wrote, and where it is broken', { tags: ['slow'] }, async () => {
    const telling = await make(hosted, 'text-to-image', await ofProvider(folder, PROMPT));
    expect((await verify(hosted, telling.file, telling.type)).chain).toHaveLength(1);
    const whole = await ofProvider(folder);
    const broken = Buffer.from(whole);
    broken.fill(0xff, whole.indexOf('c2cl') - 4, whole.indexOf('c2cl'));
    const made = await make(hosted, 'text-to-image', broken);
    expect(await verify(hosted, made.file, made.type)).toMatchObject({ made: true, changed: false });
  });
});

const OTHER = { made: false, by: null };
/** The same PNG with another manifest chunk, or none. */
const withManifests = (png: Buffer, chunk: Buffer) => {
  const at = png.indexOf('caBX') - 4;
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(at + 12 + png.readUInt32BE(at))]);
};

describe('a file that was tampered with', () => {
  const making: Provenance = {
    system: 'Plinth engine',
    sourceType: 'compositeSynthetic',
    at: new Date(),
    from: 'photo, drawn',
  };
  const chunkOf = (png: Buffer) => {
    const at = png.indexOf('caBX') - 4;
    return png.subarray(at, at + 12 + png.readUInt32BE(at));
  };

  it('in its picture is said to be changed', async () => {
    const { file, type } = await make(engine, 'text-to-image');
    const changed = Buffer.from(file);
    const at = file.indexOf('IDAT') + 12;
    changed.writeUInt8(file.readUInt8(at) ^ 1, at);
    expect(await verify(engine, changed, type)).toMatchObject({ made: true, by: 'Plinth engine', changed: true });
    expect((await readIndependently(changed, type)).faults).toEqual(['assertion.dataHash.mismatch']);
  });

  it('in a clip is said to be changed, whichever of its parts', async () => {
    const { file, type } = await make(engine, 'basic-image-to-video');
    for (const at of [file.indexOf('mdat') + 40, file.indexOf('moov') + 30, file.byteLength - 60]) {
      const changed = Buffer.from(file);
      changed.writeUInt8(file.readUInt8(at) ^ 1, at);
      expect(await verify(engine, changed, type)).toMatchObject({ made: true, changed: true });
    }
    const longer = Buffer.concat([file, Buffer.from('\0\0\0\x08free')]);
    expect(await verify(engine, longer, type)).toMatchObject({ made: true, changed: true });
  });

  it('whose manifest was taken off has only its label, which anybody can write', async () => {
    const { file, type } = await make(engine, 'text-to-image');
    const bare = withManifests(file, Buffer.alloc(0));
    const left = { ...OTHER, changed: null, signed: 'none', type: 'compositeSynthetic', chain: [] };
    expect(await verify(engine, bare, type)).toEqual(left);
    const jpeg = await sharp(file).keepXmp().jpeg().toBuffer();
    expect(await verify(engine, jpeg, 'image/jpeg')).toEqual(left);
    const webp = await sharp(file).keepXmp().webp().toBuffer();
    expect(await verify(engine, webp, 'image/webp')).toEqual(left);
    const photo = await readPhoto('mug', 400);
    expect(await verify(engine, photo, 'image/jpeg')).toEqual({ ...left, type: null });
  });

  it('whose manifest is of another file is said to be changed', { tags: ['slow'] }, async () => {
    const [one, other] = [
      await make(engine, 'text-to-image'),
      await make(engine, 'remover', await readCutout('mug', 0.4)),
    ];
    const swapped = withManifests(one.file, chunkOf(other.file));
    expect(await verify(engine, swapped, one.type)).toMatchObject({ made: true, changed: true });
  });

  it('whose manifest lies about who made it is not made here', async () => {
    const { file, type } = await make(engine, 'text-to-image');
    const liar = makeSigner(await makeSelfSigned(new Date()));
    const lied = await liar.sign(withManifests(file, Buffer.alloc(0)), making);
    expect((await readIndependently(lied, type)).state).toBe('Valid');
    expect(await verify(engine, lied, type)).toMatchObject({ ...OTHER, changed: false, signed: 'other' });
  });

  it.each([
    ['what it says was changed', (png: Buffer) => png.write('c2pa.placed_', png.indexOf('c2pa.created'))],
    ['its claim was changed', (png: Buffer) => png.write('Pl1nth', png.indexOf('Plinth', png.indexOf('c2cl')))],
    ['its signature was', (png: Buffer) => png.fill(7, png.indexOf('IDAT') - 30, png.indexOf('IDAT') - 20)],
    ['its boxes are longer than they are', (png: Buffer) => png.writeUInt32BE(0xff_ff_ff_ff, png.indexOf('c2cl') - 8)],
    ['it begins and ends nowhere', (png: Buffer) => png.writeUInt32BE(0, png.indexOf('jumb') - 4)],
  ])('so that %s has nobody who vouches for it', async (_what, tamper) => {
    const { file, type } = await make(engine, 'text-to-image');
    const changed = Buffer.from(file);
    tamper(changed);
    expect(changed.equals(file)).toBe(false);
    expect(await verify(engine, changed, type)).toMatchObject({ ...OTHER, changed: true, signed: 'none' });
  });

  it('in half a manifest of a JPEG still shows that there was one', { tags: ['slow'] }, async () => {
    const cutout = await make(engine, 'remover', await readCutout('mug', 0.4));
    const file = await read(await personOf(engine).fetch(`/api/v1/media/${cutout.id}/packs/amazon-main`));
    const half = Buffer.from(file);
    half.writeUInt32BE(half.readUInt32BE(half.indexOf('jumb') - 4) + 1, half.indexOf('jumb') - 4);
    expect(await verify(engine, half, 'image/jpeg')).toMatchObject({ ...OTHER, changed: true, signed: 'none' });
  });
});

describe('POST /verify', () => {
  it('knows what was signed before the operator had a certificate, and what is signed with it', async () => {
    const own = await make(engine, 'text-to-image');
    const certificate = readOperatorCertificate(await writeCertificate(folder, { kind: 'Ed25519' }), new Date());
    const { sign } = await openSigner(engine.db, systemClock, certificate);
    const about = { system: 'Plinth engine', sourceType: null, at: new Date(), from: 'photo, edited' } as const;
    const later = await sign(await readPhoto('mug', 200), about);
    expect(await verify(engine, later, 'image/jpeg')).toMatchObject({ made: true, changed: false, signed: 'operator' });
    expect(await verify(engine, own.file, own.type)).toMatchObject({ made: true, changed: false, signed: 'self' });
    const again = await openSigner(engine.db, systemClock, undefined);
    const mine = await again.sign(await readPhoto('mug', 200), about);
    expect(await verify(engine, mine, 'image/jpeg')).toMatchObject({ made: true, signed: 'self' });
  });

  const send = async (parts: Record<string, Blob | string>) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.set(name, part);
    return fetch(`${engine.url}/api/v1/verify`, { method: 'POST', body: form });
  };
  const blob = (content: Buffer | string, type: string) =>
    new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type });

  it('refuses what is no picture and no clip, as every other form does', async () => {
    const { file } = await make(engine, 'text-to-image');
    const clip = await makeClip();
    const refused = [
      [{ words: 'none' }, 'unknown_field'],
      [{ image: blob('no picture', 'image/png') }, 'image_unreadable'],
      [{ image: blob(file.subarray(0, 3000), 'image/png') }, 'image_unreadable'],
      [{ image: blob('', 'image/png') }, 'image_read_failed'],
      [{ image: blob(file, 'text/plain') }, 'unsupported_image_type'],
      [{ image: blob(clip, 'image/png') }, 'image_unreadable'],
      [{ video: blob(clip.subarray(0, -10), 'video/mp4') }, 'image_unreadable'],
      [{ video: blob('no clip', 'video/mp4') }, 'image_unreadable'],
      [{ video: blob(file, 'video/mp4') }, 'unsupported_image_type'],
      [{ video: blob(clip, 'video/mp4'), image: blob(file, 'image/png') }, 'unknown_field'],
      [{ image: blob(file, 'image/png'), words: 'more' }, 'unknown_field'],
      [{ image: blob(Buffer.alloc(12 * 1024 * 1024 + 1), 'image/png') }, 'file_too_large'],
    ] as const;
    for (const [parts, code] of refused) await expectProblem(await send(parts), code);
    expect((await fetch(`${engine.url}/api/v1/verify`, { method: 'POST' })).status).toBe(415);
  });

  it('is not held up by a file that is made to be', { tags: ['slow'] }, async () => {
    const photo = await readPhoto('mug', 100);
    const crumbs = Buffer.concat([photo.subarray(0, 2), Buffer.alloc(8_000_000, 'ffe00002', 'hex'), photo.subarray(2)]);
    await expectProblem(await postVerify(engine, crumbs, 'image/jpeg'), 'image_unreadable');
    // A reader that parses each nesting level separately would copy each box again.
    const nest = Buffer.alloc(400_000);
    for (let at = 0; at < nest.byteLength; at += 8) {
      nest.writeUInt32BE(nest.byteLength - at, at);
      nest.write('jumb', at + 4);
    }
    const { file, type } = await make(engine, 'text-to-image');
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('caBX'), nest, Buffer.alloc(4)]);
    chunk.writeUInt32BE(nest.byteLength, 0);
    expect(await verify(engine, withManifests(file, chunk), type)).toMatchObject({ ...OTHER, changed: true });
    const longer = Buffer.concat([file, Buffer.alloc(8_000_000)]);
    expect(await verify(engine, longer, type)).toMatchObject({ made: true, changed: true });
    const jays = Buffer.concat([photo, Buffer.alloc(8_000_000, 'j')]);
    expect(await verify(engine, jays, 'image/jpeg')).toMatchObject({ ...OTHER, changed: null });
  });

  it('is counted for whoever asks, as checks are', { tags: ['slow'] }, async () => {
    const app = await startTestApp({ RATE_LIMIT_SCALE: '0.05' });
    try {
      const photo = await readPhoto('mug', 100);
      const statuses: number[] = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await postVerify(app, photo, 'image/jpeg')).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await app.close();
    }
  });
});

describe('a certificate of the operator', () => {
  it.each(['P-256', 'P-384', 'Ed25519'] as const)(
    'on %s signs the same each time, so that others can read it',
    async (kind) => {
      const certificate = readOperatorCertificate(await writeCertificate(folder, { kind }), new Date());
      if (certificate === undefined) throw new Error('none');
      const { sign } = makeSigner(certificate);
      const about = {
        system: 'Plinth',
        sourceType: 'compositeSynthetic',
        at: new Date(),
        from: 'photo, drawn',
      } as const;
      const photo = await readPhoto('mug', 200);
      const file = await sign(photo, about);
      expect((await readIndependently(file, 'image/jpeg')).state).toBe('Valid');
      expect((await sign(photo, about)).equals(file)).toBe(true);
    },
  );

  it.each([
    [
      'is not there',
      async () => ({ C2PA_CERT: '/nowhere.pem', C2PA_KEY: '/nowhere.key' }),
      'C2PA_CERT: the file cannot be read',
    ],
    [
      'is no certificate',
      async () => {
        const { C2PA_KEY } = await writeCertificate(folder, {});
        return { C2PA_CERT: C2PA_KEY, C2PA_KEY };
      },
      'C2PA_CERT: holds no certificate in PEM',
    ],
    [
      'has no key',
      async () => {
        const { C2PA_CERT } = await writeCertificate(folder, {});
        return { C2PA_CERT, C2PA_KEY: C2PA_CERT };
      },
      'C2PA_KEY: holds no private key in PEM that is open without a password',
    ],
    [
      'belongs to another key',
      async () => ({
        ...(await writeCertificate(folder, {})),
        C2PA_KEY: (await writeCertificate(folder, {})).C2PA_KEY,
      }),
      'C2PA_KEY: belongs to another certificate',
    ],
    [
      'is of RSA',
      () => writeCertificate(folder, { kind: 'RSA' }),
      'C2PA_KEY: must be an Ed25519 key, or one for ECDSA on P-256 or P-384',
    ],
    ['has run out', () => writeCertificate(folder, { days: -2 }), /^C2PA_CERT: expired on \d{4}-\d\d-\d\d$/],
  ] as const)('that %s is refused at the start, in one sentence', async (_what, settings, says) => {
    const named = await settings();
    expect(() => readOperatorCertificate(named, new Date())).toThrow(CertificateError);
    expect(() => readOperatorCertificate(named, new Date())).toThrow(says);
  });

  it('that cannot sign ends the start with one line, before anything opens', { tags: ['slow'] }, async () => {
    const named = await writeCertificate(folder, { days: -2 });
    const main = join(import.meta.dirname, '..', 'src', 'main.ts');
    const env = { ...process.env, ...engine.environment, DATA_DIR: join(folder, 'data'), ...named };
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [main], { env }, (error, _out, stderr) => resolve({ code: error?.code, stderr }));
    });
    expect([code, stderr.trim()]).toEqual([78, expect.stringMatching(/^C2PA_CERT: expired on \d{4}-\d\d-\d\d$/)]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

describe('the certificate that an installation makes for itself', () => {
  it('is one, however many processes make it at once', { tags: ['slow'] }, async () => {
    const database = await makeDatabase();
    try {
      const signers = await Promise.all(
        Array.from({ length: 8 }, () => openSigner(database.db, systemClock, undefined)),
      );
      expect(await listSigners(database.db)).toHaveLength(1);
      const about = { system: 'Plinth engine', sourceType: null, at: new Date(), from: 'photo, edited' } as const;
      const photo = await readPhoto('mug', 200);
      const files = await Promise.all(signers.map(({ sign }) => sign(photo, about)));
      expect(new Set(files.map((file) => file.toString('latin1'))).size).toBe(1);
    } finally {
      await database.drop();
    }
  });
});
