import { expect, it } from 'vitest';
import { makePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import { helpByColours } from './colours.ts';

const SIZE = { width: 200, height: 160 };
const isDisc = (x: number, y: number) => Math.hypot(x - 100, y - 80) < 50;

/** A red disc on a grey wall that a dark line crosses, with grain. */
function makePicture(): Rgb {
  const random = makeRandom(3);
  const data = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let i = 0; i < data.length / 3; i += 1) {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    const colour = isDisc(x, y) ? [170, 60, 50] : y === 20 || y === 21 ? [90, 60, 50] : [140, 150, 150];
    for (let c = 0; c < 3; c += 1) data[i * 3 + c] = colour[c]! + 20 * (random() + random() - 1);
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

const coverAt = ({ data }: Plane, x: number, y: number) => data[y * SIZE.width + x]!;

it('finds the part of the product that the network missed, and lets go of the ground that it took along', async () => {
  const missed = (x: number) => x > 120;
  const taken = (x: number, y: number) => x < 70 && y > 110 && y < 140;
  const said = draw((x, y) => (taken(x, y) ? 0.6 : isDisc(x, y) ? (missed(x) ? 0.3 : 0.99) : 0.01));
  const { alpha, agreement } = await helpByColours(makePicture(), said);
  expect(coverAt(alpha, 135, 80)).toBeGreaterThan(0.6);
  expect(coverAt(alpha, 60, 130)).toBeLessThan(0.4);
  expect(agreement).toBeLessThan(0.85);
});

it('leaves alone what network and colours both say, and says so', async () => {
  const { alpha, agreement } = await helpByColours(
    makePicture(),
    draw((x, y) => (isDisc(x, y) ? 1 : 0)),
  );
  expect(coverAt(alpha, 100, 80)).toBe(1);
  expect(coverAt(alpha, 10, 80)).toBe(0);
  expect(agreement).toBeGreaterThan(0.97);
});

it('takes no line of the scene along that the network did not see', async () => {
  const said = draw((x, y) => (isDisc(x, y) ? 1 : 0.02));
  const { alpha } = await helpByColours(makePicture(), said);
  expect(coverAt(alpha, 20, 20)).toBeLessThan(0.1);
});

it('follows the network when there is nothing to learn one side from', async () => {
  const { alpha, agreement } = await helpByColours(
    makePicture(),
    draw(() => 0.7),
  );
  expect(coverAt(alpha, 20, 20)).toBeGreaterThan(0.7);
  expect(agreement).toBe(1);
});
