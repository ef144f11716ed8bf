/** Photos that no headshot or try-on can be made from, and what is said of each. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { PictureFile } from '../src/pixels/encode.ts';
import { askSkill } from './ask-skill.ts';
import { drawSkirt, drawTrousers } from './garments.ts';
import { DRESS_TRAPS, FACE_TRAPS, trapFace, varyDressed } from './people-varied.ts';
import { GARMENTS, portraitPath, samplePath } from './people.ts';
import { cutFace, type Edge, HEADSHOT, makeCrowd, TRY_ON, type Unusable, writeJpeg } from './refusal.ts';

const face = samplePath('face-li');
const portrait = portraitPath(2);
const person = samplePath('person-tom');
const garment = samplePath('garment-tshirt');

const faceCutAt = (edge: Edge): Unusable => ({
  what: `a face that is cut off at its ${edge}`,
  app: HEADSHOT,
  field: 'face_image_0',
  sentence: /cut off by the edge of the photo.*whole face/,
  make: async (folder) => ({ face_image_0: await cutFace(folder, edge, 0.25), target_image: portrait }),
});

const trappedFace = (trap: string, sentence: RegExp): Unusable => ({
  what: trap,
  app: HEADSHOT,
  field: 'face_image_0',
  sentence,
  make: async (folder) => {
    const hidden = await trapFace(portraitPath(4), trap, join(folder, 'trap.jpg'));
    return { face_image_0: hidden, target_image: portrait };
  },
});
const HIDDEN = /forehead is hidden.*without a hat|eyes are hidden.*without sunglasses/;

const shortHairOn = (number: number): Unusable => ({
  what: `short hair on the long hair of portrait ${number}`,
  app: HEADSHOT,
  field: 'target_image',
  sentence: /long hair would show.*short hair, or keep the portrait's hair/,
  make: () => Promise.resolve({ face_image_0: face, target_image: portraitPath(number) }),
});

const headAndShoulders = (number: number): Unusable => ({
  what: `head and shoulders only (${number})`,
  app: TRY_ON,
  field: 'model_image',
  sentence: /Too little of the body.*from the head to the hips/,
  make: () => Promise.resolve({ model_image: portraitPath(number), garment_image: garment }),
});

const trappedPerson = (trap: string): Unusable => ({
  what: trap,
  app: TRY_ON,
  field: 'model_image',
  sentence: /Arms or things hide.*arms free|too bulky.*close-fitting/,
  make: async (folder) => {
    const path = join(folder, 'trap.jpg');
    await varyDressed(1, 2, path, trap);
    return { model_image: path, garment_image: garment };
  },
});

const upsideDown = (name: string): Unusable => ({
  what: `the ${name} upside down`,
  app: TRY_ON,
  field: 'garment_image',
  sentence: /lies upside down.*neckline is at the top/,
  make: async (folder) => {
    const over = await writeJpeg(folder, 'over', sharp(samplePath(`garment-${name}`)).rotate(180));
    return { model_image: person, garment_image: over };
  },
});

const CAP = 'a cap over the forehead';
const SUNGLASSES = 'sunglasses';
const CROSSED_ARMS = 'crossed arms';
const without = (traps: object, ...told: string[]) => Object.keys(traps).filter((trap) => !told.includes(trap));

/** Where the garment is at fault: a person in a photo that is small, and read as fast. */
const wears = async (folder: string, garment_image: string) => ({
  model_image: await writeJpeg(folder, 'small-person', sharp(samplePath('person-nora')).resize(320)),
  garment_image,
});

