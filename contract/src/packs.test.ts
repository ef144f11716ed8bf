import { describe, expect, it } from 'vitest';
import { isPackId, packIds } from './pack-names.ts';
import {
  checkListSchema,
  describePack,
  enoughPixels,
  fitPack,
  leastFrame,
  MAX_ENLARGEMENT,
  packFilename,
  type PackFigures,
  packListSchema,
  packPreviewUrl,
  packs,
  packUrl,
  type Rule,
  sayRule,
} from './packs.ts';

type Of<Id extends Rule['id']> = Extract<Rule, { id: Id }>;
const rulesOf = <Id extends Rule['id']>({ rules }: PackFigures, id: Id) =>
  rules.filter((rule): rule is Of<Id> & typeof rule => rule.id === id);

describe.each(packIds)('the pack %s', (id) => {
  const pack = packs[id];
  const { width, height, fill, maxBytes, contentType, background } = pack.picture;
  const sides = { longer: Math.max(width ?? 0, height ?? 0), shorter: Math.min(width ?? 0, height ?? 0) };

  it('has a name, a source of its figures and their date', () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(pack.name.trim()).toMatch(/^\w/);
    expect(pack.source.length).toBeGreaterThan(10);
    expect(new Date(pack.asOf).getTime()).toBeGreaterThan(Date.parse('2025-01-01'));
    expect(pack.rules.length).toBeGreaterThan(0);
  });

  it('matches its API schema, each rule with a whole sentence', () => {
    const { items } = packListSchema.parse({ items: [describePack(id)] });
    expect(items[0]).toMatchObject({ id, name: pack.name, needs: pack.needs });
    for (const { says } of items[0]?.rules ?? []) {
      expect(says).toMatch(/^[A-Z].*\w$/);
      expect(says).not.toMatch(/undefined|NaN|\[object| {2}|\.\d{3}/);
    }
  });

  it('has no rule that its own file breaks: white behind a photo', () => {
    const isAsked = rulesOf(pack, 'background-white').some(({ level }) => level === 'must');
    expect([pack.needs, isAsked]).not.toEqual(['picture', true]);
  });

  it('has no rule that its own file breaks: size', () => {
    if (width === null) return expect(rulesOf(pack, 'size-min')).toEqual([]);
    for (const rule of rulesOf(pack, 'size-min')) {
      if (rule.side === 'both') expect([width >= rule.width, height >= rule.height]).toEqual([true, true]);
      else expect(sides[rule.side]).toBeGreaterThanOrEqual(rule.pixels);
    }
    for (const { side, pixels } of rulesOf(pack, 'size-max'))
      expect(side === 'area' ? sides.longer * sides.shorter : sides[side]).toBeLessThanOrEqual(pixels);
    if (rulesOf(pack, 'square').length > 0) expect(width).toBe(height);
  });

  it('has no rule that its own file breaks: type and bytes', () => {
    const kind = contentType === 'image/png' ? 'PNG' : 'JPEG';
    for (const { types } of rulesOf(pack, 'file-type')) expect(types).toContain(kind);
    for (const { most } of rulesOf(pack, 'bytes')) expect(maxBytes).toBeLessThanOrEqual(most);
  });

  it('has no rule that its own file breaks: product and background', () => {
    for (const { least, most = 1 } of rulesOf(pack, 'fills-frame')) {
      expect(fill).toBeGreaterThanOrEqual(least);
      expect(fill).toBeLessThanOrEqual(most);
    }
    if (rulesOf(pack, 'background-white').length > 0) expect(background).toBe('#ffffff');
    if (rulesOf(pack, 'has-transparency').length > 0) expect(contentType).toBe('image/png');
  });

  it('does not demand and advise the same', () => {
    const sayings = pack.rules.map(sayRule);
    expect(new Set(sayings).size).toBe(sayings.length);
  });

  it('returns how many pixels always suffice, for a cut-out fewer than its file has', () => {
    const cutout = enoughPixels(pack, true);
    const picture = enoughPixels(pack, false);
    if (width === null) return expect([cutout.pixels, picture.pixels]).toEqual([0, 0]);
    expect(cutout.side).toBe('longer');
    expect(picture.side).toBe(pack.fit === 'crop' ? 'shorter' : 'longer');
    expect(cutout.pixels).toBeLessThanOrEqual(picture.pixels);
    expect(picture.pixels * 2).toBeGreaterThanOrEqual(
      Math.max(pack.least?.width ?? width, pack.least?.height ?? height),
    );
    expect(picture.pixels).toBeLessThan(sides.longer);
  });

  it('has a smallest file of its own aspect ratio that meets the `must` rules on size', () => {
    const least = leastFrame(pack);
    if (width === null || least === undefined) return expect([width, least]).toEqual([null, undefined]);
    expect(least.width / least.height).toBeCloseTo(width / height, 2);
    expect([least.width <= width, least.height <= height]).toEqual([true, true]);
    for (const rule of rulesOf(pack, 'size-min').filter(({ level }) => level === 'must')) {
      const [longer, shorter] = [Math.max(least.width, least.height), Math.min(least.width, least.height)];
      if (rule.side === 'both') expect([least.width >= rule.width, least.height >= rule.height]).toEqual([true, true]);
      else expect(rule.side === 'longer' ? longer : shorter).toBeGreaterThanOrEqual(rule.pixels);
    }
  });

  it('makes a file of a picture exactly if enlarging it twice reaches the smallest file', () => {
    const least = leastFrame(pack);
    if (width === null || least === undefined) return;
    const enough = { width: Math.ceil(least.width / 2), height: Math.ceil(least.height / 2) };
    const fitted = fitPack(enough, false, pack);
    expect(fitted).toBeDefined();
    expect(fitted?.enlarged).toBeLessThanOrEqual(MAX_ENLARGEMENT);
    expect([fitted?.width, fitted?.height]).toEqual([
      expect.toSatisfy((side: number) => side >= least.width && side <= width),
      expect.toSatisfy((side: number) => side >= least.height && side <= height),
    ]);
    const below = { width: Math.floor(least.width / 2) - 1, height: Math.floor(least.height / 2) - 1 };
    expect(fitPack(below, false, pack)).toBeUndefined();
    expect(fitPack({ width: width * 2, height: height * 2 }, false, pack)).toEqual({ width, height, enlarged: 0.5 });
  });

  it("names its files by the item's facts, unlike those of every other pack", () => {
    const words = [...pack.names.matchAll(/\{(\w+)\}/g)].map(([, word]) => word);
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(['asin', 'ean', 'sku', 'role', 'handle', 'file', 'n']).toContain(word);
    expect(words.includes('role')).toBe(pack.roles.length > 0);
    const alike = packIds.filter(
      (other) => packs[other].names === pack.names && packs[other].roles[0] === pack.roles[0],
    );
    expect(alike).toEqual([id]);
  });

  it('names its file by the result and the pack, with the extension of its type', () => {
    const ending = contentType === 'image/png' ? 'png' : 'jpg';
    expect(packFilename('mockup.2026-01-02.png', id)).toBe(`mockup.2026-01-02-${id}.${ending}`);
    expect(packFilename('no ending', id)).toBe(`no ending-${id}.${ending}`);
  });

  it('has a URL below its media item, and a preview below that', () => {
    expect(packUrl('m1', id)).toBe(`/api/v1/media/m1/packs/${id}`);
    expect(packPreviewUrl('m1', id)).toBe(`${packUrl('m1', id)}/preview`);
  });
});

