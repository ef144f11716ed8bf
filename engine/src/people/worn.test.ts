import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { makeWornNetwork } from '../../test/tiny-network.ts';
import { samplePath } from '../../quality/people.ts';
import { BadNetwork } from '../cutout/card.ts';
import { DEFAULT_THREADS, setNetworkThreads } from '../cutout/network-file.ts';
import { readPicture } from '../pixels/decode.ts';
import { makeWornReader, readWorn } from './worn.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-worn-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writePair(name: string, changes: object = {}): Promise<string> {
  const bytes = makeWornNetwork();
  await writeFile(join(folder, `${name}.onnx`), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const card = { file: `${name}.onnx`, sha256, bytes: bytes.length, looks: [{ side: 32 }, { side: 96 }, { side: 64 }] };
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ ...card, ...changes }));
  return join(folder, `${name}.json`);
}

const picture = drawRgb({ width: 50, height: 40 }, () => [255, 102, 0]);

it('runs in as many threads as the operator allows', async () => {
  const create = vi.spyOn(InferenceSession, 'create');
  setNetworkThreads(1);
  try {
    await makeWornReader(await writePair('threads'))(picture);
  } finally {
    setNetworkThreads(DEFAULT_THREADS);
  }
  expect(create.mock.lastCall?.[1]).toMatchObject({ intraOpNumThreads: 1 });
  create.mockRestore();
});

describe('what a person wears', () => {
  it('is detected in a photo: a shirt, trousers below it, a person around both', async () => {
    const photo = await readPicture(samplePath('person-tom'));
    const { person, upper, lower } = await readWorn(photo);
    const at = (x: number, y: number) => Math.round(y * photo.height) * photo.width + Math.round(x * photo.width);
    for (const [x, y] of [
      [0.5, 0.5],
      [0.45, 0.6],
    ] as const) {
      expect(upper.data[at(x, y)]).toBeGreaterThan(0.8);
      expect(person.data[at(x, y)]).toBeGreaterThan(0.8);
    }
    expect(lower.data[at(0.45, 0.93)]).toBeGreaterThan(0.5);
    expect(person.data[at(0.05, 0.3)]).toBeLessThan(0.1);
  });

  it('works with another network and card without a change of code', async () => {
    const { person, upper, lower, scale: scale } = await makeWornReader(await writePair('other'))(picture);
    expect(scale).toBe(50 / 96);
    expect([person, upper, lower].map(({ width, height }) => [width, height])).toEqual(Array(3).fill([50, 40]));
    for (const [plane, value] of [
      [person, 1],
      [upper, 0.4],
      [lower, 0],
    ] as const) {
      expect(plane.data.every((actual) => Math.abs(actual - value) < 0.01)).toBe(true);
    }
  });

  it('requires the file that the card names, complete and unchanged', async () => {
    for (const changes of [
      { bytes: 7 },
      { sha256: '0'.repeat(64) },
      { looks: [] },
      { looks: [{ side: 33 }] },
      { file: '../x.onnx' },
    ]) {
      await expect(makeWornReader(await writePair('bad', changes))(picture)).rejects.toThrow(BadNetwork);
    }
    const card = await writePair('gone');
    await copyFile(card, join(folder, 'lost.json'));
    await rm(join(folder, 'gone.onnx'));
    await expect(makeWornReader(card)(picture)).rejects.toThrow(BadNetwork);
    await expect(makeWornReader(join(folder, 'none.json'))(picture)).rejects.toThrow(BadNetwork);
  });
});
