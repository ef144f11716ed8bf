import { expect, it } from 'vitest';
import { makePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { helpByColours } from './colours.ts';
import type { Marks } from './marks.ts';

const SIZE = { width: 200, height: 160 };
const isDisc = (x: number, y: number) => Math.hypot(x - 100, y - 80) < 50;

/** A red disc on a grey wall that a dark line crosses, with grain. */
function makePicture(): Rgb {
  return paint((x, y) => (isDisc(x, y) ? [170, 60, 50] : y === 20 || y === 21 ? [90, 60, 50] : [140, 150, 150]));
}

function paint(
  colourAt: (x: number, y: number) => number[],
  grainAt: (x: number, y: number) => number = () => 20,
): Rgb {
  const random = makeRandom(3);
  const data = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let i = 0; i < data.length / 3; i += 1) {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    const colour = colourAt(x, y);
    for (let c = 0; c < 3; c += 1) data[i * 3 + c] = colour[c]! + grainAt(x, y) * (random() + random() - 1);
  }
  return { ...SIZE, data };
}

function draw(coverAt: (x: number, y: number) => number): Plane {
  const plane = makePlane(SIZE);
  for (let i = 0; i < plane.data.length; i += 1) {
    plane.data[i] = coverAt(i % SIZE.width, Math.floor(i / SIZE.width));
  }
  return plane;
}

const help = (picture: Rgb, said: Plane, marks?: Marks) => helpByColours({ shrink: shrinkRgb }, picture, said, marks);
const coverAt = ({ data }: Plane, x: number, y: number) => data[y * SIZE.width + x]!;

it('finds the part of the product that the network missed, and lets go of the ground that it took along', async () => {
  const missed = (x: number) => x > 120;
  const taken = (x: number, y: number) => x < 70 && y > 110 && y < 140;
  const said = draw((x, y) => (taken(x, y) ? 0.6 : isDisc(x, y) ? (missed(x) ? 0.3 : 0.99) : 0.01));
  const { alpha, agreement } = await help(makePicture(), said);
  expect(coverAt(alpha, 135, 80)).toBeGreaterThan(0.6);
  expect(coverAt(alpha, 60, 130)).toBeLessThan(0.4);
  expect(agreement).toBeLessThan(0.85);
});

it('leaves alone what network and colours both say, and says so', async () => {
  const { alpha, agreement } = await help(
    makePicture(),
    draw((x, y) => (isDisc(x, y) ? 1 : 0)),
  );
  expect(coverAt(alpha, 100, 80)).toBe(1);
  expect(coverAt(alpha, 10, 80)).toBe(0);
  expect(agreement).toBeGreaterThan(0.97);
});

it('takes no line of the scene along that the network did not see', async () => {
  const said = draw((x, y) => (isDisc(x, y) ? 1 : 0.02));
  const { alpha } = await help(makePicture(), said);
  expect(coverAt(alpha, 20, 20)).toBeLessThan(0.1);
});

it('takes no shadow along, though parts of the product are as dark', async () => {
  const isShadow = (x: number, y: number) => !isDisc(x, y) && Math.hypot((x - 100) / 2, y - 128) < 20;
  const picture = paint(
    (x, y) =>
      isDisc(x, y) ? (y > 95 ? [80, 70, 60] : [170, 60, 50]) : isShadow(x, y) ? [70, 75, 75] : [140, 150, 150],
    (x, y) => (isShadow(x, y) ? 10 : 20),
  );
  const { alpha } = await help(
    picture,
    draw((x, y) => (isDisc(x, y) ? 0.99 : isShadow(x, y) ? 0.25 : 0.01)),
  );
  expect(coverAt(alpha, 100, 138)).toBeLessThan(0.15);
});

it('opens a pocket of ground, unless a person wants to keep it', async () => {
  const isPocket = (x: number, y: number) => x > 117 && x < 122 && y > 45;
  const picture = paint((x, y) => (isDisc(x, y) && !isPocket(x, y) ? [170, 60, 50] : [140, 150, 150]));
  const said = draw((x, y) => (isDisc(x, y) ? 0.99 : 0.01));
  expect(coverAt((await help(picture, said)).alpha, 120, 90)).toBeLessThan(0.1);
  const keep: [number, number, number][] = [[120 / SIZE.width, 90 / SIZE.height, 0.01]];
  expect(coverAt((await help(picture, said, { keep })).alpha, 120, 90)).toBeGreaterThan(0.3);
});

it('opens the narrow end of a hole of which the cut opens the wide one, and the wide one wholly', async () => {
  const isHole = (x: number, y: number) => y >= 45 && y < 115 && (y < 85 ? x >= 107 && x < 110 : x >= 98 && x < 118);
  const stripe = (y: number) => (y % 4 < 2 ? [20, 20, 20] : [250, 240, 60]);
  const picture = paint(
    (x, y) => (!isDisc(x, y) || isHole(x, y) ? [140, 150, 150] : x < 70 ? stripe(y) : [180, 130, 110]),
    () => 8,
  );
  const { alpha } = await help(
    picture,
    draw((x, y) => (isDisc(x, y) ? 0.99 : 0.01)),
  );
  expect([coverAt(alpha, 108, 60), coverAt(alpha, 108, 98)]).toEqual([0, 0]);
  expect(coverAt(alpha, 125, 80)).toBeGreaterThan(0.95);
});

it('does not hear colours that do not tell product and ground apart', async () => {
  const picture = paint((x, y) => ((x + y) % 7 < 3 ? [60, 60, 60] : isDisc(x, y) ? [90, 92, 95] : [84, 88, 92]));
  const said = draw((x, y) => (isDisc(x, y) ? (x > 120 ? 0.4 : 0.99) : 0.01));
  expect((await help(picture, said)).alpha).toEqual(said);
});

it('follows the network when there is nothing to learn one side from', async () => {
  const said = draw(() => 0.7);
  const { alpha, agreement } = await help(makePicture(), said);
  expect(alpha).toEqual(said);
  expect(agreement).toBe(1);
});
