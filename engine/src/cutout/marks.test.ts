import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productPath } from '../../quality/composites.ts';
import { makePlane } from '../pixels/plane.ts';
import { cutOut } from './cut-out.ts';
import { enforceMarks } from './enforce.ts';
import { readMarks, type Marks } from './marks.ts';
import { UnclearProduct } from './matting.ts';
import { ownMatting } from './own-matting.ts';

const BUSY_MS = 120_000;
const quiet = async () => {};
const cut = (path: string, marks: Marks) => cutOut(path, ownMatting, quiet, { marks });

let folder: string;
let mug: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marks-test-'));
  mug = join(folder, 'mug.png');
  await sharp(productPath('mug')).resize(512).toFile(mug);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('marks', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    ['no object', 'box'],
    ['a list', []],
    ['an unknown part', { keep: [[0.5, 0.5, 0.1]], colour: 'red' }],
    ['an empty list', { keep: [] }],
    ['too many dots', { drop: Array.from({ length: 2001 }, () => [0.5, 0.5, 0.1]) }],
    ['a dot without a radius', { keep: [[0.5, 0.5]] }],
    ['a radius of nothing', { keep: [[0.5, 0.5, 0]] }],
    ['a dot outside', { drop: [[1.2, 0.5, 0.1]] }],
    ['no numbers', { drop: [[null, '0.5', 0.1]] }],
    ['a box inside out', { box: [0.8, 0.1, 0.2, 0.9] }],
    ['a flat box', { box: [0.1, 0.5, 0.9, 0.5] }],
    ['a box of three', { box: [0.1, 0.2, 0.9] }],
  ])('are rejected if they have %s', (_, value) => expect(readMarks(value)).toBeUndefined());

  it('may each be the only kind', () => {
    for (const marks of [{ box: [0, 0, 1, 1] }, { keep: [[0, 0, 1]] }, { drop: [[1, 1, 0.001]] }]) {
      expect(readMarks(marks)).toEqual(marks);
    }
  });
});

describe('a cut-out with marks', { timeout: BUSY_MS }, () => {
  /** A keep dab on the table beside the mug, and a drop dab on the mug. */
  const marks: Marks = {
    box: [0.1, 0.1, 0.8, 0.95],
    keep: [[0.2, 0.6, 0.02]],
    drop: [
      [0.45, 0.5, 0.03],
      [0.3, 0.2, 0.01],
    ],
  };

  it('keeps and drops marked pixels, and drops everything outside the box, whatever the network returns', async () => {
    const { width, height, alpha } = await cut(mug, marks);
    const at = (x: number, y: number) => alpha[Math.floor(y * height) * width + Math.floor(x * width)]!;
    for (const [x, y] of marks.keep!) expect(at(x, y)).toBeGreaterThanOrEqual(230);
    for (const [x, y] of marks.drop!) expect(at(x, y)).toBeLessThanOrEqual(25);
    const [left, top, right, bottom] = marks.box!;
    for (let i = 0; i < alpha.length; i += 1) {
      const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5];
      const isOutside = x < left * width || x > right * width || y < top * height || y > bottom * height;
      if (isOutside) expect(alpha[i]).toBe(0);
    }
  });

  it('applies dabs that are smaller than a pixel', async () => {
    const kept: [number, number, number][] = [
      [0.98, 0.1, 0.0008],
      [0.03, 0.04, 1e-6],
    ];
    const { width, height, alpha } = await cut(productPath('mug'), { keep: kept, drop: [[0.45, 0.5, 1e-6]] });
    const at = (x: number, y: number) => alpha[Math.floor(y * height) * width + Math.floor(x * width)]!;
    for (const [x, y] of kept) expect(at(x, y)).toBeGreaterThanOrEqual(230);
    expect(at(0.45, 0.5)).toBeLessThanOrEqual(25);
  });

  it('lets drop override keep', async () => {
    const dot = [0.45, 0.5, 0.03] as [number, number, number];
    const { width, height, alpha } = await cut(mug, { keep: [dot], drop: [dot] });
    expect(alpha[Math.floor(0.5 * height) * width + Math.floor(0.45 * width)]).toBeLessThanOrEqual(25);
  });

  it("follows the picture's edges: a dab across one leaves no disc beyond it", () => {
    const size = { width: 100, height: 60 };
    const picture = { ...size, data: new Uint8Array(100 * 60 * 3) };
    for (let i = 0; i < 100 * 60; i += 1) picture.data.fill(i % 100 < 50 ? 60 : 190, i * 3, i * 3 + 3);
    const { data } = enforceMarks(picture, makePlane(size), { keep: [[0.45, 0.5, 0.2]] });
    const row = data.subarray(30 * 100, 31 * 100);
    expect([row[28], row[45], row[52], row[60]]).toEqual([1, 1, 0, 0]);
  });

  it('is never refused as unclear unless it would be empty', async () => {
    const path = join(folder, 'grey.png');
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888' } }).toFile(path);
    const { alpha } = await cut(path, { keep: [[0.5, 0.5, 0.1]] });
    expect(alpha[150 * 300 + 150]).toBe(255);
    await expect(cut(path, { drop: [[0.5, 0.5, 1]] })).rejects.toThrow(UnclearProduct);
  });

  it("applies to the upload's own transparency", async () => {
    const path = join(folder, 'own.png');
    const disc = Buffer.from('<svg width="200" height="200"><circle cx="100" cy="100" r="60" fill="#d04"/></svg>');
    await sharp(disc).png().toFile(path);
    const { alpha } = await cut(path, { drop: [[0.5, 0.5, 0.05]], keep: [[0.1, 0.1, 0.03]] });
    expect([alpha[100 * 200 + 100], alpha[20 * 200 + 20], alpha[100 * 200 + 145]]).toEqual([0, 255, 255]);
  });
});
