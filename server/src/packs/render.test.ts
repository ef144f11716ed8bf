import { packIds, packs, type PackId } from '@plinth/contract/packs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cutouts, hardest, scenes } from '../../test/cutouts.ts';
import { measurePicture } from './measure.ts';
import { findRefusedPacks, readSource, renderPack, renderSource } from './render.ts';
import { checkPacks } from './rules.ts';

const jpegIds = packIds.filter((id) => packs[id].picture.contentType === 'image/jpeg');

/** Packs that make the same file of a cut-out, as they have the same figures; one file is made for all of them. */
const cutoutFiles = Object.values(Object.groupBy(packIds, (id) => JSON.stringify(packs[id].picture))) as [
  PackId,
  ...PackId[],
][];
/** The others become one of each kind: the largest, the one that is no square, the trimmed one, and Amazon's. */
const KINDS: PackId[] = ['walmart', 'instagram-portrait', 'transparent-png', 'amazon-main'];
const filesOf = (name: string) =>
  hardest.includes(name) ? cutoutFiles : cutoutFiles.filter(([id]) => KINDS.includes(id));

async function render(content: Uint8Array, id: PackId): Promise<Uint8Array> {
  const rendered = await renderPack(content, packs[id]);
  if ('refusal' in rendered) throw new Error(rendered.refusal);
  return rendered.content;
}

const MASK_SIDE = 1000;

