/** Photos that cannot become a headshot or dress change, and the refusal of each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runSkill } from '../quality/run-skill.ts';
import { portraitPath, realPath, samplePath } from '../quality/people.ts';
import { findFaces } from '../src/people/faces.ts';
import { readPicture } from '../src/pixels/decode.ts';

vi.setConfig({ testTimeout: 120_000 }); // the machine may be busy

type Unusable = {
  what: string;
  app: 'headshot' | 'try-on';
  /** The input with the unusable photo. */
  field: string;
  sentence: RegExp;
  /** Writes its files into the folder. */
  make: (folder: string) => Promise<Record<string, string>>;
};

/** Fails unless the skill refuses the photo in one short sentence with advice. */
async function expectRefusal({ app, sentence, make }: Unusable, folder: string): Promise<void> {
  const refusal: unknown = await runSkill(app, await make(folder), folder).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'Refusal', message: expect.stringMatching(sentence) });
  expect((refusal as Error).message.length).toBeLessThanOrEqual(200);
}

async function writeJpeg(folder: string, name: string, picture: Sharp): Promise<string> {
  const path = join(folder, `${name}.jpg`);
  await picture.flatten({ background: '#fff' }).jpeg({ quality: 90 }).toFile(path);
  return path;
}

/** Crops the photo so that `share` of the face's box is beyond the left edge. */
async function cutFace(folder: string, share: number): Promise<string> {
  const path = portraitPath(1);
  const picture = await readPicture(path);
  const [face] = await findFaces(picture);
  const left = Math.round(face!.box.left + share * face!.box.width);
  const region = { left, top: 0, width: picture.width - left, height: picture.height };
  return writeJpeg(folder, 'cut', sharp(path).extract(region));
}

async function makeCrowd(folder: string): Promise<string> {
  const parts = await Promise.all(
    ['face-li', 'face-tom'].map((name) => sharp(samplePath(name)).resize(480, 640, { fit: 'cover' }).toBuffer()),
  );
  const crowd = sharp({ create: { width: 960, height: 640, channels: 3, background: '#bbb' } });
  return writeJpeg(folder, 'crowd', crowd.composite(parts.map((input, n) => ({ input, left: 480 * n, top: 0 }))));
}

const drawSvg = (shapes: string, background = '#d9d4ca') =>
  sharp(
    Buffer.from(`<svg width="960" height="1200"><rect width="960" height="1200" fill="${background}"/>${shapes}</svg>`),
  );
const CHILDS_DRAWING =
  '<g fill="none" stroke="#222" stroke-width="12"><circle cx="480" cy="300" r="120"/><path d="M480 420v360M480 500l-200 120M480 500l200 120M480 780l-140 300M480 780l140 300M430 340q50 50 100 0"/></g><circle cx="440" cy="270" r="12"/><circle cx="520" cy="270" r="12"/>';
const EMPTY_HANGER =
  '<path d="M480 300q0-60 40-60t40 40q0 40-80 60L180 520h600L480 340z" fill="none" stroke="#6b4a2b" stroke-width="16"/>';
const MANNEQUIN =
  '<path fill="#c9b08a" d="M430 180q0-60 50-60t50 60v60q120 20 160 90q-10 140-60 220q-10 120 40 300h-380q50-180 40-300q-50-80-60-220q40-70 160-90z"/><path fill="#5b4630" d="M465 850h30v260h120v24h-270v-24h120z"/>';
const TROUSERS = '<path fill="#33476b" d="M300 140h360l60 940h-180l-60-640-60 640h-180z"/>';
const SKIRT = '<path fill="#7b3b52" d="M350 260h260l150 640h-560z"/>';

const portrait = portraitPath(2);
const person = samplePath('person-tom');
const garment = samplePath('garment-tshirt');

const face = (what: string, sentence: RegExp, make: (folder: string) => Promise<string>): Unusable => ({
  what,
  app: 'headshot',
  field: 'face_image_0',
  sentence,
  make: async (folder) => ({ face_image_0: await make(folder), target_image: portrait }),
});
const wearer = (what: string, sentence: RegExp, make: (folder: string) => Promise<string>): Unusable => ({
  what,
  app: 'try-on',
  field: 'model_image',
  sentence,
  make: async (folder) => ({ model_image: await make(folder), garment_image: garment }),
});
const flat = (what: string, sentence: RegExp, make: (folder: string) => Promise<string>): Unusable => ({
  what,
  app: 'try-on',
  field: 'garment_image',
  sentence,
  make: async (folder) => ({
    model_image: await writeJpeg(folder, 'small-person', sharp(samplePath('person-nora')).resize(320)),
    garment_image: await make(folder),
  }),
});

const BACK = () => Promise.resolve(realPath('person-02'));
const plain = (folder: string, background: string) =>
  writeJpeg(folder, 'plain', sharp({ create: { width: 300, height: 300, channels: 3, background } }));

