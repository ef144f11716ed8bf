import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNetwork, type NetworkShape } from '../../test/tiny-network.ts';
import type { Rgb } from '../pixels/plane.ts';
import { chooseMatting, makeOperatorMatting } from './choose-matting.ts';
import { UnclearProduct, type NetworkNews } from './matting.ts';
import { PRESETS, readNetworkSettings, type NetworkSettings } from './network-settings.ts';
import { loadNetwork } from './operator-network.ts';
import { ownMatting } from './own-matting.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const quiet = async () => undefined;

async function settingsFor(bytes: Uint8Array, more: Partial<NetworkSettings> = {}): Promise<NetworkSettings> {
  const path = join(folder, `${createHash('sha1').update(bytes).digest('hex')}.onnx`);
  await writeFile(path, bytes);
  const steep = 0.02; // so that the mean of a pixel's channels becomes nearly 0 or 1
  return {
    path,
    mean: [0.5, 0.5, 0.5],
    deviation: [steep, steep, steep],
    hasSigmoid: false,
    isStretched: false,
    ...more,
  };
}

/** A bright disc on a dark ground, or the reverse, of 200 x 160 pixels. */
function drawDisc(inside: number, outside: number): Rgb {
  const [width, height] = [200, 160];
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i += 1) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    data[i] = Math.hypot(x - 100, y - 80) < 50 ? inside : outside;
  }
  return { width, height, data };
}

describe('a network file', () => {
  it('of 200 bytes makes alpha at the size of the picture', async () => {
    const network = await loadNetwork(await settingsFor(makeNetwork(), { side: 128 }));
    expect(network.side).toBe(128);
    const { data: alpha } = await makeOperatorMatting(network, false).find(drawDisc(230, 30), quiet);
    expect(alpha).toHaveLength(200 * 160);
    const at = (x: number, y: number) => alpha[y * 200 + x]!;
    expect([at(100, 80), at(60, 80), at(5, 5), at(195, 155)]).toEqual([1, 1, 0, 0]);
    const covered = alpha.reduce((sum, value) => sum + value, 0);
    expect(covered).toBeGreaterThan(0.97 * Math.PI * 50 * 50);
    expect(covered).toBeLessThan(1.03 * Math.PI * 50 * 50);
  });

  it('says its own size, and applies the sigmoid when it has none', async () => {
    const fixed = makeNetwork({ input: [1, 3, 96, 96], hasSigmoid: false });
    const network = await loadNetwork(await settingsFor(fixed, { hasSigmoid: true }));
    expect(network.side).toBe(96);
    const plane = await network.infer(new Uint8Array(96 * 96 * 3).fill(128));
    expect(plane[0]).toBeCloseTo(1 / (1 + Math.exp(-(128 / 255 - 0.5) / 0.02)), 4);
  });

  it.each<[string, NetworkShape, Partial<NetworkSettings>, RegExp]>([
    ['two inputs', { inputs: 2 }, {}, /exactly one input/],
    ['a flat input', { input: [3, 64], axis: 0 }, {}, /four-dimensional float32/],
    ['numbers of another kind', { elementType: 11 }, {}, /four-dimensional float32/],
    ['one channel', { input: [1, 1, 64, 64] }, {}, /three channels/],
    ['four pictures at once', { input: [4, 3, 64, 64] }, {}, /three channels/],
    ['a picture that is not square', { input: [1, 3, 64, 96] }, {}, /square/],
    ['a huge picture', { input: [1, 3, 40_000, 40_000] }, {}, /larger than 2048/],
    ['another size than the preset says', { input: [1, 3, 64, 64] }, { side: 320 }, /64 pixels, not 320/],
    ['an output of another shape', { axis: 2 }, { side: 64 }, /one float32 plane/],
    ['logits without a sigmoid', { hasSigmoid: false }, { side: 64 }, /leaves 0\.\.1/],
  ])('with %s is refused', async (_, shape, more, reason) => {
    await expect(settingsFor(makeNetwork(shape), more).then(loadNetwork)).rejects.toThrow(reason);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /empty/],
    ['a web page', Buffer.from('<!doctype html><title>Sign in</title>'), /does not load/],
    ['half a network', makeNetwork().subarray(0, 90), /does not load/],
    ['noise', Buffer.alloc(4096, 0xa7), /does not load/],
  ])('that is %s is refused', async (_, bytes, reason) => {
    await expect(settingsFor(bytes).then(loadNetwork)).rejects.toThrow(reason);
  });

  it('is tried out once, not by every worker', async () => {
    const settings = await settingsFor(makeNetwork({ hasSigmoid: false }), { side: 64 });
    await expect(loadNetwork(settings)).rejects.toThrow(/leaves 0\.\.1/);
    expect((await loadNetwork({ ...settings, isTried: true })).side).toBe(64);
  });

  it('that is missing, a folder, or not the installed one is refused', async () => {
    const settings = await settingsFor(makeNetwork(), { side: 64 });
    await expect(loadNetwork({ ...settings, path: join(folder, 'none') })).rejects.toThrow(/cannot be read/);
    await expect(loadNetwork({ ...settings, path: folder })).rejects.toThrow(/no file/);
    await expect(loadNetwork({ ...settings, sha256: '0'.repeat(64) })).rejects.toThrow(/SHA-256/);
    const sha256 = createHash('sha256')
      .update(await readFile(settings.path))
      .digest('hex');
    expect((await loadNetwork({ ...settings, sha256 })).side).toBe(64);
  });
});

