import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from '../../test/admin.ts';
import {
  findEngineModel,
  readEngineModelSettings,
  removeOldModels,
  saveEngineModel,
} from '../platform/machine/engine-model.ts';
import { installEngineModel } from './engine-model.ts';

// A network of 151 bytes: the mean over the channels of a 64 x 64 picture, then a sigmoid (ONNX opset 13, made by
// hand).
const NETWORK = Buffer.from(
  'CAg6jgEKNQoDaW4wEgRtZWFuIgpSZWR1Y2VNZWFuKgsKBGF4ZXNAAaABByoPCghrZWVwZGltcxgBoAECChQKBG1lYW4SA291dCIHU2lnbW9pZBIB' +
    'Z1odCgNpbjASFgoUCAESEAoCCAEKAggDCgIIQAoCCEBiHQoDb3V0EhYKFAgBEhAKAggBCgIIAQoCCEAKAghAQgIQDQ==',
  'base64',
);
const SHA256 = createHash('sha256').update(NETWORK).digest('hex');

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-model-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes a card with the network beside it; returns the card's path. */
async function writeCard(changes: object = {}, bytes: Uint8Array = NETWORK): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const input = { side: 64, mean: [0.5, 0.5, 0.5], scale: [1, 1, 1] };
  const path = join(folder, 'card.json');
  await writeFile(join(folder, 'mine.onnx'), bytes);
  await writeFile(path, JSON.stringify({ file: 'mine.onnx', sha256, bytes: bytes.length, input, ...changes }));
  return path;
}

const models = async () => (existsSync(join(dataDir, 'models')) ? readdir(join(dataDir, 'models')) : []);

describe('installing a network with its card', { tags: ['slow'] }, () => {
  it('tries it out, notes its need of memory, and hands both to the engine', async () => {
    const model = await installEngineModel(dataDir, await writeCard(), SHA256.toUpperCase());
    expect(model).toMatchObject({ sha256: SHA256, workerMegabytes: 1024 });
    expect(await models()).toEqual([SHA256]);
    expect(await readFile(join(dataDir, 'models', SHA256, 'mine.onnx'))).toEqual(NETWORK);
    expect(readEngineModelSettings(dataDir)).toEqual({
      ENGINE_CUTOUT_CARD: join(dataDir, 'models', SHA256, 'card.json'),
      ENGINE_WORKER_MEGABYTES: '1024', // the measured need is small; a large network's raises it
    });
  });

  it('can be undone; engines that run keep their network until the product starts again', async () => {
    await installEngineModel(dataDir, await writeCard());
    removeOldModels(dataDir);
    saveEngineModel(dataDir, undefined);
    expect([findEngineModel(dataDir), readEngineModelSettings(dataDir)]).toEqual([undefined, {}]);
    expect(await models()).toEqual([SHA256]);
    removeOldModels(dataDir);
    expect(await models()).toEqual([]);
    expect(existsSync(join(folder, 'mine.onnx'))).toBe(true);
  });

  it('takes a note of an earlier version, which had no card, for none', async () => {
    await installEngineModel(dataDir, await writeCard());
    await writeFile(join(dataDir, 'engine-model.json'), JSON.stringify({ file: 'x.onnx', settings: {} }));
    expect(readEngineModelSettings(dataDir)).toEqual({});
  });

  it('refuses what is of no use, and an earlier one stays in use', async () => {
    const earlier = await installEngineModel(dataDir, await writeCard());
    const useless: [string, () => Promise<string>, RegExp][] = [
      ['noise', () => writeCard({}, Buffer.alloc(5000, 0xa7)), /of no use: the network does not load/],
      ['nothing', () => writeCard({}, Buffer.alloc(0)), /of no use: it is empty/],
      ['half a network', () => writeCard({}, NETWORK.subarray(0, 80)), /of no use: the network does not load/],
      ['another network than its card says', () => writeCard({ sha256: '0'.repeat(64) }), /SHA-256/],
      ['no file', () => writeCard({ file: 'none.onnx' }), /none\.onnx could not be read/],
      ['a file elsewhere', () => writeCard({ file: '../mine.onnx' }), /no JSON with the file/],
      ['a card without what goes in', () => writeCard({ input: undefined }), /card of the network is wrong/],
      ['no card', async () => join(folder, 'none.json'), /could not be read/],
      ['an address that is not safe', async () => 'http://127.0.0.1:9/card.json', /https/],
      ['an address where nobody answers', async () => 'https://127.0.0.1:9/card.json', /cannot be reached/],
    ];
    for (const [what, write, reason] of useless) {
      await expect(
        write().then((card) => installEngineModel(dataDir, card)),
        what,
      ).rejects.toThrow(reason);
      expect([findEngineModel(dataDir), await models()], what).toEqual([earlier, [SHA256]]);
    }
  });

  it('refuses another network than the one that the operator knows', async () => {
    await expect(installEngineModel(dataDir, await writeCard(), '0'.repeat(64))).rejects.toThrow(SHA256);
    expect(await models()).toEqual([]);
  });
});

describe('the command', { timeout: 60_000 }, () => {
  const command = (...words: string[]) => runAdmin({ environment: { DATA_DIR: dataDir } }, ['engine-model', ...words]);

  it('installs, says what to do, and goes back', async () => {
    const { code, out } = await command('install', await writeCard());
    expect([code, /licence/.test(out), await models()]).toEqual([0, true, [SHA256]]);
    expect([(await command('remove')).code, findEngineModel(dataDir)]).toEqual([0, undefined]);
  });

  it('says why a network is of no use', { tags: ['slow'] }, async () => {
    const { code, err } = await command('install', await writeCard({}, Buffer.alloc(100, 7)));
    expect([code, err]).toEqual([1, expect.stringContaining('of no use')]);
  });

  it('does not guess what unclear words mean', async () => {
    for (const words of [[], ['install'], ['remove', 'it'], ['fetch', 'x']]) {
      expect((await command(...words)).code).toBe(64);
    }
  });
});
