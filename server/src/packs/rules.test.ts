import type { PackId } from '@plinth/contract/pack-names';
import { type PackFigures, packs, type RuleId } from '@plinth/contract/packs';
import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { measurePicture } from './measure.ts';
import { renderPack } from './render.ts';
import { checkPacks } from './rules.ts';

/** For every rule one picture that breaks only this rule of its marketplace, and one that just keeps it. */

const mug = (x: number, y: number, r: number, fill = '#a03020') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;

const draw = (inside: string, { width, height, background = '#ffffff', scale = 1 }: Drawn) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${background}"/>${inside}</svg>`,
    ),
  ).flatten();
/** Size in the drawing's units; `scale` is pixels per unit. */
type Drawn = { width: number; height: number; background?: string; scale?: number };

/** The smallest side that the strictest marketplace advises. */
const BIG = { width: 2000, height: 2000, scale: 0.8 };
const UPRIGHT = { width: 1801, height: 2600 };
const jpeg = (picture: Sharp) => picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
const filling = (share: number, drawn: Drawn = BIG) =>
  draw(mug(drawn.width / 2, drawn.height / 2, (Math.min(drawn.width, drawn.height) * share) / 2), drawn);
const write = (text: string, y = 1930) =>
  `<text x="200" y="${y}" font-size="90" font-family="DejaVu Sans, sans-serif" fill="#101010">${text}</text>`;

/** Noise within a white border, so that the file exceeds a size in bytes. */
async function makeNoise(bytes: number): Promise<Buffer> {
  const side = 1600;
  let state = 7;
  const raw = Buffer.alloc(side * side * 3, 255);
  for (let at = 0; at < raw.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % side, Math.floor(at / 3 / side)];
    if (Math.min(x, y, side - x, side - y) < 96) continue;
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    raw[at] = (state / 2_147_483_648) * 120;
  }
  const content = await sharp(raw, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  expect(content.byteLength).toBeGreaterThan(bytes);
  return content;
}

const stating = (type: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/${type}</Iptc4xmpExt:DigitalSourceType></rdf:Description></rdf:RDF></x:xmpmeta>`;

const onGlass = async (fill: string) =>
  sharp({ create: { width: 900, height: 900, channels: 4, background: fill } })
    .composite([{ input: Buffer.from(`<svg width="900" height="900">${mug(450, 450, 400)}</svg>`) }])
    .png()
    .toBuffer();

/** The engine's mask: a small picture that shows only the product. */
const makeMask = (product: string, { width, height }: Drawn) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${product}</svg>`))
    .resize(800)
    .png()
    .toBuffer();

type Made = { content: Buffer; mask?: Buffer };
type Pair = { pack: PackId; breaks: () => Promise<Buffer | Made>; keeps: () => Promise<Buffer | Made> };

async function cut(x: number, y: number, drawn: Drawn, r = 880): Promise<Made> {
  return { content: await jpeg(draw(mug(x, y, r), drawn)), mask: await makeMask(mug(x, y, r), drawn) };
}

async function framed(border: number): Promise<Made> {
  const drawn = { ...BIG, background: '#f0e8d8' };
  const around = { top: border, bottom: border, left: border, right: border };
  const [picture, mask] = [jpeg(filling(0.8, drawn)), makeMask(mug(1000, 1000, 800), drawn)];
  return {
    content: await jpeg(sharp(await picture).extend({ ...around, background: '#102030' })),
    mask: await sharp(await mask)
      // Half as large as the picture.
      .extend({ top: border / 2, bottom: border / 2, left: border / 2, right: border / 2, background: '#00000000' })
      .png()
      .toBuffer(),
  };
}

