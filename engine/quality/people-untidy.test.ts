/** What people really send: photos that no headshot or try-on can be made from, and odd ones that must do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPicture } from '../src/pixels/decode.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { getOnlyFace } from '../src/people/refusals.ts';
import { askSkill } from './ask-skill.ts';
import { GARMENTS, portraitPath, samplePath } from './people.ts';
import { drawLooseShirt, measureClothes, measureGarment } from './garments.ts';
import { cutFace, expectRefusal, HEADSHOT, TRY_ON, writeJpeg } from './refusal.ts';
import { OTHERS } from './unusable-people.ts';

vi.setConfig({ testTimeout: 150_000 }); // everything at once on two shared cores
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-untidy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (app: string, pictures: Record<string, string>, input = {}) => askSkill(app, pictures, folder, input);

const write = (name: string, picture: Sharp) => writeJpeg(folder, name, picture);

describe('where the clothes are', () => {
  it.each(GARMENTS)('finds the %s on its table, pixel by pixel', async (garment) => {
    expect(await measureGarment(garment)).toBeGreaterThan(0.97);
  });

  it('finds the clothes on a person, sleeves included, where a drawn shirt is known', async () => {
    expect(await measureClothes(await write('loose-shirt', await drawLooseShirt()))).toBeGreaterThan(0.95);
  });
});

const face = samplePath('face-li');
const portrait = portraitPath(2);
const garment = samplePath('garment-tshirt');

describe('what cannot be used', () => {
  it.each(OTHERS)('$what is refused on its field, in a sentence that says what to do', (unusable) =>
    expectRefusal(unusable, folder),
  );
});

describe('a face near the edge of its photo', () => {
  it.each(['left', 'top', 'bottom'] as const)('passes with a sliver beyond the %s edge', async (edge) => {
    for (const path of [portraitPath(1), portraitPath(6), face]) {
      const picture = await readPicture(await cutFace(folder, edge, 0.05, path), 'face_image_0');
      await expect(getOnlyFace(picture, 'face_image_0')).resolves.toBeDefined();
    }
  });
});

describe('an upright head', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])(
    'is never taken for one upside down: portrait %i, level, tilted and in the dark',
    async (number) => {
      const level = () => sharp(portraitPath(number));
      const background = '#b9b9b5';
      const photos = [
        level(),
        level().rotate(45, { background }),
        level().rotate(-30, { background }),
        level().linear(0.3, 2),
      ];
      for (const photo of photos) {
        const picture = await readPicture(await write('upright', photo), 'face_image_0');
        await expect(getOnlyFace(picture, 'face_image_0')).resolves.toBeDefined();
      }
    },
  );
});

describe('a person down to the chest', () => {
  it.each(['li', 'nora', 'tom'])('can still be dressed: %s', async (name) => {
    const whole = samplePath(`person-${name}`);
    const { width, height } = await sharp(whole).metadata();
    const seen = { left: 0, top: 0, width, height: Math.round(0.6 * height) };
    const path = await write('chest', sharp(whole).extract(seen));
    await expect(ask(TRY_ON, { model_image: path, garment_image: garment })).resolves.toBeDefined();
  });
});

const GLASSES = Buffer.from(
  `<svg width="1024" height="1024"><g fill="none" stroke="#222" stroke-width="7">
  <circle cx="463" cy="392" r="38"/><circle cx="560" cy="392" r="38"/><path d="M501 388h21"/></g></svg>`,
);

/** Photos of one person that a headshot must come from all the same. */
const ODD: Record<string, () => Sharp | Promise<Sharp>> = {
  'twice as wide as high': () => sharp(face).extend({ left: 400, right: 400, background: '#b9b9b5' }),
  'turned by its camera': async () => sharp(await sharp(face).rotate(-90).toBuffer()).withMetadata({ orientation: 6 }),
  'in shades of grey': () => sharp(face).greyscale(),
  'of 4000 pixels': () => sharp(face).resize(4000),
  'with a tilted head': () => sharp(face).rotate(14, { background: '#b9b9b5' }),
  'with glasses': async () => {
    const { width, height } = await sharp(face).metadata();
    return sharp(face).composite([{ input: await sharp(GLASSES).resize(width, height).toBuffer() }]);
  },
  'taken in the dark': () => sharp(face).linear(0.3, 2),
  'that cuts the hair off': () => sharp(face).extract({ left: 140, top: 96, width: 200, height: 240 }),
};

describe('an odd photo', () => {
  it.each(Object.keys(ODD))('%s gives a headshot of the shape of its portrait, large enough to print', async (name) => {
    const path = await write('odd', await ODD[name]!());
    const { image } = await ask(HEADSHOT, { face_image_0: path, target_image: portrait });
    expect(image as PictureFile).toMatchObject({ width: 1152, height: 1440 });
  });

  it('that cuts the hair off keeps the hair of the portrait', async () => {
    const path = await write('cut', await ODD['that cuts the hair off']!());
    const make = async (hair: string) => {
      const result = await ask(HEADSHOT, { face_image_0: path, target_image: portrait }, { workflow_type: hair });
      return sharp((result['image'] as PictureFile).local_path)
        .raw()
        .toBuffer();
    };
    const own = await make('user_hair');
    expect(own.equals(await make('target_hair'))).toBe(true);
  });
});
