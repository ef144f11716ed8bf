import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { findContact } from './contact.ts';
import { describePlacement, frameScene, placeProduct, type Framing } from './frame.ts';
import { getPlate, listPlates, PLATE_SIZE, readGround } from './plates.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Product } from './product.ts';

/** A box of this size in pixels in an upload. */
function boxOf(left: number, top: number, width: number, height: number, isCut = false): Product {
  const size = width * height;
  const alpha = new Uint8Array(size).fill(255);
  return { width, height, left, top, isCut, isCutBelow: isCut, data: new Uint8Array(size * 3), alpha };
}

const FOLDER = new URL('../../assets/plates/', import.meta.url);
const file = JSON.parse(readFileSync(new URL('plates.json', FOLDER), 'utf8')) as {
  plates: { id: string; files: { mask: string } }[];
};
const masks = new Map(file.plates.map(({ id, files }) => [id, files.mask]));
const grounds = new Map<string, Plane>();

/** Each plate's ground, from masks that are decoded once for all tests. */
async function groundOf(id: string): Promise<Plane> {
  const name = masks.get(id)!;
  const known = grounds.get(name);
  if (known) return known;
  const picture = sharp(fileURLToPath(new URL(name, FOLDER)));
  const mask = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer();
  const ground = readGround({ mask });
  grounds.set(name, ground);
  return ground;
}

async function framing(id: string, product: Product, upload: Framing['upload'], words = ''): Promise<Framing> {
  const data = Float32Array.from(product.alpha, (a) => a / 255);
  const contact = findContact({ width: product.width, height: product.height, data });
  const ground = await groundOf(id);
  return {
    plate: getPlate(id),
    ground,
    upload,
    product,
    contact,
    brief: readBrief(words),
    mayChange: 'hour',
  };
}

const UPLOAD = { width: 400, height: 400 };