const UNUSABLE: Unusable[] = [
  face('a face photo of a mug', /No face/, () => Promise.resolve(samplePath('mug'))),
  face('a face photo of two people', /Several faces.*one person/, makeCrowd),
  face('a head seen from the side and behind', /No face.*looks at the camera/, BACK),
  face('a child’s drawing', /No face/, (folder) => writeJpeg(folder, 'drawing', drawSvg(CHILDS_DRAWING, '#fff'))),
  face('a mannequin', /No face/, (folder) => writeJpeg(folder, 'mannequin', drawSvg(MANNEQUIN))),
  face('a grey sheet', /No face/, (folder) => plain(folder, '#999')),
  face('a face of 40 pixels', /too small.*64 pixels/, (folder) =>
    writeJpeg(folder, 'small', sharp(samplePath('face-li')).resize(150)),
  ),
  face('half a face', /cut off by the edge of the photo/, (folder) => cutFace(folder, 0.5)),
  face('a face that lies on its side', /lies on its side or upside down/, (folder) =>
    writeJpeg(folder, 'side', sharp(samplePath('face-li')).rotate(90)),
  ),
  face('a photo of the face alone', /cut too close.*shoulders/, async (folder) =>
    writeJpeg(folder, 'close', sharp(samplePath('face-li')).extract(await boxOfFace(samplePath('face-li')))),
  ),
  wearer('a garment where the person should be', /No person was found/, () => Promise.resolve(garment)),
  wearer('a mug where the person should be', /No person was found/, () => Promise.resolve(samplePath('mug'))),
  wearer('two people where one should be', /Several people.*one person/, makeCrowd),
  wearer('a child’s drawing of a person', /No person/, (folder) =>
    writeJpeg(folder, 'drawing', drawSvg(CHILDS_DRAWING, '#fff')),
  ),
  wearer('a head without a body', /Too little of the body|No person/, async (folder) => {
    const head = sharp(person).extract({ left: 330, top: 90, width: 240, height: 250 }).resize(480);
    return writeJpeg(folder, 'head', head);
  }),
  wearer('a person without a head', /No person was found.*from the head to the hips/, async (folder) =>
    writeJpeg(folder, 'headless', sharp(person).extract({ left: 0, top: 330, width: 900, height: 870 })),
  ),
  wearer('a mannequin', /No person was found/, (folder) => writeJpeg(folder, 'mannequin', drawSvg(MANNEQUIN))),
  flat('a person where the garment should be', /shows a person.*one garment/, () => Promise.resolve(portrait)),
  flat('a garment on a person', /shows a person.*one garment/, () => Promise.resolve(realPath('person-10'))),
  flat('a bare mannequin', /Use a (top|photo of one garment)/, (folder) =>
    writeJpeg(folder, 'mannequin', drawSvg(MANNEQUIN)),
  ),
  flat('an empty table', /garment was not found.*laid flat or hung/, (folder) => plain(folder, '#999')),
  flat('an empty hanger', /No top, jacket or dress was found|garment was not found/, (folder) =>
    writeJpeg(folder, 'hanger', drawSvg(EMPTY_HANGER)),
  ),
  flat('a mug', /No top, jacket or dress was found.*laid flat or hung/, () => Promise.resolve(samplePath('mug'))),
  flat('a T-shirt upside down', /lies upside down.*neckline is at the top/, (folder) =>
    writeJpeg(folder, 'over', sharp(garment).rotate(180)),
  ),
  flat('trousers', /Trousers and skirts cannot be put on yet/, (folder) =>
    writeJpeg(folder, 'trousers', drawSvg(TROUSERS)),
  ),
  flat('a skirt', /Trousers and skirts cannot be put on yet/, (folder) => writeJpeg(folder, 'skirt', drawSvg(SKIRT))),
  {
    what: 'a T-shirt over long sleeves',
    app: 'try-on',
    field: 'garment_image',
    sentence: /shorter sleeves.*at least as long/,
    make: () => Promise.resolve({ model_image: realPath('person-08'), garment_image: realPath('garment-20') }),
  },
];

async function boxOfFace(path: string) {
  const [found] = await findFaces(await readPicture(path));
  const { left, top, width, height } = found!.box;
  const whole = { left: left + 0.02 * width, top: top + 0.02 * height, width: 0.96 * width, height: 0.96 * height };
  return {
    left: Math.round(whole.left),
    top: Math.round(whole.top),
    width: Math.round(whole.width),
    height: Math.round(whole.height),
  };
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-refused-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an unusable photo', () => {
  const isFirst = ({ field }: Unusable, at: number) => UNUSABLE.findIndex((other) => other.field === field) === at;
  const [first, rest] = [UNUSABLE.filter(isFirst), UNUSABLE.filter((one, at) => !isFirst(one, at))];
  const title = '$what is refused in a sentence that says what to do';
  it.each(first)(title, (unusable) => expectRefusal(unusable, folder));
  it.each(rest)(title, { tags: ['slow'] }, (unusable) => expectRefusal(unusable, folder));
});
