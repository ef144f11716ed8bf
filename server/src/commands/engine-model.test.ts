import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from '../../test/admin.ts';
import { modelCard } from '../platform/machine/engine-process.ts';

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

const INPUT = { side: 64, mean: [0.5, 0.5, 0.5], scale: [1, 1, 1] };

/** Writes a card with the network beside it; returns the card's path. */
async function writeCard(changes: object = {}, bytes: Uint8Array = NETWORK): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(folder, 'card.json');
  await writeFile(join(folder, 'mine.onnx'), bytes);
  await writeFile(path, JSON.stringify({ file: 'mine.onnx', sha256, bytes: bytes.length, input: INPUT, ...changes }));
  return path;
}

const installed = async () =>
  existsSync(join(dataDir, 'models')) ? (await readdir(join(dataDir, 'models'))).sort() : [];
const command = (words: string[], settings: Record<string, string> = {}) =>
  runAdmin({ environment: { DATA_DIR: dataDir } }, ['engine-model', ...words], settings);

describe('installing a network with its card', { timeout: 120_000 }, () => {
  it('tries it out and lays both where the engine finds them, until it is removed', async () => {
    const { code, out } = await command(['install', await writeCard(), '--sha256', SHA256.toUpperCase()]);
    expect([code, out]).toEqual([0, expect.stringMatching(/licence .* restart/)]);
    expect(await installed()).toEqual(['card.json', 'mine.onnx']);
    expect(await readFile(join(dataDir, 'models', 'mine.onnx'))).toEqual(NETWORK);
    expect(modelCard(dataDir)).toBe(join(dataDir, 'models', 'card.json'));
    expect([(await command(['remove'])).code, existsSync(join(dataDir, 'models'))]).toEqual([0, false]);
    expect([(await command(['remove'])).code, existsSync(join(folder, 'mine.onnx'))]).toEqual([0, true]);
  });

  it('takes the place of what an earlier one left', { tags: ['slow'] }, async () => {
    await mkdir(join(dataDir, 'models', 'a'.repeat(64)), { recursive: true });
    expect((await command(['install', await writeCard()])).code).toBe(0);
    expect(await installed()).toEqual(['card.json', 'mine.onnx']);
  });

  it('refuses what is of no use in one sentence, and an earlier one stays in use', { tags: ['slow'] }, async () => {
    await command(['install', await writeCard()]);
    const card = await readFile(join(dataDir, 'models', 'card.json'), 'utf8');
    const useless: [string, () => Promise<string>, RegExp][] = [
      ['noise', () => writeCard({}, Buffer.alloc(5000, 0xa7)), /of no use: the network does not load/],
      ['nothing', () => writeCard({}, Buffer.alloc(0)), /of no use: it is empty/],
      ['half a network', () => writeCard({}, NETWORK.subarray(0, 80)), /of no use: the network does not load/],
      ['another network than its card says', () => writeCard({ sha256: '0'.repeat(64) }), /SHA-256/],
      ['another shape than its card says', () => writeCard({ input: { ...INPUT, side: 96 } }), /does not run/],
      ['no file', () => writeCard({ file: 'none.onnx' }), /none\.onnx could not be read/],
      ['a file elsewhere', () => writeCard({ file: '../mine.onnx' }), /no JSON with the file/],
      ['a card without what goes in', () => writeCard({ input: undefined }), /card of the network is wrong/],
      ['no card', async () => join(folder, 'none.json'), /could not be read/],
      ['an address that is not safe', async () => 'http://127.0.0.1:9/card.json', /https/],
      ['an address where nobody answers', async () => 'https://127.0.0.1:9/card.json', /could not be read/],
    ];
    for (const [what, write, reason] of useless) {
      const { code, err } = await command(['install', await write()]);
      expect([what, code, err]).toEqual([what, 1, expect.stringMatching(reason)]);
      expect(err).not.toContain('    at ');
      expect(await readdir(dataDir)).not.toContain('models.new');
      expect([what, await readFile(join(dataDir, 'models', 'card.json'), 'utf8')]).toEqual([what, card]);
    }
  });

  it('refuses one whose worker needs more memory than it may have', { tags: ['slow'] }, async () => {
    const { code, err } = await command(['install', await writeCard()], { ENGINE_WORKER_MEGABYTES: '150' });
    expect([code, err]).toEqual([1, expect.stringContaining('needs more than ENGINE_WORKER_MEGABYTES')]);
    expect(await installed()).toEqual([]);
  });

  it('refuses another network than the one that the operator knows', async () => {
    const { code, err } = await command(['install', await writeCard(), '--sha256', '0'.repeat(64)]);
    expect([code, err]).toEqual([1, expect.stringContaining(SHA256)]);
    expect(await installed()).toEqual([]);
  });
});

it('the command does not guess what unclear words mean', async () => {
  for (const words of [[], ['install'], ['remove', 'it'], ['fetch', 'x']]) expect((await command(words)).code).toBe(64);
});
