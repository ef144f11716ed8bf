import { isDeepStrictEqual } from 'node:util';
import { standardLook } from '@plinth/contract/looks';
import { packIds, type PackId } from '@plinth/contract/pack-names';
import { type Frame, type PackFigures, packs } from '@plinth/contract/packs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cutouts, scenes } from '../../test/cutouts.ts';
import { readSourceType } from '@plinth/contract/source-type';
import { measurePicture } from './measure.ts';
import { measureSubject, previewPack, renderPack } from './render.ts';
import { checkPacks } from './rules.ts';
import { type LookOptions, findRefusal } from './arrange.ts';

const jpegIds = packIds.filter((id) => packs[id].picture.contentType === 'image/jpeg');

/** Packs with the same figures render the same file, so one of them stands for all. */
const twinsOf = (id: PackId) => packIds.filter((other) => isDeepStrictEqual(packs[other].picture, packs[id].picture));
/**
 * At full size: the hardest edge (fur) in the largest frame and in one that is not square; transparent glass; and the
 * picture with the most bytes.
 */
const AT_FULL_SIZE: [string, PackId[]][] = [
  ['a teddy with fur', ['allegro', 'zalando']],
  ['a glass', ['amazon-main', 'transparent-png']],
  ['all colours at once', ['walmart']],
];

/** Without a look, and as a small product of a run with a common scale. */
const LOOKS: [LookOptions, LookOptions] = [{ look: null }, { look: { ...standardLook, scale: 'height' }, share: 0.3 }];

async function render(content: Uint8Array, figures: PackFigures): Promise<Uint8Array> {
  const rendered = await renderPack(content, figures);
  if ('refusal' in rendered) throw new Error(rendered.refusal);
  return rendered.content;
}

