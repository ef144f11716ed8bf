import { beforeAll, describe, expect, it } from 'vitest';
import { classicalMatter } from '../src/matting/classical.ts';
import { cutOut } from '../src/matting/cutout.ts';
import { findGlass } from '../src/matting/glass.ts';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { findGlassShortcomings, measureGlasses, type GlassRow } from './clear-glass.ts';
import { PRODUCTS, compose, productPath, readMask, readSample, shootByPhone } from './composites.ts';

beforeAll(loadOpenCv);

const quiet = async () => {};

describe('clear glass', { timeout: 120_000 }, () => {
  const rows: GlassRow[] = [];

  it('is found by its outline and lets the background through', async () => {
    rows.push(...(await measureGlasses()));
    expect(findGlassShortcomings(rows)).toEqual([]);
  });

  it('would be noticed when it is missed, opaque, or of other colours', () => {
    const drawn = rows.find((row) => row.composite !== undefined)!;
    expect(findGlassShortcomings([{ ...drawn, wasFound: false }])).toHaveLength(1);
    expect(findGlassShortcomings([{ ...drawn, inside: 0.7 }])).toHaveLength(1);
    expect(findGlassShortcomings([{ ...drawn, composite: 60 }])).toHaveLength(1);
  });

  it('is cut from a photo at full size: clear bowl, plain highlights, nothing around', async () => {
    const { width, height, alpha } = await cutOut(productPath('wineglass'), 'image_url', classicalMatter, quiet);
    expect([width, height]).toEqual([1200, 1600]);
    const meanWithin = (left: number, top: number, side: number) => {
      let sum = 0;
      for (let y = top; y < top + side; y += 1)
        for (let x = left; x < left + side; x += 1) sum += alpha[y * width + x]!;
      return sum / side ** 2 / 255;
    };
    expect(meanWithin(570, 420, 80)).toBeGreaterThan(0.12);
    expect(meanWithin(570, 420, 80)).toBeLessThan(0.35);
    expect(meanWithin(522, 330, 8)).toBeGreaterThan(0.55);
    expect(meanWithin(100, 1300, 200)).toBe(0);
    const truth = await readMask('wineglass', width, height);
    const beyond = alpha.filter((cover, i) => cover > 25 && truth[i]! < 0.02).length;
    expect(beyond / alpha.filter((cover) => cover > 25).length).toBeLessThan(0.05);
  });
});

describe('what is opaque', { timeout: 240_000 }, () => {
  it.each(PRODUCTS.filter((name) => name !== 'wineglass'))('is not taken for glass: %s', async (name) => {
    const sample = await readSample(name, 640);
    expect(await findGlass(sample.picture)).toBeUndefined();
    expect(await findGlass((await shootByPhone(compose(sample, 'white', 5), 5)).picture)).toBeUndefined();
  });

  it.each(['person-li', 'person-nora', 'person-tom'])('nor is a person: %s', async (name) => {
    expect(await findGlass((await readSample(name, 640)).picture)).toBeUndefined();
  });
});
