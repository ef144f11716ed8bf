/** What people really send: photos that no headshot or try-on can be made from, and odd ones that must do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPicture } from '../src/pixels/decode.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { getOnlyFace, refuseOtherTurn } from '../src/people/refusals.ts';
import { askSkill } from './ask-skill.ts';
import { DRESS_TRAPS, FACE_TRAPS, trapFace, varyDressed } from './people-varied.ts';
import { GARMENTS, portraitPath, readPerson, samplePath } from './people.ts';
import { drawLooseShirt, drawSkirt, drawTrousers, measureClothes, measureGarment } from './garments.ts';

const TRY_ON = 'fal-ai/fashn/tryon/v1.6';
const HEADSHOT = 'easel-ai/advanced-face-swap';
vi.setConfig({ testTimeout: 150_000 }); // everything at once on two shared cores
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-untidy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (app: string, pictures: Record<string, string>, input = {}) => askSkill(app, pictures, folder, input);

async function write(name: string, picture: Sharp): Promise<string> {
  const path = join(folder, `${name}.jpg`);
  await picture.jpeg({ quality: 90 }).withMetadata().toFile(path);
  return path;
}

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
const person = samplePath('person-tom');
const garment = samplePath('garment-tshirt');

/** `share` of the face's box lies beyond the edge. */
async function cutFace(edge: 'left' | 'top' | 'bottom', share: number, path = portraitPath(1)): Promise<string> {
  const { picture, face } = await readPerson(path);
  const { box } = face;
  const left = edge === 'left' ? Math.round(box.left + share * box.width) : 0;
  const top = edge === 'top' ? Math.round(box.top + share * box.height) : 0;
  const bottom = edge === 'bottom' ? Math.round(box.top + (1 - share) * box.height) : picture.height;
  const seen = { left, top, width: picture.width - left, height: bottom - top };
  return write(`cut-${edge}`, sharp(path).extract(seen));
}

type Unusable = {
  what: string;
  app: string;
  field: string;
  sentence: RegExp;
  make: () => Promise<Record<string, string>>;
};