const pairs: Record<RuleId, Pair> = {
  'background-white': {
    pack: 'amazon-main',
    breaks: () =>
      draw(`${mug(1000, 1000, 880)}<rect x="8" y="8" width="8" height="8" fill="#fefefe"/>`, BIG)
        .png()
        .toBuffer(),
    keeps: () => filling(0.88).png().toBuffer(),
  },
  'fills-frame': {
    pack: 'amazon-main',
    breaks: () => jpeg(filling(0.84)),
    keeps: () => jpeg(filling(0.85)),
  },
  'size-min': {
    pack: 'zalando',
    breaks: () => jpeg(filling(0.9, { width: 761, height: 1100 })),
    keeps: () => jpeg(filling(0.9, { width: 762, height: 1100 })),
  },
  'size-max': {
    pack: 'allegro',
    breaks: () => jpeg(filling(0.9, { width: 2561, height: 2561 })),
    keeps: () => jpeg(filling(0.9, { width: 2560, height: 2560 })),
  },
  bytes: { pack: 'walmart', breaks: () => makeNoise(5_000_000), keeps: () => jpeg(filling(0.9)) },
  'file-type': {
    pack: 'zalando',
    breaks: () => filling(0.9, UPRIGHT).png().toBuffer(),
    keeps: () => jpeg(filling(0.9, UPRIGHT)),
  },
  'file-format': {
    pack: 'mercado-libre',
    breaks: () => filling(0.95).webp({ lossless: true }).toBuffer(),
    keeps: () => filling(0.95).png().toBuffer(),
  },
  'colour-space': {
    pack: 'otto',
    breaks: () => jpeg(filling(0.9).toColourspace('cmyk')),
    keeps: () => jpeg(filling(0.9).withIccProfile('p3')),
  },
  square: {
    pack: 'walmart',
    breaks: () => jpeg(filling(0.9, { width: 2000, height: 2001 })),
    keeps: () => jpeg(filling(0.9)),
  },
  'no-border': { pack: 'ebay', breaks: () => framed(20), keeps: () => framed(0) },
  'whole-product': {
    pack: 'kaufland',
    breaks: () => cut(879, 1000, BIG),
    keeps: () => cut(884, 1000, BIG),
  },
  'has-transparency': { pack: 'transparent-png', breaks: () => onGlass('#ffffff'), keeps: () => onGlass('#ffffff00') },
  'no-text': {
    pack: 'otto',
    breaks: () =>
      draw(`${mug(1000, 900, 800)}${write('new colour, 30 % off')}`, BIG)
        .png()
        .toBuffer(),
    // Text on the product belongs to the product.
    keeps: () =>
      draw(`${mug(1000, 900, 800)}<g transform="translate(300 -1000)">${write('new colour')}</g>`, BIG)
        .png()
        .toBuffer(),
  },
  'one-product': {
    pack: 'amazon-main',
    breaks: () =>
      draw(`${mug(480, 1000, 440)}${mug(1520, 1000, 440, '#204080')}`, BIG)
        .png()
        .toBuffer(),
    keeps: () =>
      draw(`${mug(480, 1000, 440)}${mug(1520, 1000, 440)}`, BIG)
        .png()
        .toBuffer(),
  },
  'not-cut-off': {
    pack: 'zalando',
    breaks: () => cut(600, 1300, UPRIGHT, 800),
    // A product that only touches the frame is not cut off.
    keeps: () => cut(801, 1300, UPRIGHT, 800),
  },
  'ai-allowed': {
    pack: 'vinted',
    breaks: () => jpeg(filling(0.8).withXmp(stating('compositeWithTrainedAlgorithmicMedia'))),
    keeps: () => jpeg(filling(0.8).withXmp(stating('compositeSynthetic'))),
  },
  'sentence-needed': {
    pack: 'allegro',
    breaks: () => jpeg(filling(0.8).withXmp(stating('compositeSynthetic'))),
    keeps: () => jpeg(filling(0.8).withXmp(stating('algorithmicallyEnhanced'))),
  },
};

async function listBroken(made: Buffer | Made, pack: PackId): Promise<RuleId[]> {
  const { content, mask } = Buffer.isBuffer(made) ? { content: made, mask: undefined } : made;
  const check = checkPacks(await measurePicture(content, mask)).find((one) => one.pack === pack);
  return check?.rules.flatMap(({ id, passed }) => (passed ? [] : [id])) ?? [];
}

it.each(Object.entries(pairs))(
  '%s is broken by one picture alone, and just kept by another',
  { tags: ['slow'] },
  async (id, pair) => {
    const { rules }: PackFigures = packs[pair.pack];
    expect(rules.map((rule) => rule.id)).toContain(id);
    expect(await listBroken(await pair.breaks(), pair.pack)).toEqual([id]);
    expect(await listBroken(await pair.keeps(), pair.pack)).toEqual([]);
  },
);

it('predicts for a bordered picture the refusal of the picture inside its border', async () => {
  const inner = await draw(mug(126, 126, 60), { width: 252, height: 252, background: '#f0e8d8' })
    .png()
    .toBuffer();
  const around = { top: 12, bottom: 12, left: 12, right: 12, background: '#102030' };
  const content = await sharp(inner).extend(around).png().toBuffer();
  const [ebay] = checkPacks(await measurePicture(content, undefined)).filter(({ pack }) => pack === 'ebay');
  expect(await renderPack(content, packs.ebay)).toEqual({ refusal: 'picture_too_small' });
  expect(ebay).toMatchObject({ refusal: 'picture_too_small', canFix: false });
});

it.each([
  [1600, true],
  [200, false],
])('a cut-out may mend a picture of %i pixels in which no product was found: %s', async (side, canFix) => {
  const grey = await jpeg(draw('', { width: side, height: side, background: '#808080' }));
  const plain = await measurePicture(grey, undefined);
  expect(plain.product).toBe(null);
  const found = checkPacks(plain).find(({ pack }) => pack === 'amazon-main');
  expect(found).toMatchObject({ refusal: 'cutout_needed', ready: false, canFix });
});
