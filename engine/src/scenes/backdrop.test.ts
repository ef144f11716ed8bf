import { describe, expect, it } from 'vitest';
import { drawPictures, FLOOR, LINE, makeFrame, makePlate, NO_WORDS, WALL } from '../../test/plate.ts';
import type { Colour } from '../../test/draw.ts';
import { showPlate, type Backdrop } from './backdrop.ts';
import { readBrief } from '../words/brief.ts';
import { byteToLight, hexToBytes, lightToByte } from '../pixels/colour.ts';
import type { Frame } from './frame.ts';
import { MASK_SIZE, PLATE_SIZE } from './plates.ts';

const pictures = drawPictures();
const plate = makePlate();
const frame = makeFrame();
const UP = { x: 20, y: 20 };
const DOWN = { x: 48, y: 90 };

type Place = { x: number; y: number };
const readColour = ({ light }: Backdrop, { x, y }: Place, { width }: Frame = frame) =>
  [0, 1, 2].map((c) => lightToByte(light[3 * (y * width + x) + c]!));
const readLight = ({ light }: Backdrop, { x, y }: Place) => light[3 * (y * frame.width + x) + 1]!;
const expectColour = (colour: readonly number[], wanted: readonly number[], within = 2) => {
  for (const [c, value] of colour.entries()) expect(Math.abs(value - wanted[c]!)).toBeLessThanOrEqual(within);
};
const ask = (words: string, changes?: Parameters<typeof makePlate>[0]) =>
  showPlate(makePlate(changes), pictures, frame, readBrief(words));

/** Four quarters in different colours. */
const QUARTERS: Colour[] = [
  [200, 40, 40],
  [40, 200, 40],
  [40, 40, 200],
  [120, 120, 40],
];
const quartered = drawPictures((x, y) => QUARTERS[(x < 768 ? 0 : 1) + (y < 768 ? 0 : 2)]!);
const quarter = (n: number, changes?: Partial<Frame>) =>
  makeFrame({ crop: { x: n % 2 ? 768 : 0, y: n < 2 ? 0 : 768, width: 768, height: 768 }, ...changes });

describe('a rendered plate', () => {
  it('has its own colours if none are requested', async () => {
    const shown = await showPlate(plate, pictures, frame, NO_WORDS);
    expectColour(readColour(shown, UP), WALL);
    expectColour(readColour(shown, DOWN), FLOOR);
  });

  it.each([0, 1, 2, 3])('is the part inside the frame: quarter %i', async (n) => {
    const shown = await showPlate(plate, quartered, quarter(n), NO_WORDS);
    for (const place of [UP, DOWN, { x: 90, y: 4 }]) expectColour(readColour(shown, place), QUARTERS[n]!);
  });

  it("has the frame's size in any shape, and masks of the same part", async () => {
    const odd = makeFrame({ width: 37, height: 61, crop: { x: 300, y: 700, width: 400, height: 660 } });
    const { light, wall, surface } = await showPlate(plate, pictures, odd, NO_WORDS);
    expect(light).toHaveLength(3 * 37 * 61);
    const half = MASK_SIZE / PLATE_SIZE;
    for (const { width, height } of [wall, surface]) expect([width, height]).toEqual([400 * half, 660 * half]);
    const floorBegins = (LINE - 700) * half;
    expect(wall.data[Math.floor(floorBegins - 4) * wall.width + 9]).toBeGreaterThan(0.95);
    expect(surface.data[Math.ceil(floorBegins + 4) * wall.width + 9]).toBeGreaterThan(0.95);
    expect(wall.data[Math.ceil(floorBegins + 4) * wall.width + 9]).toBeLessThan(0.05);
  });
});

describe('a wall of another colour', () => {
  it('has that colour, and the floor is unchanged', async () => {
    const shown = await ask('navy wall');
    expectColour(readColour(shown, UP), hexToBytes(readBrief('navy wall').wall!), 3);
    expectColour(readColour(shown, DOWN), FLOOR);
  });

  it('keeps light and shade: half the light stays half', async () => {
    const halved = lightToByte(byteToLight(128) / 2);
    const shaded = drawPictures((x) => (x < 768 ? WALL : [halved, halved, halved]));
    const shown = await showPlate(plate, shaded, frame, readBrief('sage wall'));
    for (const c of [0, 1, 2]) {
      const [lit, dark] = [20, 80].map((x) => shown.light[3 * (20 * frame.width + x) + c]!);
      expect(dark! / lit!).toBeCloseTo(0.5, 1);
    }
  });

  it('is unchanged if the plate forbids it, or if the requested colour is its own', async () => {
    for (const changes of [
      { tint: { wall: false, surface: false } },
      { seen: {} },
      { nameWords: ['navy'], words: new Set(['navy']) },
    ]) {
      expectColour(readColour(await ask('navy wall', changes), UP), WALL);
    }
  });

  it('may be combined with a floor of another colour', async () => {
    const shown = await ask('navy wall, mustard table');
    const { wall, surface } = readBrief('navy wall, mustard table');
    expectColour(readColour(shown, UP), hexToBytes(wall!), 3);
    expectColour(readColour(shown, DOWN), hexToBytes(surface!), 12);
  });

  it('never exceeds white', async () => {
    const bright = drawPictures(() => [250, 250, 250]);
    const { light } = await showPlate(plate, bright, frame, readBrief('white wall'));
    expect(Math.max(...light)).toBeLessThan(1.6);
    expect(light.every((value) => value >= 0)).toBe(true);
  });
});

describe('other light', () => {
  it('of another hour tints everything', async () => {
    const daylight: Frame['daylight'] = [1.1, 1, 0.8];
    const [own, warm] = [
      await showPlate(plate, pictures, frame, NO_WORDS),
      await showPlate(plate, pictures, makeFrame({ daylight }), NO_WORDS),
    ];
    for (const { x, y } of [UP, DOWN]) {
      for (const [c, factor] of daylight.entries()) {
        const i = 3 * (y * frame.width + x) + c;
        expect(warm.light[i]! / own.light[i]!).toBeCloseTo(factor, 2);
      }
    }
  });

  it('is darker at night and warmer at sunset', async () => {
    const [day, night, sunset] = [await ask(''), await ask('at night'), await ask('at sunset')];
    expect(readLight(night, UP)).toBeLessThan(0.7 * readLight(day, UP));
    const [red, , blue] = readColour(sunset, UP);
    expect(red! - blue!).toBeGreaterThan(25);
  });

  it('of a single lamp is darker away from the product', async () => {
    const [even, pool] = [await ask(''), await ask('dramatic light')];
    const beside = { x: 48, y: 52 };
    const loss = (place: Place) => readLight(pool, place) / readLight(even, place);
    expect(loss({ x: 1, y: 1 })).toBeLessThan(0.5 * loss(beside));
    for (let x = 0; x < 96; x += 5) expect(loss({ x, y: 4 })).toBeLessThanOrEqual(1);
  });

  it('changes nothing if it is excluded or the set has it already', async () => {
    const own = await ask('');
    const others = [
      await ask('no night'),
      await ask('not at night'),
      await ask('at night', { words: new Set(['night']) }),
    ];
    for (const { light } of others) expect(light.every((value, n) => value === own.light[n])).toBe(true);
  });
});