/** Every sentence once, each with the picture that is refused soonest. */
export const EACH_SENTENCE: Unusable[] = [
  {
    what: 'a face photo of a mug',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /No face/,
    make: () => Promise.resolve({ face_image_0: samplePath('mug'), target_image: portraitPath(1) }),
  },
  {
    what: 'a face photo of two people',
    app: HEADSHOT,
    field: 'face_image_0',
    type: 'face_detection_error',
    sentence: /Several faces.*one person/,
    make: async (folder) => ({ face_image_0: await makeCrowd(folder), target_image: portraitPath(1) }),
  },
  {
    what: 'a face of 40 pixels',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /too small.*64 pixels/,
    make: async (folder) => ({
      face_image_0: await writeJpeg(folder, 'small', sharp(face).resize(150)),
      target_image: portrait,
    }),
  },
  faceCutAt('left'),
  {
    what: 'a face that lies on its side',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /lies on its side or upside down/,
    make: async (folder) => ({
      face_image_0: await writeJpeg(folder, 'side', sharp(face).rotate(90)),
      target_image: portrait,
    }),
  },
  trappedFace(CAP, /forehead is hidden.*without a hat/),
  trappedFace(SUNGLASSES, /eyes are hidden.*without sunglasses/),
  shortHairOn(7),
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
    make: () => Promise.resolve({ model_image: garment, garment_image: garment }),
  },
  {
    what: 'two people where one should be',
    app: TRY_ON,
    field: 'model_image',
    sentence: /Several people.*one person/,
    make: async (folder) => ({ model_image: await makeCrowd(folder), garment_image: garment }),
  },
  {
    what: 'a person of whom only the head is seen',
    app: TRY_ON,
    field: 'model_image',
    sentence: /shoulders cannot be seen/,
    make: async (folder) => {
      const head = sharp(person).extract({ left: 330, top: 90, width: 240, height: 250 }).resize(480);
      return { model_image: await writeJpeg(folder, 'head', head), garment_image: garment };
    },
  },
  headAndShoulders(3),
  trappedPerson(CROSSED_ARMS),
  {
    what: 'a person where the garment should be',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /shows a person.*one garment/,
    make: (folder) => wears(folder, portrait),
  },
  {
    what: 'an empty table where the garment should be',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /garment was not found.*laid flat or hung/,
    make: async (folder) => {
      const table = { width: 300, height: 300, channels: 3, background: '#999' } as const;
      return wears(folder, await writeJpeg(folder, 'table', sharp({ create: table })));
    },
  },
  {
    what: 'a mug where the garment should be',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /No top, jacket or dress with its neckline.*laid flat or hung/,
    make: (folder) => wears(folder, samplePath('mug')),
  },
  {
    what: 'a T-shirt upside down',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /lies upside down.*neckline is at the top/,
    make: async (folder) => wears(folder, await writeJpeg(folder, 'over', sharp(garment).rotate(180))),
  },
  {
    what: 'trousers',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /Trousers and skirts cannot be put on yet\. Use a top, a jacket or a dress/,
    make: async (folder) => wears(folder, await writeJpeg(folder, 'trousers', drawTrousers())),
  },
];

/** Other pictures for the same sentences. */
export const OTHERS: Unusable[] = [
  {
    what: 'a portrait without a face',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /No face/,
    make: () => Promise.resolve({ face_image_0: face, target_image: samplePath('mug') }),
  },
  {
    what: 'a portrait whose face is 40 pixels wide',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /too small/,
    make: async (folder) => ({
      face_image_0: face,
      target_image: await writeJpeg(folder, 'small', sharp(portrait).resize(110)),
    }),
  },
  {
    what: 'a face that stands on its head',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /lies on its side or upside down.*Turn the photo/,
    make: async (folder) => ({
      face_image_0: await writeJpeg(folder, 'over', sharp(portraitPath(3)).rotate(180)),
      target_image: portrait,
    }),
  },
  {
    what: 'a portrait that stands on its head',
    app: HEADSHOT,
    field: 'target_image',
    sentence: /lies on its side or upside down/,
    make: async (folder) => ({
      face_image_0: face,
      target_image: await writeJpeg(folder, 'over', sharp(portraitPath(7)).rotate(180)),
    }),
  },
  faceCutAt('top'),
  faceCutAt('bottom'),
  {
    what: 'half a face',
    app: HEADSHOT,
    field: 'face_image_0',
    sentence: /cut off by the edge/,
    make: async (folder) => ({ face_image_0: await cutFace(folder, 'left', 0.5), target_image: portrait }),
  },
  ...without(FACE_TRAPS, CAP, SUNGLASSES).map((trap) => trappedFace(trap, HIDDEN)),
  shortHairOn(5),
  {
    what: 'a mug where the person should be',
    app: TRY_ON,
    field: 'model_image',
    sentence: /No person/,
    make: () => Promise.resolve({ model_image: samplePath('mug'), garment_image: garment }),
  },
  ...[1, 2].map((number) => ({
    what: `portrait ${number} where the garment should be`,
    app: TRY_ON,
    field: 'garment_image',
    sentence: /shows a person.*one garment/,
    make: () => Promise.resolve({ model_image: person, garment_image: portraitPath(number) }),
  })),
  ...[4, 6].map(headAndShoulders),
  ...without(DRESS_TRAPS, CROSSED_ARMS).map(trappedPerson),
  {
    what: 'sleeves longer than those of the garment',
    app: TRY_ON,
    field: 'model_image',
    sentence: /longer than the garment.*arms free|Arms or things hide the clothes/,
    make: async (folder) => {
      const worn = { model_image: person, garment_image: samplePath('garment-striped') };
      const { images } = await askSkill(TRY_ON, worn, folder);
      return { model_image: (images as PictureFile[])[0]!.local_path, garment_image: garment };
    },
  },
  ...GARMENTS.map(upsideDown),
  {
    what: 'a skirt',
    app: TRY_ON,
    field: 'garment_image',
    sentence: /Trousers and skirts cannot be put on yet/,
    make: async (folder) => ({ model_image: person, garment_image: await writeJpeg(folder, 'skirt', drawSkirt()) }),
  },
];
