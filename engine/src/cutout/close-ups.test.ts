import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeCutoutNetwork } from '../../test/tiny-network.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { lookAtCloseUps } from './close-ups.ts';
import { loadNetwork } from './load-network.ts';
import type { Network } from './network.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const GRAIN = 10;

let folder: string;
/** Bright is product. */
let network: Network;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'close-ups-'));
  const [file, content] = ['bright.onnx', makeCutoutNetwork()];
  await writeFile(join(folder, file), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const card = { ...JSON.parse(await readFile(CARD, 'utf8')), file, bytes: content.byteLength, sha256 };
  await writeFile(join(folder, 'card.json'), JSON.stringify(card));
  network = await loadNetwork(join(folder, 'card.json'), 1);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A disc in the middle, `deep` pixels within its outline (below zero outside). */
const depthIn =
  ({ width, height }: Size, radius: number) =>
  (x: number, y: number) =>
    radius - Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2);

/** A bright disc on a dark ground, and what was seen of it: half a look's pixel too small, and soft. */
function makeCase(size: Size, radius: number) {
  const deep = depthIn(size, radius);
  const picture = drawRgb(size, (x, y) => (deep(x, y) > 0 ? [220, 220, 220] : [30, 30, 30]));
  const alpha = drawPlane(size, (x, y) => Math.min(1, Math.max(0, 0.5 + (deep(x, y) - GRAIN / 2) / (2 * GRAIN))));
  return { deep, picture, alpha };
}

const errorOf = (alpha: Plane, deep: (x: number, y: number) => number) =>
  alpha.data.reduce(
    (sum, cover, i) => sum + Math.abs(cover - Number(deep(i % alpha.width, Math.floor(i / alpha.width)) > 0)),
    0,
  );

describe.each([
  ['in one part', { width: 400, height: 300 }, 120, 1],
  ['in four parts', { width: 800, height: 760 }, 330, 4],
])('close-ups of a thing that is seen %s', (_, size, radius, parts) => {
  const { deep, picture, alpha } = makeCase(size, radius);
  const asked: { image: Float32Array; marks: Float32Array; size: Size }[] = [];
  let seen: Plane;
  beforeAll(async () => {
    const infer: Network['infer'] = (image, marks, of) => {
      asked.push({ image, marks, size: of });
      return network.infer(image, marks, of);
    };
    seen = await lookAtCloseUps({ ...network, infer }, picture, { alpha, grain: GRAIN });
  });

  it('find its outline', () => {
    expect(errorOf(seen, deep)).toBeLessThan(0.6 * errorOf(alpha, deep));
  });

  it('change nothing far from it', () => {
    const far = [...alpha.data.keys()].filter(
      (i) => Math.abs(deep(i % size.width, Math.floor(i / size.width)) - GRAIN / 2) > 2 * GRAIN,
    );
    expect(far.length).toBeGreaterThan(size.width);
    expect(far.filter((i) => seen.data[i] !== alpha.data[i])).toEqual([]);
  });

  it('are told by dots what is sure, at sizes that the network takes', () => {
    expect(asked).toHaveLength(parts);
    for (const { image, marks, size: of } of asked) {
      expect([of.width % 32, of.height % 32]).toEqual([0, 0]);
      expect(Math.max(of.width, of.height)).toBeLessThanOrEqual(384);
      const area = of.width * of.height;
      const brightnessUnder = (plane: number) =>
        [...image.subarray(0, area)].filter((_value, i) => marks[plane * area + i] === 1);
      const [box, keep, drop] = [0, 1, 2].map(brightnessUnder);
      expect(box).toEqual([]);
      expect(keep!.length).toBeGreaterThan(100);
      expect(Math.min(...keep!)).toBeGreaterThan(0.8);
      expect(drop!.length).toBeGreaterThan(100);
      expect(Math.max(...drop!)).toBeLessThan(0.2);
    }
  });
});

describe('close-ups', () => {
  it('that show another thing are not heard', async () => {
    const { picture, alpha } = makeCase({ width: 400, height: 300 }, 120);
    const inverted = { ...picture, data: picture.data.map((value) => 255 - value) };
    const seen = await lookAtCloseUps(network, inverted, { alpha, grain: GRAIN });
    expect(seen.data.every((cover, i) => cover === alpha.data[i])).toBe(true);
  });

  it('are no larger than the largest look of the card', async () => {
    const { picture, alpha } = makeCase({ width: 400, height: 300 }, 120);
    const sides: number[] = [];
    const infer: Network['infer'] = (image, marks, of) => {
      sides.push(of.width, of.height);
      return network.infer(image, marks, of);
    };
    const card = { ...network.card, looks: [64, 128].map((side) => ({ side, mirrored: false })) };
    await lookAtCloseUps({ ...network, card, infer }, picture, { alpha, grain: GRAIN });
    expect(sides).toEqual([128, 128]);
  });

  it.each([
    [800, 2],
    [3, 700],
    [1, 1],
  ])('of a strip of %i x %i pixels come out at its size', async (width, height) => {
    const picture = drawRgb({ width, height }, (x, y) => (x + y < 2 ? [220, 220, 220] : [30, 30, 30]));
    const alpha = drawPlane({ width, height }, (x, y) => (x + y < 2 ? 0.9 : 0.1));
    const seen = await lookAtCloseUps(network, picture, { alpha, grain: 2 });
    expect(seen.data).toHaveLength(width * height);
    expect(seen.data.every((cover) => cover >= 0 && cover <= 1)).toBe(true);
  });

  it('of nothing show nothing', async () => {
    const { picture, alpha } = makeCase({ width: 400, height: 300 }, 120);
    const nothing = { ...alpha, data: new Float32Array(alpha.data.length) };
    const seen = await lookAtCloseUps(network, picture, { alpha: nothing, grain: GRAIN });
    expect(seen.data.every((cover) => cover === 0)).toBe(true);
  });
});