describe('the matting of the day', () => {
  it('is the network, loaded with the first picture and once', async () => {
    const news: NetworkNews[] = [];
    const matting = chooseMatting(await settingsFor(makeNetwork(), { side: 64 }), (item) => news.push(item));
    expect(news).toEqual([]);
    const dark = drawDisc(30, 230);
    const alphas = await Promise.all([matting.find(dark, quiet), matting.find(dark, quiet)]);
    expect(news).toEqual([{ state: 'loading' }, { state: 'ready' }]);
    // it takes bright for product
    for (const { data } of alphas) expect([data[0], data[80 * 200 + 100]]).toEqual([1, 0]);
  });

  it('is our own, told once, when the network is of no use', async () => {
    const news: NetworkNews[] = [];
    const matting = chooseMatting(await settingsFor(Buffer.from('no network')), (item) => news.push(item));
    const picture = drawDisc(30, 230);
    const alpha = await matting.find(picture, quiet);
    expect(alpha).toEqual(await ownMatting.find(picture, quiet));
    await matting.find(picture, quiet);
    expect(news.map(({ state }) => state)).toEqual(['loading', 'failed']);
  });

  it('refuses what the network finds no product in, instead of guessing', async () => {
    for (const isStretched of [true, false]) {
      const settings = await settingsFor(makeNetwork(), { side: 64, isStretched });
      const matting = chooseMatting(settings, () => undefined);
      for (const shade of [10, 250]) {
        await expect(matting.find(drawDisc(shade, shade), quiet)).rejects.toThrow(UnclearProduct);
      }
    }
  });
});

describe('the settings of a network', () => {
  const read = (env: Record<string, string>) => {
    const faults: string[] = [];
    return { settings: readNetworkSettings(env, faults), faults };
  };

  it.each(Object.keys(PRESETS))('know the preset %s', (name) => {
    const { settings, faults } = read({ ENGINE_MATTING_MODEL: '/m.onnx', ENGINE_MATTING_PRESET: name });
    expect(faults).toEqual([]);
    expect(settings).toMatchObject({ path: '/m.onnx', ...PRESETS[name] });
  });

  it('let single values overrule a preset', () => {
    const { settings } = read({
      ENGINE_MATTING_MODEL: '/m.onnx',
      ENGINE_MATTING_PRESET: 'birefnet',
      ENGINE_MATTING_SIZE: '512',
      ENGINE_MATTING_MEAN: '0.5,0.5,0.5',
      ENGINE_MATTING_SIGMOID: 'false',
    });
    expect(settings).toMatchObject({ side: 512, mean: [0.5, 0.5, 0.5], hasSigmoid: false });
    expect(settings?.deviation).toEqual(PRESETS['birefnet']?.deviation);
  });

  it('name every fault', () => {
    const { settings, faults } = read({
      ENGINE_MATTING_MODEL: '/m.onnx',
      ENGINE_MATTING_PRESET: 'toString',
      ENGINE_MATTING_SIZE: '7',
      ENGINE_MATTING_MEAN: '1,2',
      ENGINE_MATTING_DEVIATION: '1,0,1',
      ENGINE_MATTING_SIGMOID: 'perhaps',
      ENGINE_MATTING_SHA256: 'abc',
    });
    expect(settings).toBeUndefined();
    expect(faults.join()).toMatch(/PRESET.*MEAN.*SIZE.*SHA256.*above 0.*MODEL needs/);
    expect(read({}).settings).toBeUndefined();
  });
});
