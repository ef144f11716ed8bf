import { expect, it } from 'vitest';
import { countCells } from './cells.ts';
import { clearStray, findProduct } from './product.ts';

const SIDE = 2000;
const OBJECT = { side: 72, pitch: 88, count: 484 };
// A single flood takes a tenth of this; one flood per object takes five times as long.
const MAX_MS = 1500;

it('finds hundreds of objects about as fast as one', () => {
  const data = new Uint8Array(SIDE * SIDE * 3).fill(255);
  for (let y = 8; y + OBJECT.side < SIDE; y += OBJECT.pitch)
    for (let x = 8; x + OBJECT.side < SIDE; x += OBJECT.pitch)
      for (let row = y; row < y + OBJECT.side; row += 1)
        data.fill(40, (row * SIDE + x) * 3, (row * SIDE + x + OBJECT.side) * 3);
  const picture = { data, width: SIDE, height: SIDE, channels: 3 };
  const grid = countCells(picture, undefined, { x: false, y: false });
  const before = process.threadCpuUsage();
  const product = findProduct(picture, undefined, grid);
  clearStray(picture);
  const { user, system } = process.threadCpuUsage(before);
  expect(product?.cells.filter((cell) => cell === 1).length).toBe(OBJECT.count * (OBJECT.side / 8) ** 2);
  expect((user + system) / 1000).toBeLessThan(MAX_MS);
});
