import { describe, expect, it } from 'vitest';
import type { Colour } from '../../test/draw.ts';
import { drawPictures, FLOOR, LINE, makeFrame, makePlate, NO_WORDS, WALL } from '../../test/plate.ts';
import { byteToLight, lightToByte } from '../pixels/colour.ts';
import type { Rgb } from '../pixels/plane.ts';
import { readBrief } from '../words/brief.ts';
import { composeScene } from './compose.ts';
import type { Frame } from './frame.ts';
import { getPlate, PLATE_SIZE, type Plate } from './plates.ts';
import type { Product } from './product.ts';

const RED: Colour = [190, 60, 50];
const BOX = { left: 38, top: 46, width: 20, height: 24 };
const FOOT = BOX.top + BOX.height;
const pictures = drawPictures();

/** An upright box at the centre, with its foot on the floor. */
function makeBox(changes: Partial<Product> = {}, alphaByte = 255): Product {
  const size = BOX.width * BOX.height;
  const rgb = Uint8Array.from({ length: 3 * size }, (_, n) => RED[n % 3]!);
  const alpha = new Uint8Array(size).fill(alphaByte);
  return { ...BOX, data: rgb, alpha, isCut: false, isCutBelow: false, ...changes };
}

type Ask = { product?: Product; plate?: Plate; frame?: Partial<Frame>; words?: string };

/** Places the drawn plate's stand point at the box's foot. */
const onStand = (changes: Partial<Plate> = {}): Plate =>
  makePlate({ stand: { x: PLATE_SIZE / 2, y: (FOOT * PLATE_SIZE) / 96 }, ...changes });

const compose = ({ product = makeBox(), plate = onStand(), frame = {}, words = '' }: Ask = {}): Promise<Rgb> =>
  composeScene(
    plate,
    pictures,
    makeFrame({ left: product.left, top: product.top, ...frame }),
    product,
    words === '' ? NO_WORDS : readBrief(words),
  );

const readColour = ({ data, width }: Rgb, x: number, y: number) => [
  ...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
];
const isOnBox = (x: number, y: number) =>
  x >= BOX.left && x < BOX.left + BOX.width && y >= BOX.top && y < BOX.top + BOX.height;
/** Without the box: invisible, it casts no shadow. */
const empty = await compose({ product: makeBox({}, 0) });

describe('a composed scene', () => {
  it('contains the opaque product byte for byte', async () => {
    const rgb = Uint8Array.from({ length: 3 * BOX.width * BOX.height }, (_, n) => (37 * n) % 256);
    const picture = await compose({ product: makeBox({ data: rgb }), words: 'at night' });
    for (let y = 0; y < BOX.height; y += 1) {
      const from = 3 * ((BOX.top + y) * 96 + BOX.left);
      const row = picture.data.subarray(from, from + 3 * BOX.width);
      expect([...row]).toEqual([...rgb.subarray(3 * y * BOX.width, 3 * (y + 1) * BOX.width)]);
    }
  });

  it('equals the empty set away from the product and its shadow', async () => {
    const picture = await compose();
    for (const [x, y] of [
      [2, 2],
      [93, 2],
      [48, 20],
      [2, 50],
    ] as const) {
      expect(readColour(picture, x, y)).toEqual(readColour(empty, x, y));
    }
    expect(readColour(empty, 2, 2)).toEqual([...WALL]);
    expect(readColour(empty, 2, 93)).toEqual([...FLOOR]);
  });

  it('mixes a half-transparent pixel in linear light, like a camera', async () => {
    const half = 0.5;
    const alphaByte = Math.round(255 * (half * 0.93 + 0.05)); // the faintest twentieth is dropped
    const alpha = makeBox().alpha.with(0, alphaByte);
    const picture = await compose({ product: makeBox({ alpha }) });
    const wall = readColour(empty, BOX.left, BOX.top);
    for (const [c, value] of readColour(picture, BOX.left, BOX.top).entries()) {
      const mixed = byteToLight(wall[c]!) * half + byteToLight(RED[c]!) * half;
      expect(Math.abs(value - lightToByte(mixed))).toBeLessThanOrEqual(3);
    }
  });

  it("drops the faintest alpha, residue of the photo's shadow", async () => {
    expect((await compose({ product: makeBox({}, 12) })).data).toEqual(empty.data);
  });

  it.each([
    ['left', { left: -12, top: 46 }],
    ['right', { left: 88, top: 46 }],
    ['top', { left: 38, top: -15 }],
    ['bottom', { left: 38, top: 85 }],
  ])('continues beyond the %s border without wrapping around', async (_, { left, top }) => {
    const product = makeBox({ left, top });
    const picture = await compose({ product });
    expect(picture.data).toHaveLength(3 * 96 * 96);
    let count = 0;
    for (let i = 0; i < 96 * 96; i += 1) {
      const isRed = readColour(picture, i % 96, Math.floor(i / 96)).every((value, c) => value === RED[c]);
      if (!isRed) continue;
      count += 1;
      expect(Math.abs((i % 96) - left - 9.5)).toBeLessThan(10);
    }
    const [wide, high] = [Math.min(96, left + 20) - Math.max(0, left), Math.min(96, top + 24) - Math.max(0, top)];
    expect(count).toBe(wide * high);
  });
});