/** What an engine might see of the product, in small: nothing, all of it, or its upper half. */
async function masksOf(file: Uint8Array): Promise<(Buffer | undefined)[]> {
  const small = sharp(file).resize(MASK_SIDE, MASK_SIDE, { fit: 'inside' }).greyscale();
  const { data: grey, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const make = (isSeen: (at: number) => boolean) => {
    const rgba = Buffer.alloc(grey.length * 4);
    for (let at = 0; at < grey.length; at += 1) rgba[at * 4 + 3] = (grey[at] ?? 0) < 250 && isSeen(at) ? 255 : 0;
    return sharp(rgba, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  };
  return [undefined, await make(() => true), await make((at) => at < (width * height) / 2)];
}

describe.each(Object.keys(cutouts))('a cut-out: %s', (name) => {
  it('becomes files of the exact size and type that pass their own checks, however much the engine sees', async () => {
    const content = await cutouts[name]!();
    const source = await readSource(content);
    const refused = await findRefusedPacks(content);
    for (const [id, ...others] of filesOf(name)) {
      const { picture } = packs[id];
      const rendered = await renderSource(source, packs[id]);
      expect([name, id, refused[id]]).toEqual([name, id, 'refusal' in rendered ? rendered.refusal : undefined]);
      if ('refusal' in rendered) {
        expect([name, id, rendered.refusal]).toEqual([name, id, 'picture_too_small']);
        continue;
      }
      const { width, height, format, space, hasAlpha } = await sharp(rendered.content).metadata();
      if (picture.width !== null) {
        expect({ width, height, format, space, hasAlpha }).toEqual({
          width: picture.width,
          height: picture.height,
          format: 'jpeg',
          space: 'srgb',
          hasAlpha: false,
        });
        expect(rendered.content.byteLength).toBeLessThanOrEqual(picture.maxBytes);
      }
      const masks = id === 'amazon-main' ? await masksOf(rendered.content) : [undefined];
      for (const mask of masks) {
        const checks = checkPacks(await measurePicture(rendered.content, mask));
        for (const pack of [id, ...others]) {
          const check = checks.find((one) => one.pack === pack);
          const failed = check?.rules.filter(({ level, passed }) => level === 'must' && !passed);
          expect([name, pack, failed]).toEqual([name, pack, []]);
          expect(check?.ready).toBe(true);
        }
      }
    }
  });
});

it('says of every picture without making a file which packs would make none', async () => {
  const small = await sharp({ create: { width: 700, height: 420, channels: 3, background: '#206040' } })
    .png()
    .toBuffer();
  const framed = await sharp(await scenes[Object.keys(scenes)[0] ?? '']!())
    .resize(770, 770, { fit: 'cover' })
    .extend({ top: 20, bottom: 20, left: 20, right: 20, background: '#e01010' })
    .png()
    .toBuffer();
  const smallCutout = await sharp(await cutouts['a mug']!())
    .resize(500)
    .png()
    .toBuffer();
  for (const content of [small, framed, smallCutout]) {
    const refused = await findRefusedPacks(content);
    const source = await readSource(content);
    for (const id of packIds) {
      const rendered = await renderSource(source, packs[id]);
      expect([id, refused[id]]).toEqual([id, 'refusal' in rendered ? rendered.refusal : undefined]);
    }
  }
});

describe('a file', () => {
  it.each(['a mug', 'all colours at once', 'a soft shadow below'])('of %s is the same every time', async (name) => {
    const content = await cutouts[name]!();
    for (const id of ['amazon-main', 'transparent-png'] as const) {
      const [one, other] = [await renderPack(content, packs[id]), await renderPack(content, packs[id])];
      expect(one).toEqual(other);
    }
  });

  it('shows the product in the middle, its longer side filling its share, and pure white up to its own blocks', async () => {
    const file = await render(await cutouts['a wide thin thing']!(), 'amazon-main');
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    // 90 % of 2000 x 2000, and 1280 : 120.
    const [left, right, height] = [100, 1900, Math.round((120 * 1800) / 1280)];
    const top = Math.floor((2000 - height) / 2);
    const isNear = (x: number, y: number) => x >= left - 8 && x < right + 8 && y >= top - 8 && y < top + height + 8;
    let strays = 0;
    for (let at = 0; at < data.length; at += 3) {
      const [x, y] = [(at / 3) % info.width, Math.floor(at / 3 / info.width)];
      if (!isNear(x, y) && (data[at] !== 255 || data[at + 1] !== 255 || data[at + 2] !== 255)) strays += 1;
    }
    expect(strays).toBe(0);
    const at = (x: number, y: number) => data[(y * info.width + x) * 3 + 2] ?? 0;
    expect([at(left + 6, 1000), at(right - 6, 1000), at(1000, top + 6), at(1000, top + height - 6)]).toEqual(
      [0x20, 0x20, 0x20, 0x20].map((value) => expect.closeTo(value, -1) as number),
    );
  });

  it('is not made of a product that would have to grow by more than twice', async () => {
    const make = (side: number) =>
      sharp({ create: { width: 1000, height: 1000, channels: 4, background: '#00000000' } })
        .composite([{ input: { create: { width: side, height: 40, channels: 4, background: '#225588' } } }])
        .png()
        .toBuffer();
    expect(await renderPack(await make(899), packs['amazon-main'])).toEqual({ refusal: 'picture_too_small' });
    expect(await renderPack(await make(900), packs['amazon-main'])).toHaveProperty('content');
  });

  it('trims a PNG to the product and 2 % of its longer side, pixel for pixel', async () => {
    const file = await render(await cutouts['a tall thin thing']!(), 'transparent-png');
    const margin = Math.round(1280 * 0.02);
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ format: 'raw', width: 120 + 2 * margin, height: 1280 + 2 * margin, channels: 4 });
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
    expect(pixel(margin - 1, margin)).toEqual([0, 0, 0, 0]);
    expect(pixel(margin, margin)).toEqual([0x20, 0x70, 0x40, 255]);
    expect(pixel(margin + 119, margin + 1279)).toEqual([0x20, 0x70, 0x40, 255]);
  });

  it('keeps what the picture says of its making', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>';
    const content = await sharp(await cutouts['a hard circle']!())
      .png()
      .withXmp(xmp)
      .toBuffer();
    for (const id of ['ebay', 'transparent-png'] as const) {
      expect((await sharp(await render(content, id)).metadata()).xmp?.toString()).toContain('adobe:ns:meta/');
    }
  });
});

describe.each(Object.keys(scenes))('a picture without transparency: %s', (name) => {
  it('is refused where a cut-out is needed, and else fits exactly and passes what the pack asks', async () => {
    const source = await readSource(await scenes[name]!());
    for (const id of packIds) {
      const rendered = await renderSource(source, packs[id]);
      if (packs[id].needs === 'cutout') {
        expect(rendered).toEqual({ refusal: 'cutout_needed' });
        continue;
      }
      if ('refusal' in rendered) throw new Error(`${id}: ${rendered.refusal}`);
      const { width, height } = await sharp(rendered.content).metadata();
      expect([width, height]).toEqual([packs[id].picture.width, packs[id].picture.height]);
      const check = checkPacks(await measurePicture(rendered.content, undefined)).find(({ pack }) => pack === id);
      expect([id, check?.rules.filter(({ level, passed }) => level === 'must' && !passed)]).toEqual([id, []]);
    }
  });
});

it('every marketplace has a picture to make', () => expect(jpegIds.length).toBe(packIds.length - 1));
