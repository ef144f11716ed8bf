import { expect, it } from 'vitest';
import { countLetterLines, LETTERS_SIDE_PX } from './letters.ts';

const SIDE = LETTERS_SIDE_PX;
const MAX_MS = 5000;

/** Expects no line within the time limit. */
async function expectSoon(data: Uint8Array) {
  const before = process.threadCpuUsage();
  const lines = await countLetterLines({ data, width: SIDE, height: SIDE, channels: 1 }, new Uint8Array(data.length));
  const { user, system } = process.threadCpuUsage(before);
  expect(lines).toBe(0);
  expect((user + system) / 1000).toBeLessThan(MAX_MS);
}

it('examines an even weave of thousands of marks in a few seconds', async () => {
  const data = new Uint8Array(SIDE * SIDE).fill(235);
  for (let y = 4; y + 8 < SIDE; y += 11) {
    for (let x = 4; x + 5 < SIDE; x += 8) {
      for (let row = y; row < y + 7; row += 1) data[row * SIDE + x] = 90;
      data.fill(90, (y + 6) * SIDE + x, (y + 6) * SIDE + x + 4);
    }
  }
  await expectSoon(data);
});

it.each([
  [235, 'of one shape'],
  [255, 'of many shapes on no even ground'],
])('examines the largest possible number of specks in a few seconds: on %i, %s', async (gap) => {
  const data = new Uint8Array(SIDE * SIDE).fill(235);
  for (let y = 2; y + 7 < SIDE - 2; y += 8) {
    for (let x = 2, n = 0; x + 2 < SIDE - 2; x += 3, n += 1) {
      for (let row = y; row < y + 7; row += 1) data.fill(20, row * SIDE + x, row * SIDE + x + 2);
      const holes = gap === 255 ? 1 + (n % 4) : 1;
      for (let row = y; row < y + holes; row += 1) data[row * SIDE + x + 1] = gap;
    }
  }
  await expectSoon(data);
});
