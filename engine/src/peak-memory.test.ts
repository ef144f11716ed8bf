import { expect, it } from 'vitest';
import { forgetPeakMemory, peakMemory } from './peak-memory.ts';

const MEGABYTE = 1e6;

it.runIf(process.platform === 'linux')('says the most since it was forgotten', () => {
  forgetPeakMemory();
  const before = peakMemory();
  const held = Buffer.alloc(200 * MEGABYTE, 1);
  expect(held.length).toBe(200 * MEGABYTE);
  expect(peakMemory() - before).toBeGreaterThan(100 * MEGABYTE);
});