const UNUSABLE: Unusable[] = [
  {
    what: 'a face of 40 pixels',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /too small.*64 pixels/,
    make: async () => ({ face_image_0: await write('small', sharp(face).resize(150)), target_image: portrait }),
  },
  {
    what: 'a portrait whose face is 40 pixels wide',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /too small/,
    make: async () => ({ face_image_0: face, target_image: await write('small', sharp(portrait).resize(110)) }),
  },
  {
    what: 'a face that stands on its head',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /lies on its side or upside down.*Turn the photo/,
    make: async () => ({
      face_image_0: await write('over', sharp(portraitPath(3)).rotate(180)),
      target_image: portrait,
    }),
  },
  {
    what: 'a face that lies on its side',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /lies on its side or upside down/,
    make: async () => ({ face_image_0: await write('side', sharp(face).rotate(90)), target_image: portrait }),
  },
  {
    what: 'a portrait that stands on its head',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /lies on its side or upside down/,
    make: async () => ({ face_image_0: face, target_image: await write('over', sharp(portraitPath(7)).rotate(180)) }),
  },
  ...(['left', 'top', 'bottom'] as const).map((edge) => ({
    what: `a face that is cut off at its ${edge}`,
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /cut off by the edge of the photo.*whole face/,
    make: async () => ({ face_image_0: await cutFace(edge, 0.25), target_image: portrait }),
  })),
  {
    what: 'half a face',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /cut off by the edge/,
    make: async () => ({ face_image_0: await cutFace('left', 0.5), target_image: portrait }),
  },
  ...Object.keys(FACE_TRAPS).map((trap) => ({
    what: trap,
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /forehead is hidden.*without a hat|eyes are hidden.*without sunglasses/,
    make: async () => {
      const hidden = await trapFace(portraitPath(4), trap, join(folder, 'trap.jpg'));
      return { face_image_0: hidden, target_image: portrait };
    },
  })),
  ...[5, 7].map((number) => ({
    what: `short hair on the long hair of portrait ${number}`,
    app: HEADSHOT,
    field: 'target_image',
    sentence: /long hair would show.*short hair, or keep the portrait's hair/,
    make: () => Promise.resolve({ face_image_0: face, target_image: portraitPath(number) }),
  })),
  {
    what: 'pale skin on a portrait of very dark skin',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /much darker than yours.*nearer to your own/,
    make: () => Promise.resolve({ face_image_0: face, target_image: portraitPath(6) }),
  },
  {
    what: 'a garment where the person should be',
    app: TRY_ON,
    field: 'model_image',
    sentence: /No person was found/,
    make: async () => ({ model_image: garment, garment_image: garment }),
  },
  {
    what: 'a person where the garment should be',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /shows a person.*one garment/,
    make: async () => ({ model_image: person, garment_image: portrait }),
  },
  {
    what: 'a person of whom only the head is seen',
    app: TRY_ON,
    field: 'model_image',
    sentence: /shoulders cannot be seen/,
    make: async () => {
      const head = sharp(person).extract({ left: 330, top: 90, width: 240, height: 250 }).resize(480);
      return { model_image: await write('head', head), garment_image: garment };
    },
  },
  ...[3, 4, 6].map((number) => ({
    what: `head and shoulders only (${number})`,
    app: TRY_ON,
    field: 'model_image',
    sentence: /Too little of the body.*from the head to the hips/,
    make: () => Promise.resolve({ model_image: portraitPath(number), garment_image: garment }),
  })),
  ...Object.keys(DRESS_TRAPS).map((trap) => ({
    what: trap,
    app: TRY_ON,
    field: 'model_image',
    sentence: /Arms or things hide.*arms free|too bulky.*close-fitting/,
    make: async () => {
      const path = join(folder, 'trap.jpg');
      await varyDressed(1, 2, path, trap);
      return { model_image: path, garment_image: garment };
    },
  })),
  {
    what: 'sleeves longer than those of the garment',
    app: TRY_ON,
    field: 'model_image',
    sentence: /longer than the garment.*arms free|Arms or things hide the clothes/,
    make: async () => {
      const worn = { model_image: person, garment_image: samplePath('garment-striped') };
      const { images } = await ask(TRY_ON, worn);
      return { model_image: (images as PictureFile[])[0]!.local_path, garment_image: garment };
    },
  },
  ...GARMENTS.map((name) => ({
    what: `the ${name} upside down`,
    app: TRY_ON,
    field: 'garment_image',
    sentence: /lies upside down.*neckline is at the top/,
    make: async () => {
      const over = await write('over', sharp(samplePath(`garment-${name}`)).rotate(180));
      return { model_image: person, garment_image: over };
    },
  })),
  {
    what: 'trousers',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /Trousers and skirts cannot be put on yet\. Use a top, a jacket or a dress/,
    make: async () => ({ model_image: person, garment_image: await write('trousers', drawTrousers()) }),
  },
  {
    what: 'a skirt',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /Trousers and skirts cannot be put on yet/,
    make: async () => ({ model_image: person, garment_image: await write('skirt', drawSkirt()) }),
  },
];

describe('what cannot be used', () => {
  it.each(UNUSABLE)('$what is refused on its field, in a sentence that says what to do', async (unusable) => {
    const refusal: unknown = await ask(unusable.app, await unusable.make()).catch((error: unknown) => error);
    const msg = expect.stringMatching(unusable.sentence) as string;
    expect(refusal).toMatchObject({ entry: { loc: ['body', unusable.field], msg } });
  });
});

describe('a head that looks another way', () => {
  const box = { left: 0, top: 0, width: 100, height: 130 };
  const ahead = { box, score: 1, points: [], depths: [], pitchDeg: 2, yawDeg: -3, rollDeg: 0 };

  it.each([{ yawDeg: 24 }, { yawDeg: -29 }, { pitchDeg: 30 }])('is refused beyond 25 degrees: %o', (turn) => {
    const msg = expect.stringMatching(/turned too far.*same way as the portrait/) as string;
    const entry = expect.objectContaining({
      loc: ['body', 'face_image_0'],
      type: 'face_detection_error',
      msg,
    }) as object;
    expect(() => refuseOtherTurn({ ...ahead, ...turn }, ahead, 'face_image_0')).toThrow(
      expect.objectContaining({ entry }) as Error,
    );
  });

  it('passes below 25 degrees, however it is tilted to the side', () => {
    expect(() => refuseOtherTurn({ ...ahead, yawDeg: 21, rollDeg: 40 }, ahead, 'face_image_0')).not.toThrow();
  });
});

describe('a face near the edge of its photo', () => {
  it.each(['left', 'top', 'bottom'] as const)('passes with a sliver beyond the %s edge', async (edge) => {
    for (const path of [portraitPath(1), portraitPath(6), face]) {
      const picture = await readPicture(await cutFace(edge, 0.05, path), 'face_image_0');
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
