import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { makeCutoutNetwork, type CutoutNetworkShape } from '../../test/tiny-network.ts';
import { BadNetwork, readCard } from './card.ts';
import { UnclearProduct } from './matting.ts';
import { boxOf } from './subject.ts';
import { makeOwnMatting } from './own-matting.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const quiet = async () => {};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'card-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Another network and card with other passes and rules. Bright is product. */
async function writePair(shape: CutoutNetworkShape = {}, changes: Record<string, unknown> = {}): Promise<string> {
  const bytes = makeCutoutNetwork(shape);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(folder, `${sha256}.onnx`), bytes);
  const own: Record<string, unknown> = JSON.parse(await readFile(CARD, 'utf8'));
  const card = {
    ...own,
    file: `${sha256}.onnx`,
    sha256,
    bytes: bytes.length,
    looks: [{ side: 64 }, { side: 96 }, { side: 128 }],
    score: 'softness of the result + 1 - mean agreement of the six looks',
    measuredAt: 64,
    askAbove: 0.5,
    ...changes,
  };
  const path = join(folder, `${createHash('sha1').update(JSON.stringify(card)).digest('hex')}.json`);
  await writeFile(path, JSON.stringify(card));
  return path;
}

/** A disc on a background that brightens to the right, without a plain border. */
function drawDisc(inside: number, outside: number, fade = 4) {
  return drawRgb({ width: 200, height: 160 }, (x, y) => {
    const grey = Math.hypot(x - 100, y - 80) < 50 ? inside : outside + x / fade;
    return [grey, grey, grey];
  });
}

describe('the card', () => {
  it('states all that may change: file, passes, rules and threshold', async () => {
    const softness = 'pixels with .1 < alpha < .8 that survive an erosion by 7x7, as a share of those with alpha > .2';
    const again = 'around every part that has at least .06 of the largest part, 3 % of the picture looser';
    const card = readCard(await readFile(await writePair({}, { softness, again }), 'utf8'));
    expect(card).toMatchObject({ sides: [64, 96, 128], measuredAt: 64, askAbove: 0.5 });
    expect(card.again).toEqual({ minShare: 0.06, padding: 0.03 });
    expect(card.softness).toEqual({ above: 0.1, below: 0.8, erosion: 7, shareOf: 0.2 });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a side that is no multiple of 32', { looks: [{ side: 100 }] }],
    ['no looks', { looks: [] }],
    ['a file elsewhere', { file: '../network.onnx' }],
    ['a rule that is not known', { score: 'whatever feels right' }],
    ['a softness that is not known', { softness: 'by eye' }],
    ['a second look that is not known', { again: 'once more' }],
    ['no threshold', { askAbove: 'high' }],
    ['a huge file', { bytes: 9e9 }],
  ])('is rejected with %s', async (_, changes) => {
    const text = await readFile(await writePair({}, changes), 'utf8');
    expect(() => readCard(text)).toThrow(BadNetwork);
  });
});

describe('another pair of network and card', () => {
  it('works without a change of code', async () => {
    const { data } = await makeOwnMatting(await writePair()).find(drawDisc(230, 10, 8), quiet);
    expect([data[80 * 200 + 100], data[0]]).toEqual([1, 0]);
    const totalAlpha = data.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(totalAlpha / (Math.PI * 50 * 50) - 1)).toBeLessThan(0.05);
  });

  it('is loaded again after a failure', async () => {
    const path = join(folder, 'late.json');
    const { detect: detect } = makeOwnMatting(path);
    await expect(detect(drawDisc(230, 10))).rejects.toThrow(BadNetwork);
    await copyFile(await writePair(), path);
    expect((await detect(drawDisc(230, 10))).alpha.data[80 * 200 + 100]).toBe(1);
  });

  it('runs no second pass if its card states none', async () => {
    const { data } = await makeOwnMatting(await writePair({}, { again: undefined })).find(drawDisc(230, 10, 8), quiet);
    expect([data[80 * 200 + 100], data[0]]).toEqual([1, 0]);
  });

  it('asks by its own threshold and proposes a box', async () => {
    const strict = makeOwnMatting(await writePair({}, { askAbove: 1e-9 }));
    const unsure: unknown = await strict.find(drawDisc(150, 30), quiet).catch((error: unknown) => error);
    expect(unsure).toBeInstanceOf(UnclearProduct);
    const box = (unsure as UnclearProduct).candidate!.box!;
    for (const [i, value] of [50 / 200, 30 / 160, 150 / 200, 130 / 160].entries()) {
      expect(Math.abs(box[i]! - value)).toBeLessThan(0.06);
    }
    const { data } = await strict.find(drawDisc(150, 30), quiet, { box });
    expect(data[80 * 200 + 100]).toBe(1);
  });

  it('takes the proposed box as a confirmation, and any other as a mark', async () => {
    const strict = makeOwnMatting(await writePair({}, { askAbove: 1e-9 }));
    const picture = drawDisc(150, 30);
    const found = await strict.detect(picture);
    const box = boxOf(found.alpha)!;
    expect(found.isSure).toBe(false);
    expect(await strict.detect(picture, { box })).toEqual({ ...found, isSure: true });
    const other: typeof box = [box[0], box[1], box[2], 0.5];
    expect((await strict.detect(picture, { box: other })).alpha).not.toEqual(found.alpha);
  });

  it('asks about a product that resembles a plain background, but not about a distinct one', async () => {
    const strict = makeOwnMatting(await writePair({}, { askAbove: 1e-9 }));
    const lenient = makeOwnMatting(await writePair());
    const [faint, clear] = [drawDisc(40, 2, Infinity), drawDisc(230, 2, Infinity)];
    await expect(strict.find(faint, quiet)).rejects.toThrow(UnclearProduct);
    for (const answer of [strict.find(clear, quiet), lenient.find(clear, quiet)])
      expect((await answer).data[80 * 200 + 100]).toBe(1);
  });

  it('reports if nothing is detected', async () => {
    const bare = makeOwnMatting(await writePair()).find(drawDisc(10, 10), quiet);
    await expect(bare).rejects.toMatchObject({ name: 'UnclearProduct', candidate: { box: null } });
  });

  it.each<[string, CutoutNetworkShape, Record<string, unknown>, RegExp]>([
    ['another hash', {}, { sha256: '0'.repeat(64) }, /SHA-256/],
    ['another length', {}, { bytes: 12 }, /bytes of its card/],
    ['no file', {}, { file: 'none.onnx' }, /cannot be read/],
    ['no input for marks', { marks: 'other' }, {}, /does not run/],
    ['fixed sizes', { side: 64 }, {}, /does not run/],
    ['logits', { hasSigmoid: false }, {}, /leaves 0\.\.1/],
  ])('fails with a reason for %s instead of a wrong picture', async (_, shape, changes, reason) => {
    const matting = makeOwnMatting(await writePair(shape, changes));
    await expect(matting.find(drawDisc(230, 10), quiet)).rejects.toThrow(reason);
    await expect(matting.find(drawDisc(230, 10), quiet)).rejects.toThrow(BadNetwork); // again, without a retry
  });

  it('fails with a reason if it is damaged', async () => {
    const bytes = Buffer.from('no network at all');
    await writeFile(join(folder, 'damaged.onnx'), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = await writePair({}, { file: 'damaged.onnx', sha256, bytes: bytes.length });
    await expect(makeOwnMatting(path).find(drawDisc(230, 10), quiet)).rejects.toThrow(/does not load/);
  });
});