it('every marketplace has its id in pack-names.ts, in the order of the entries', () => {
  expect(Object.keys(packs)).toEqual(packIds);
});

describe('the packs together', () => {
  it('have different names', () => {
    expect(new Set(packIds.map((id) => packs[id].name)).size).toBe(packIds.length);
  });

  it.each(['', 'Amazon-Main', 'amazon', '__proto__', 'toString'])('are not called %j', (id) => {
    expect(isPackId(id)).toBe(false);
  });
});

describe('a rule in words', () => {
  it.each<[Rule, string]>([
    [{ id: 'fills-frame', level: 'must', least: 0.85 }, 'The product fills 85 % of the frame'],
    [{ id: 'fills-frame', level: 'advice', least: 0.6, most: 0.9 }, 'The product fills 60 % to 90 % of the frame'],
    [{ id: 'size-min', level: 'must', side: 'longer', pixels: 10_000 }, 'At least 10,000 pixels on the longer side'],
    [{ id: 'size-min', level: 'must', side: 'both', width: 762, height: 1100 }, 'At least 762 × 1,100 pixels'],
    [{ id: 'file-format', level: 'must', refused: ['WebP', 'GIF'] }, 'The file is no WebP or GIF'],
    [{ id: 'colour-space', level: 'must', spaces: ['sRGB'] }, 'The colours are sRGB'],
    [{ id: 'size-max', level: 'must', side: 'shorter', pixels: 500 }, 'At most 500 pixels on the shorter side'],
    [{ id: 'size-max', level: 'must', side: 'area', pixels: 25_000_000 }, 'At most 25 megapixels'],
    [{ id: 'bytes', level: 'must', most: 500_000 }, 'The file has at most 0.5 MB'],
    [{ id: 'file-type', level: 'must', types: ['JPEG'] }, 'The file is a JPEG'],
    [{ id: 'file-type', level: 'must', types: ['JPEG', 'PNG'] }, 'The file is a JPEG or PNG'],
    [{ id: 'file-type', level: 'must', types: ['JPEG', 'PNG', 'TIFF'] }, 'The file is a JPEG, PNG or TIFF'],
  ])('%j', (rule, sentence) => {
    expect(sayRule(rule)).toBe(sentence);
  });
});

describe('the answer of a check', () => {
  const check = {
    pack: 'etsy',
    ready: false,
    canFix: true,
    refusal: null,
    rules: [{ id: 'size-min', level: 'advice', says: 'At least 2,000', passed: false, measured: '900' }],
  };
  const isCheck = (changed: object) => checkListSchema.safeParse({ items: [{ ...check, ...changed }] }).success;

  it('matches its schema, with a refusal or without', () => {
    expect(isCheck({})).toBe(true);
    expect(isCheck({ refusal: 'cutout_needed' })).toBe(true);
  });

  it.each([{ pack: 'myspace' }, { refusal: 'too_ugly' }, { ready: 'no' }, { rules: [{ id: 'is-nice' }] }])(
    'is not understood with %j',
    (changed) => {
      expect(isCheck(changed)).toBe(false);
    },
  );
});