/** Small masks as an engine might return: none, the whole product, or its upper half. */
async function masksOf(file: Uint8Array): Promise<(Buffer | undefined)[]> {
  const small = sharp(file).resize(MASK_SIDE, MASK_SIDE, { fit: 'inside' }).greyscale();
  const { data: grey, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const makeMask = (visiblePixels: number) => {
    const rgba = Buffer.alloc(grey.length * 4);
    for (let at = 0; at < visiblePixels; at += 1) rgba[at * 4 + 3] = (grey[at] ?? 0) < 250 ? 255 : 0;
    return sharp(rgba, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  };
  return [undefined, await makeMask(width * height), await makeMask((width * height) / 2)];
}

/** The packs whose own check rejects the file, with the failed mandatory rules. */
async function listFailed(file: Uint8Array, ids: PackId[], mask?: Uint8Array) {
  const checks = checkPacks(await measurePicture(file, mask));
  return ids.flatMap((id) => {
    const check = checks.find(({ pack }) => pack === id);
    const failed = check?.rules.filter(({ level, passed }) => level === 'must' && !passed);
    return check?.ready === true && failed?.length === 0 ? [] : [{ id, failed }];
  });
}

/** A tenth of the area, with the same proportions and rules. */
const SCALE = 0.3;
const shrinkFrame = ({ width, height }: Frame): Frame => ({
  width: Math.round(width * SCALE),
  height: Math.round(height * SCALE),
});
const shrink = ({ picture, least, ...pack }: PackFigures): PackFigures => ({
  ...pack,
  picture: picture.width === null ? picture : { ...picture, ...shrinkFrame(picture) },
  least: least && shrinkFrame(least),
});
const SMALL = shrink(packs['amazon-main']);
const MASK_SIDE = 600;

describe.each(Object.keys(cutouts))('a cut-out: %s', (name) => {
  it('becomes a file on pure white that passes its own check, whatever mask the engine returns', async () => {
    const file = await render(await cutouts[name]!(SCALE), SMALL);
    for (const mask of await masksOf(file)) expect(await listFailed(file, ['amazon-main'], mask)).toEqual([]);
  });
});

describe.each(AT_FULL_SIZE)('a cut-out at full size: %s', { tags: ['slow'] }, (name, ids) => {
  it('becomes files of the exact size and type that pass their own checks', async () => {
    const content = await cutouts[name]!();
    const subject = await measureSubject(content);
    for (const id of packIds) expect([id, findRefusal(subject, packs[id], LOOKS[0])]).toEqual([id, null]);
    for (const id of ids) {
      const rendered = await renderPack(content, packs[id]);
      if ('refusal' in rendered) throw new Error(`${id}: ${rendered.refusal}`);
      const { width, height, format, space, hasAlpha } = await sharp(rendered.content).metadata();
      const { picture } = packs[id];
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
      expect(await listFailed(rendered.content, twinsOf(id))).toEqual([]);
    }
  });
});

it('predicts, without rendering, which packs refuse a picture', async () => {
  const small = await sharp({ create: { width: 210, height: 126, channels: 3, background: '#206040' } })
    .png()
    .toBuffer();
  const framed = await sharp(await scenes[Object.keys(scenes)[0] ?? '']!())
    .resize(231, 231, { fit: 'cover' })
    .extend({ top: 6, bottom: 6, left: 6, right: 6, background: '#e01010' })
    .png()
    .toBuffer();
  const smallCutout = await sharp(await cutouts['a mug']!(SCALE))
    .resize(150)
    .png()
    .toBuffer();
  const [plain, low] = LOOKS;
  const asked: [Buffer, LookOptions][] = [
    [small, plain],
    [framed, plain],
    [smallCutout, plain],
    [smallCutout, low],
  ];
  const refusals = new Set<string | null>();
  for (const [content, options] of asked) {
    const subject = await measureSubject(content);
    for (const id of packIds) {
      const pack = shrink(packs[id]);
      const rendered = await renderPack(content, pack, options);
      const refusal = 'refusal' in rendered ? rendered.refusal : null;
      expect([id, findRefusal(subject, pack, options)]).toEqual([id, refusal]);
      refusals.add(refusal);
    }
  }
  expect(refusals).toEqual(new Set([null, 'cutout_needed', 'picture_too_small']));
});

describe('a file', () => {
  it('is rendered deterministically', async () => {
    const content = await cutouts['a soft shadow below']!(SCALE);
    for (const figures of [SMALL, packs['transparent-png']]) {
      expect(await renderPack(content, figures)).toEqual(await renderPack(content, figures));
    }
  });

  it('shows the product in the middle, its longer side filling its share, and pure white up to its own blocks', async () => {
    const file = await render(await cutouts['a wide thin thing']!(), packs['amazon-main']);
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

  const bar = (side: number) =>
    sharp({ create: { width: 1000, height: 1000, channels: 4, background: '#00000000' } })
      .composite([{ input: { create: { width: side, height: 40, channels: 4, background: '#225588' } } }])
      .png()
      .toBuffer();
  it.each([
    [1000, 2000, 1.8],
    [900, 2000, 2],
    [899, 1997, 2],
    [225, 500, 2],
  ])(
    'of a product of %i pixels has %i: the product is at most doubled, and the file becomes smaller instead',
    { tags: ['slow'] },
    async (side, width, enlarged) => {
      const rendered = await renderPack(await bar(side), packs['amazon-main']);
      if ('refusal' in rendered) throw new Error(rendered.refusal);
      expect(rendered.enlarged).toBeCloseTo(enlarged, 2);
      expect(await sharp(rendered.content).metadata()).toMatchObject({ width, height: width });
      expect(await listFailed(rendered.content, ['amazon-main'])).toEqual([]);
    },
  );

  it('is refused below the marketplace’s minimum, or below its own size if no minimum is known', async () => {
    expect(await renderPack(await bar(224), packs['amazon-main'])).toEqual({ refusal: 'picture_too_small' });
    expect(await renderPack(await bar(799), packs.etsy)).toEqual({ refusal: 'picture_too_small' });
    expect(await renderPack(await bar(800), packs.etsy)).toHaveProperty('content');
  });

  it.each(['a mug', 'a ring with a hole'])(
    'is never blank, however small the run’s scale makes the product: %s',
    async (name) => {
      const content = await cutouts[name]!(SCALE);
      for (const share of [0.0001, 0.03, 0.04, 0.05]) {
        const rendered = await renderPack(content, shrink(packs.shopify), { ...LOOKS[1], share });
        if ('refusal' in rendered) throw new Error(rendered.refusal);
        const { channels } = await sharp(rendered.content).stats();
        expect([share, Math.min(...channels.map(({ min }) => min)) < 200]).toEqual([share, true]);
        // A product that would nearly vanish fills its place instead, and `look` reports it.
        expect([share, rendered.look]).toEqual([share, share < 0.035 ? 'partly' : 'full']);
      }
    },
  );

  it('states the source type that the marketplace requires for AI pictures, else the exact one', async () => {
    const stating = (type: string) =>
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/${type}</Iptc4xmpExt:DigitalSourceType></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const typeOf = async (type: string, id: PackId) => {
      const content = await sharp(await bar(900))
        .png()
        .withXmp(stating(type))
        .toBuffer();
      return readSourceType((await sharp(await render(content, packs[id])).metadata()).xmp?.toString());
    };
    const composite = 'compositeWithTrainedAlgorithmicMedia';
    expect(await typeOf(composite, 'google-merchant')).toBe('trainedAlgorithmicMedia');
    expect(await typeOf(composite, 'ebay')).toBe(composite);
    expect(await typeOf('compositeSynthetic', 'google-merchant')).toBe('compositeSynthetic');
  });

  it('trims a PNG to the product and 2 % of its longer side, pixel for pixel', async () => {
    const file = await render(await cutouts['a tall thin thing']!(), packs['transparent-png']);
    const margin = Math.round(1280 * 0.02);
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ format: 'raw', width: 120 + 2 * margin, height: 1280 + 2 * margin, channels: 4 });
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
    expect(pixel(margin - 1, margin)).toEqual([0, 0, 0, 0]);
    expect(pixel(margin, margin)).toEqual([0x20, 0x70, 0x40, 255]);
    expect(pixel(margin + 119, margin + 1279)).toEqual([0x20, 0x70, 0x40, 255]);
  });

  it('keeps the picture’s XMP', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>';
    const content = await sharp(await cutouts['a hard circle']!())
      .png()
      .withXmp(xmp)
      .toBuffer();
    for (const id of ['ebay', 'transparent-png'] as const) {
      expect((await sharp(await render(content, packs[id])).metadata()).xmp?.toString()).toContain('adobe:ns:meta/');
    }
  });
});

/** All files of one scene; of the others one that is extended to the frame and one that is cropped. */
const ALL_FILES_OF = 'a wide photo';
const SCENE_KINDS: PackId[] = ['google-merchant', 'instagram-portrait'];

describe.each(Object.keys(scenes))('a picture without transparency: %s', { tags: ['slow'] }, (name) => {
  it('is refused if the pack needs a cut-out; otherwise fits exactly and passes the pack’s check', async () => {
    const content = await scenes[name]!();
    const kinds = packIds.filter((id) => packs[id].needs === 'cutout' || SCENE_KINDS.includes(id));
    for (const id of name === ALL_FILES_OF ? packIds : kinds) {
      const rendered = await renderPack(content, packs[id]);
      if (packs[id].needs === 'cutout') {
        expect(rendered).toEqual({ refusal: 'cutout_needed' });
        continue;
      }
      if ('refusal' in rendered) throw new Error(`${id}: ${rendered.refusal}`);
      const { width, height } = await sharp(rendered.content).metadata();
      expect([width, height]).toEqual([packs[id].picture.width, packs[id].picture.height]);
      expect(await listFailed(rendered.content, [id])).toEqual([]);
    }
  });
});

it('every marketplace pack renders a JPEG', () => expect(jpegIds.length).toBe(packIds.length - 1));

describe('a preview', () => {
  const preview = async (content: Uint8Array): Promise<Buffer> => {
    const made = await previewPack(content, packs.shopify);
    if ('refusal' in made) throw new Error(made.refusal);
    return Buffer.from(made.content);
  };

  it('shows the requested picture as in the file, whichever was previewed before', async () => {
    const [circle, box] = [await cutouts['a hard circle']!(), await cutouts['a square box']!()];
    const first = await preview(circle);
    expect(await preview(box)).not.toEqual(first);
    expect(await preview(circle)).toEqual(first);
    const { width, height } = await sharp(first).metadata();
    const readGrey = (image: Uint8Array) => sharp(image).resize(width, height).greyscale().raw().toBuffer();
    const [shown, file] = [await readGrey(first), await readGrey(await render(circle, packs.shopify))];
    const unlike = shown.reduce((sum, grey, at) => sum + Math.abs(grey - (file[at] ?? 0)), 0) / shown.length;
    expect(unlike).toBeLessThan(1.5);
  });
});
