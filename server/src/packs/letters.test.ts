import { expect, it } from 'vitest';
import { countLetterLines, LETTERS_SIDE_PX } from './letters.ts';

const SIDE = LETTERS_SIDE_PX;
const MOST_MS = 5000;

it('looks through an even weave of thousands of marks in a few seconds', () => {
  const data = new Uint8Array(SIDE * SIDE).fill(235);
  for (let y = 4; y + 8 < SIDE; y += 11) {
    for (let x = 4; x + 5 < SIDE; x += 8) {
      for (let row = y; row < y + 7; row += 1) data[row * SIDE + x] = 90;
      data.fill(90, (y + 6) * SIDE + x, (y + 6) * SIDE + x + 4);
    }
  }
  const before = process.threadCpuUsage();
  const lines = countLetterLines({ data, width: SIDE, height: SIDE, channels: 1 }, new Uint8Array(data.length));
  const { user, system } = process.threadCpuUsage(before);
  expect(lines).toBe(0);
  expect((user + system) / 1000).toBeLessThan(MOST_MS);
});
