import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findTryOnFaults, measureTryOn, type TryOnRow } from './try-on.ts';

const LONG_MS = 150_000; // everything at once on two shared cores
vi.setConfig({ testTimeout: LONG_MS });
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-try-on-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const GOOD: TryOnRow = {
  name: 'good',
  sameColours: 0.9,
  changedOnPerson: 0,
  changedBeside: 0,
  dressed: 1,
  stripes: 1,
  cpuMs: 4000,
};

describe('try-on', () => {
  const rows: TryOnRow[] = [];

  it('puts dress, striped top and printed shirt on people in their own colours, and touches nothing else', async () => {
    for (const [person, garment] of [
      ['nora', 'dress'],
      ['li', 'striped'],
      ['tom', 'tshirt'],
    ] as const) {
      rows.push(await measureTryOn(person, garment, folder));
    }
    console.table(rows);
    expect(findTryOnFaults(rows)).toEqual([]);
  });

  it('would notice smeared colours, a touched face and stretched stripes', () => {
    expect(findTryOnFaults([{ ...GOOD, sameColours: 0.5 }])).toHaveLength(1);
    expect(findTryOnFaults([{ ...GOOD, changedOnPerson: 0.01 }])).toHaveLength(1);
    expect(findTryOnFaults([{ ...GOOD, stripes: 1.3 }])).toHaveLength(1);
  });
});

describe('the same request', () => {
  it('gives the same bytes in two processes, within the memory of a worker', async () => {
    const script = fileURLToPath(new URL('people-digest.ts', import.meta.url));
    const digest = async () => (await promisify(execFile)(process.execPath, [script])).stdout.split('\n').at(-2) ?? '';
    const [one, other] = [await digest(), await digest()].map(
      (line) => JSON.parse(line) as { headshot: string; tryOn: string; peakRssBytes: number },
    );
    expect(other?.headshot).toBe(one?.headshot);
    expect(other?.tryOn).toBe(one?.tryOn);
    expect(one?.peakRssBytes).toBeLessThan(900e6);
  });
});
