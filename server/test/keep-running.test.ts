import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from './makers.ts';

const SCRIPT = resolve(import.meta.dirname, '..', '..', 'scripts', 'keep-running.mjs');

describe('npm start', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-keep-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A stand-in for the product that records each start and then follows its script. */
  function keep(name: string, body: string): { keeper: ChildProcess; starts: () => number; ended: Promise<number> } {
    const notes = join(folder, `${name}.txt`);
    const product = join(folder, `${name}.mjs`);
    writeFileSync(notes, '');
    writeFileSync(
      product,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(notes)}, 'x');\n${body}`,
    );
    const words = `import { keepRunning } from ${JSON.stringify(SCRIPT)};
      process.exitCode = await keepRunning(process.execPath, [${JSON.stringify(product)}], 20);`;
    const keeper = spawn(process.execPath, ['--input-type=module', '-e', words], { stdio: 'ignore' });
    const ended = once(keeper, 'exit').then(([code]) => code as number);
    return { keeper, starts: () => readFileSync(notes, 'utf8').length, ended };
  }
  const READY = `process.send({ event: 'listening' });`;

  it('restarts a dead product with growing delays until it is stopped', async () => {
    const { keeper, starts, ended } = keep(
      'dies',
      `${READY} setTimeout(() => process.kill(process.pid, 'SIGKILL'), 30);`,
    );
    await waitUntil(
      async () => starts(),
      (count) => count >= 4,
    );
    keeper.kill('SIGTERM');
    expect(await ended).not.toBe(0);
  });

  it.each([
    ['refuses its settings, also later', `${READY} setTimeout(() => process.exit(78), 30);`, 78],
    ['ends by itself', `${READY} setTimeout(() => process.exit(0), 30);`, 0],
    ['was never ready', 'process.exit(1);', 1],
  ])('leaves one alone that %s', async (name, body, code) => {
    const { starts, ended } = keep(name.replaceAll(/\W/g, '-'), body);
    expect([await ended, starts()]).toEqual([code, 1]);
  });
});
