import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { makeNetwork, type NetworkShape } from '../../test/tiny-network.ts';
import { BadNetwork } from './card.ts';
import { UnclearProduct } from './matting.ts';
import { makeOperatorMatting } from './operator-network.ts';
import { ownMatting } from './own-matting.ts';

const quiet = async () => undefined;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const INPUT = { side: 64, mean: [0.5, 0.5, 0.5], scale: [0.02, 0.02, 0.02] }; // steep: the output is nearly 0 or 1

/** Writes a network and its card; returns the card's path. */
async function writePair(bytes: Uint8Array, changes: object = {}): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const text = JSON.stringify({ file: `${sha256}.onnx`, sha256, bytes: bytes.length, input: INPUT, ...changes });
  const path = join(folder, `${createHash('sha1').update(text).digest('hex')}.json`);
  await writeFile(join(folder, `${sha256}.onnx`), bytes);
  await writeFile(path, text);
  return path;
}

const disc = (inside: number, outside: number) =>
  drawRgb({ width: 200, height: 160 }, (x, y) => {
    const grey = Math.hypot(x - 100, y - 80) < 50 ? inside : outside;
    return [grey, grey, grey];
  });
const detectWith = (card: string) => makeOperatorMatting(card).detect(disc(230, 30));

describe("an operator's network", () => {
  it("of 200 bytes returns alpha of the picture's size", async () => {
    const card = await writePair(makeNetwork(), { input: { ...INPUT, side: 128 } });
    const { alpha, scale: scale, isSure } = await detectWith(card);
    expect([alpha.width, alpha.height, isSure]).toEqual([200, 160, true]);
    expect(scale).toBeCloseTo(200 / 128);
    expect(alpha.data[80 * 200 + 100]).toBeCloseTo(1, 3);
    expect(alpha.data[0]).toBeCloseTo(0, 3);
  });

  it('applies sigmoid or stretching as its card states', async () => {
    const bare = makeNetwork({ hasSigmoid: false });
    for (const output of [{ sigmoid: true }, { stretch: true }]) {
      const { alpha } = await detectWith(await writePair(bare, { output }));
      expect(alpha.data[80 * 200 + 100]).toBeCloseTo(1, 3);
      expect(alpha.data[0]).toBeCloseTo(0, 3);
    }
  });

  it.each<[string, NetworkShape, object, RegExp]>([
    ['two inputs', { inputs: 2 }, {}, /exactly one input/],
    ['one channel', { input: [1, 1, 64, 64] }, {}, /does not run/],
    ['another size than its card says', { input: [1, 3, 96, 96] }, {}, /does not run/],
    ['numbers of another kind', { elementType: 11 }, {}, /does not run/],
    ['an output of another shape', { axis: 2 }, {}, /one float32 plane/],
    ['logits that its card does not tell of', { hasSigmoid: false }, {}, /leaves 0\.\.1/],
    ['another hash', {}, { sha256: '0'.repeat(64) }, /SHA-256/],
    ['no file', {}, { file: 'none.onnx' }, /cannot be read/],
    ['a file elsewhere', {}, { file: '../network.onnx' }, /card of the network is wrong/],
    ['a huge input', {}, { input: { ...INPUT, side: 40_000 } }, /card of the network is wrong/],
    ['a card that says nothing of its input', {}, { input: undefined }, /card of the network is wrong/],
  ])('is rejected with %s', async (_, shape, changes, reason) => {
    await expect(writePair(makeNetwork(shape), changes).then(detectWith)).rejects.toThrow(reason);
  });

  it('is rejected with values that are no numbers, though its card stretches them', async () => {
    const card = { input: { ...INPUT, scale: [0, 0, 0] }, output: { stretch: true } };
    const path = await writePair(makeNetwork({ hasSigmoid: false }), card);
    await expect(detectWith(path)).rejects.toThrow(/no numbers/);
  });

  it('stretches an output whose minimum is above 1', async () => {
    const card = { input: { ...INPUT, mean: [-1, -1, -1] }, output: { stretch: true } };
    const { alpha } = await detectWith(await writePair(makeNetwork({ hasSigmoid: false }), card));
    expect(alpha.data[0]).toBeCloseTo(0, 3);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /empty/],
    ['a web page', Buffer.from('<!doctype html><title>Sign in</title>'), /does not load/],
    ['half a network', makeNetwork().subarray(0, 90), /does not load/],
    ['noise', Buffer.alloc(4096, 0xa7), /does not load/],
  ])('is rejected if it is %s', async (_, bytes, reason) => {
    await expect(writePair(bytes).then(detectWith)).rejects.toThrow(reason);
  });

  it('is rejected if its card is no JSON', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{');
    await expect(detectWith(path)).rejects.toThrow(/no JSON/);
  });
});

describe('the matting with it', () => {
  it('loads it once, and uses our own for marks and after its removal', async () => {
    const card = await writePair(makeNetwork());
    const matting = makeOperatorMatting(card);
    const dark = disc(30, 230);
    const alphas = await Promise.all([matting.find(dark, quiet), matting.find(dark, quiet)]);
    // it detects bright pixels as the product
    for (const { data } of alphas) expect([data[0], data[80 * 200 + 100]]).toEqual([1, 0]);
    const marks = { box: [0.2, 0.1, 0.8, 0.9] as [number, number, number, number] };
    expect(await matting.detect(dark, marks)).toEqual(await ownMatting.detect(dark, marks));
    await rm(card);
    expect(await matting.detect(dark)).toEqual(await ownMatting.detect(dark));
  });

  it('looks at a photo once: its job reuses what the user was asked', async () => {
    const matting = makeOperatorMatting(await writePair(makeNetwork()));
    const photo = disc(230, 30);
    expect(await matting.detect(photo)).toBe(await matting.detect({ ...photo, data: photo.data.slice() }));
  });

  it('throws the reason on every call if the network is unusable, without a fallback', async () => {
    const matting = makeOperatorMatting(await writePair(Buffer.from('no network')));
    for (const _ of [1, 2]) await expect(matting.find(disc(30, 230), quiet)).rejects.toThrow(BadNetwork);
  });

  it('continues after a picture that fails', async () => {
    const matting = makeOperatorMatting(await writePair(makeNetwork()));
    await expect(matting.detect({ ...disc(30, 230), data: new Uint8Array(3) })).rejects.toThrow();
    expect((await matting.detect(disc(30, 230))).alpha.data[0]).toBe(1);
  });

  it('asks the user if the network finds no product', async () => {
    for (const output of [{}, { stretch: true }]) {
      const matting = makeOperatorMatting(await writePair(makeNetwork(), { output }));
      for (const shade of [10, 250]) {
        await expect(matting.find(disc(shade, shade), quiet)).rejects.toThrow(UnclearProduct);
      }
    }
  });
});
