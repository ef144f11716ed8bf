import { expect, it } from 'vitest';
import { countCells } from './cells.ts';
import { clearStray, findProduct } from './product.ts';

const SIDE = 2000;
const THING = { side: 72, pitch: 88, count: 484 };
// Flooded once it takes a tenth of this, once per thing five times as long.
const MOST_MS = 1500;

it('looks at hundreds of things about as fast as at one', () => {
  const data = new Uint8Array(SIDE * SIDE * 3).fill(255);
  for (let y = 8; y + THING.side < SIDE; y += THING.pitch)
    for (let x = 8; x + THING.side < SIDE; x += THING.pitch)
      for (let row = y; row < y + THING.side; row += 1)
        data.fill(40, (row * SIDE + x) * 3, (row * SIDE + x + THING.side) * 3);
  const picture = { data, width: SIDE, height: SIDE, channels: 3 };
  const grid = countCells(picture, undefined, { x: false, y: false });
  const before = process.threadCpuUsage();
  const product = findProduct(picture, undefined, grid);
  clearStray(picture);
  const { user, system } = process.threadCpuUsage(before);
  expect(product?.cells.filter((cell) => cell === 1).length).toBe(THING.count * (THING.side / 8) ** 2);
  expect((user + system) / 1000).toBeLessThan(MOST_MS);
});
