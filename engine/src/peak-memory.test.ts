import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MEGABYTE = 1e6;

/** Says, in bytes, how much more it held at most since it forgot; in a process that holds nothing of other tests. */
const PROGRAM = `
  import { forgetPeakMemory, peakMemory } from ${JSON.stringify(join(import.meta.dirname, 'peak-memory.ts'))};
  const early = Buffer.alloc(${400 * MEGABYTE}, 1).length;
  global.gc();
  forgetPeakMemory();
  const before = peakMemory();
  const late = Buffer.alloc(${200 * MEGABYTE}, 1).length;
  console.log(early > late ? peakMemory() - before : 'nothing was held');`;

it.runIf(process.platform === 'linux')('says the most since it was forgotten', () => {
  const program = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
  // Without what the tests tell the C library about memory: it would keep what was held early.
  const more = Number(execFileSync(process.execPath, program, { encoding: 'utf8', env: {} }));
  expect(more).toBeGreaterThan(100 * MEGABYTE);
  expect(more).toBeLessThan(300 * MEGABYTE);
});