describe('the frame', () => {
  it('keeps a product at the border that cuts it off', async () => {
    const frame = frameScene(await framing('cafe-wood', boxOf(100, 200, 250, 200, true), UPLOAD));
    expect([frame.width, frame.height]).toEqual([800, 800]);
    expect(frame).toMatchObject({ left: 200, top: 400, productScale: 2 });
  });

  it.each(['morning-table', 'beach-sand', 'studio-sweep', 'kitchen-counter', 'black-marble', 'picnic-grass'])(
    "shows a product on %s at the set's size, however close the photo is",
    async (id) => {
      const filled = async (side: number) => {
        const product = boxOf((400 - side) / 2, (400 - side) / 2, side, side);
        const frame = frameScene(await framing(id, product, UPLOAD));
        return (side * frame.productScale) / frame.height;
      };
      const [near, far] = [await filled(390), await filled(200)];
      expect(near).toBeLessThan(0.7);
      expect(near).toBeGreaterThan(0.45);
      expect(Math.abs(near - far)).toBeLessThan(0.05);
    },
  );

  it.each([
    [400, 400, boxOf(120, 60, 160, 200)],
    [500, 400, boxOf(300, 150, 120, 150)],
    [300, 500, boxOf(40, 30, 200, 440)],
    [64, 500, boxOf(10, 100, 40, 300)],
  ])(
    'of a %ix%i upload keeps its aspect ratio and shows the whole product, enlarged at most twice',
    { tags: ['slow'] },
    async (width, height, product) => {
      for (const { id } of listPlates()) {
        const frame = frameScene(await framing(id, product, { width, height }));
        expect(Math.abs(frame.width / frame.height / (width / height) - 1)).toBeLessThan(0.03);
        expect(frame.productScale).toBeLessThanOrEqual(2.02);
        expect(Math.max(frame.width, frame.height)).toBeLessThanOrEqual(1024);
        expect(frame.crop.x).toBeGreaterThanOrEqual(0);
        expect(frame.crop.y).toBeGreaterThanOrEqual(0);
        expect(frame.crop.x + frame.crop.width).toBeLessThanOrEqual(1536.01);
        expect(frame.crop.y + frame.crop.height).toBeLessThanOrEqual(1536.01);
        expect(Math.min(frame.left, frame.top)).toBeGreaterThanOrEqual(0);
        expect(frame.left + frame.productScale * product.width).toBeLessThanOrEqual(frame.width);
        expect(frame.top + frame.productScale * product.height).toBeLessThanOrEqual(frame.height);
      }
    },
  );

  it.each([
    [400, 500, boxOf(40, 40, 320, 420)],
    [500, 400, boxOf(150, 20, 200, 360)],
  ])(
    "of a %ix%i upload shows a hanging product before each set's wall, at full size",
    { tags: ['slow'] },
    async (width, height, product) => {
      for (const { id } of listPlates().filter(({ view }) => view === 'eye')) {
        const framed = await framing(id, product, { width, height });
        const { crop, top, productScale, scale, ...frame } = frameScene({ ...framed, hangs: true });
        const filled = Math.max(product.width / frame.width / 1.12, product.height / frame.height) * productScale;
        expect(filled, id).toBeCloseTo(0.7, 1);
        const hem = (crop.y + (top + product.height * productScale) / scale) / 1536;
        const row = Math.min(framed.ground.height - 1, Math.floor(hem * framed.ground.height) - 2);
        const before = framed.ground.data.subarray(row * framed.ground.width, (row + 1) * framed.ground.width);
        expect(before.filter((share) => share >= 0.6).length / framed.ground.width, id).toBeLessThan(0.2);
      }
    },
  );

  it('shows a ring smaller than a chair, and larger on request', async () => {
    const share = async (words: string) => {
      const product = boxOf(50, 50, 300, 300);
      const frame = frameScene(await framing('studio-sweep', product, UPLOAD, words));
      return (frame.productScale * product.width) / frame.width;
    };
    expect(await share('ring on marble')).toBeLessThan((await share('chair on a wooden floor')) - 0.1);
    expect(await share('wide shot')).toBeLessThan((await share('macro')) - 0.2);
  });

  it('of a variation has its own light, unless only shadows may change', async () => {
    const one = await framing('morning-table', boxOf(110, 80, 180, 240), UPLOAD);
    const own = frameScene(one).daylight;
    const daylight = (mayChange: Framing['mayChange']) => frameScene({ ...one, variation: 1, mayChange }).daylight;
    expect(own).toEqual([1, 1, 1]);
    expect(daylight('shadows')).toEqual(own);
    expect(daylight('hour')).not.toEqual(own);
    expect(new Set(daylight('exposure')).size).toBe(1);
  });

  it('shows a small product from nearer than others, and its variation from farther away', async () => {
    const view = async (words: string, variation?: number) => {
      const one = await framing('studio-sweep', boxOf(150, 150, 100, 100), UPLOAD, words);
      return frameScene({ ...one, variation }).crop.width;
    };
    expect(await view('ring on a table')).toBeLessThan(await view('chair on a table'));
    expect(await view('ring on a table', 2)).toBeGreaterThan(await view('ring on a table'));
    expect(await view('chair on a table', 3)).toBeLessThan(await view('chair on a table'));
  });

  it('has the pixels of the first picture in every variation, with the product beside the middle in another size', async () => {
    const one = await framing('morning-table', boxOf(110, 80, 180, 240), UPLOAD);
    const first = frameScene(one);
    const middle = ({ left, productScale, width }: typeof first) => (left + 90 * productScale) / width;
    for (const variation of [0, 1, 2, 3, 4]) {
      const frame = frameScene({ ...one, variation });
      expect([frame.width, frame.height]).toEqual([first.width, first.height]);
      expect(Math.abs(middle(frame) - 0.5)).toBeGreaterThan(0.02);
      expect(frame.productScale / first.productScale).toBeGreaterThan(0.8);
    }
    const white = frameScene({ ...one, variation: 3, mayChange: 'shadows' });
    expect(middle(white)).toBeCloseTo(0.5, 2);
    expect(white.productScale).toBe(first.productScale);
  });

  it('keeps the borders of a top view, where its twigs lie, in every variation', async () => {
    const one = await framing('flat-christmas', boxOf(110, 80, 180, 240), UPLOAD);
    for (const variation of [0, 1, 2, 3, 4]) {
      const { crop } = frameScene({ ...one, variation });
      expect(crop.width).toBeGreaterThan(0.8 * PLATE_SIZE);
      expect(crop.x + crop.width / 2).toBeCloseTo(PLATE_SIZE / 2, 5);
    }
  });

  it('is at most 2048 pixels long, and the product shrinks with it', async () => {
    const upload = { width: 4000, height: 3000 };
    const product = { ...boxOf(0, 0, 40, 60), left: 1000, top: 800, width: 2000, height: 1800 };
    const alpha = new Uint8Array(8).fill(255);
    const one = await framing('studio-sweep', { ...product, width: 4, height: 2, alpha }, upload);
    const contact = { spots: [], left: 0, right: 2000, feet: [], ground: 1800 };
    const frame = frameScene({ ...one, product, contact });
    expect([frame.width, frame.height]).toEqual([2048, 1536]);
    expect(frame.productScale).toBeLessThan(2048 / 4000);
  });

  it('is 1024 pixels long for a small upload, and no longer than a larger one', async () => {
    const long = async (width: number, height: number) => {
      const product = { ...boxOf(10, 10, 4, 4), width: 0.9 * width, height: 0.9 * height };
      const one = await framing('studio-sweep', { ...product, width: 4, height: 4 }, { width, height });
      const contact = { spots: [], left: 0, right: product.width, feet: [], ground: product.height };
      const frame = frameScene({ ...one, product, contact });
      return Math.max(frame.width, frame.height);
    };
    expect([await long(500, 400), await long(1024, 1024), await long(1600, 1200)]).toEqual([1024, 1024, 1600]);
  });

  it.each([UPLOAD, { width: 300, height: 500 }, { width: 500, height: 300 }])(
    'of a set from above is centred on the lying product ($width x $height)',
    async (upload) => {
      const { crop } = frameScene(await framing('flat-christmas', boxOf(20, 40, 200, 90), upload));
      expect(crop.x + crop.width / 2).toBeCloseTo(PLATE_SIZE / 2, 5);
      expect(crop.y + crop.height / 2).toBeCloseTo(PLATE_SIZE / 2, 5);
    },
  );

  it('needs no ground below a hanging product, which is centred', async () => {
    const one = await framing('beach-sand', boxOf(20, 20, 360, 360), UPLOAD);
    const { top, height, productScale } = frameScene({ ...one, hangs: true });
    expect(Math.abs(top + 180 * productScale - height / 2)).toBeLessThan(3);
  });
});