/** Change of each pixel beside the box against the empty set, of 255 (> 0: brighter). */
function listChanges(picture: Rgb, bare = empty): { x: number; y: number; change: number }[] {
  const changes = [];
  for (let i = 0; i < 96 * 96; i += 1) {
    const [x, y] = [i % 96, Math.floor(i / 96)];
    if (!isOnBox(x, y)) changes.push({ x, y, change: picture.data[3 * i + 1]! - bare.data[3 * i + 1]! });
  }
  return changes;
}

describe("the product's shadow", () => {
  const lit = (changes: Partial<Plate['light']>) => onStand({ light: { ...onStand().light, ...changes } });

  it('never brightens, and is darkest under the foot', async () => {
    const changes = listChanges(await compose());
    expect(changes.every(({ change }) => change <= 0)).toBe(true);
    const darkest = changes.reduce((lowest, one) => (one.change < lowest.change ? one : lowest));
    expect(darkest.change).toBeLessThan(-20);
    expect(Math.abs(darkest.y - FOOT)).toBeLessThan(4);
    expect(Math.abs(darkest.x - 48)).toBeLessThan(14);
  });

  it('falls on the floor only', async () => {
    const wall = listChanges(await compose()).filter(({ y }) => y < (LINE * 96) / PLATE_SIZE - 4);
    expect(wall.every(({ change }) => change >= -2)).toBe(true);
  });

  it('is stronger with a strong lamp', async () => {
    const lose = async (shadowStrength: number) =>
      listChanges(await compose({ plate: lit({ shadowStrength }) })).reduce((sum, { change }) => sum - change, 0);
    expect(await lose(0.9)).toBeGreaterThan(1.4 * (await lose(0.3)));
  });

  it('is as soft as the set and the words state', async () => {
    const soft = await compose({ plate: lit({ softness: 0.5 }), words: 'soft light' });
    const same = await compose({ plate: lit({ softness: 0.85 }) });
    const hard = await compose({ plate: lit({ softness: 0.5 }), words: 'hard light' });
    expect(Buffer.compare(soft.data, same.data)).toBe(0);
    expect(Buffer.compare(soft.data, hard.data)).not.toBe(0);
  });

  it("is omitted below a product that the photo cuts off, except on a studio's wall and on a table from above", async () => {
    const product = makeBox({ isCut: true, isCutBelow: true });
    const none = listChanges(await compose({ product }));
    expect(none.every(({ change }) => change === 0)).toBe(true);
    const { id } = getPlate('studio-sweep');
    for (const plate of [onStand({ id }), onStand({ view: 'above' })]) {
      const some = listChanges(await compose({ product, plate }));
      expect(Math.min(...some.map(({ change }) => change))).toBeLessThan(-5);
    }
  });
});

describe('a hanging product', () => {
  const frame = { left: BOX.left, top: 20 };
  const hang = (hangs: boolean, alphaByte = 255) =>
    composeScene(onStand(), pictures, makeFrame(frame), makeBox({}, alphaByte), NO_WORDS, hangs);

  it('casts its shadow on the wall behind it, not on the floor', async () => {
    const [bare, picture] = [await hang(true, 0), await hang(true)];
    const darker = (from: number, to: number) => {
      let min = 0;
      for (let i = from * 96; i < to * 96; i += 1) {
        const isBox = i % 96 >= BOX.left && i % 96 < BOX.left + 20 && i / 96 >= 20 && i / 96 < 44;
        if (!isBox) min = Math.min(min, picture.data[3 * i + 1]! - bare.data[3 * i + 1]!);
      }
      return min;
    };
    expect(darker(0, 54)).toBeLessThan(-4);
    expect(darker(60, 96)).toBeGreaterThan(-2);
  });
});

describe('a glossy floor', () => {
  const glossy = onStand({ reflection: { strength: 0.6, blurPx: 0 } });
  const redness = ([red = 0, green = 0]: number[]) => red - green;

  it('mirrors the product below its foot only', async () => {
    const [matt, shown] = [await compose(), await compose({ plate: glossy })];
    expect(redness(readColour(shown, 48, FOOT + 2))).toBeGreaterThan(redness(readColour(matt, 48, FOOT + 2)) + 15);
    expect(redness(readColour(shown, 48, FOOT + 20))).toBeLessThan(4);
    expect(readColour(shown, 10, FOOT + 2)).toEqual(readColour(matt, 10, FOOT + 2));
  });

  it('mirrors nothing from above, and nothing of a cut-off product', async () => {
    const isCut = { isCut: true, isCutBelow: true };
    const above = await compose({ plate: { ...glossy, view: 'above' } });
    expect(Math.max(...listChanges(above).map(({ x, y }) => redness(readColour(above, x, y))))).toBeLessThan(3);
    const cut = await compose({ plate: { ...glossy, id: getPlate('studio-sweep').id }, product: makeBox(isCut) });
    expect(Math.max(...listChanges(cut).map(({ x, y }) => redness(readColour(cut, x, y))))).toBeLessThan(3);
  });
});

it('is deterministic for any frame size', async () => {
  for (const frame of [{}, { width: 33, height: 71, scale: 33 / PLATE_SIZE }]) {
    const [one, other] = [await compose({ frame }), await compose({ frame })];
    expect(one.data.length).toBe(3 * one.width * one.height);
    expect(Buffer.compare(one.data, other.data)).toBe(0);
  }
});