describe('a placement', () => {
  const placed = async (placement: Parameters<typeof placeProduct>[3]) => {
    const one = await framing('studio-sweep', boxOf(110, 80, 180, 240), UPLOAD);
    const frame = frameScene(one);
    return { frame, moved: placeProduct(frame, one.contact, one.contact, placement) };
  };

  it('without values changes nothing', async () => {
    const { frame, moved } = await placed({});
    expect(moved).toEqual(frame);
  });

  it('moves the centre of the foot to the requested point, and keeps the set', async () => {
    const { frame, moved } = await placed({ x: 0.25, y: 0.9 });
    expect(Math.abs(moved.left + 90 * moved.productScale - 0.25 * frame.width)).toBeLessThan(3);
    expect(Math.abs(moved.top + 240 * moved.productScale - 0.9 * frame.height)).toBeLessThan(3);
    expect(moved).toMatchObject({ crop: frame.crop, productScale: frame.productScale, width: frame.width });
  });

  it("below scale 1 gives the picture more pixels, up to the photo's", async () => {
    const upload = { width: 1600, height: 1600 };
    const one = await framing('studio-sweep', boxOf(600, 400, 300, 700), upload);
    const wide = (scale?: number) => frameScene({ ...one, ...(scale && { scale }) }).width;
    expect([wide(), wide(0.9), wide(0.3), wide(1.5)]).toEqual([1250, 1389, 1600, 1250]);
  });

  it('scales the product at its position', async () => {
    const { frame, moved } = await placed({ scale: 0.5 });
    expect(moved.productScale).toBeCloseTo(frame.productScale / 2, 6);
    const foot = ({ left, top, productScale }: typeof frame) => [left + 90 * productScale, top + 240 * productScale];
    for (const [n, at] of foot(moved).entries()) expect(Math.abs(at - foot(frame)[n]!)).toBeLessThan(3);
  });

  it('that is reported can be requested again, also if rounding puts the foot below the frame', async () => {
    const product = boxOf(20, 40, 60, 60, true);
    const one = await framing('studio-sweep', product, { width: 100, height: 100 });
    const frame = { ...frameScene(one), width: 100, height: 100, productScale: 1, left: 20, top: 41 };
    expect(describePlacement(frame, one.contact, product, one.upload, {}).y).toBe(1);
  });
});
